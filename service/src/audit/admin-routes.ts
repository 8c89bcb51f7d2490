import type { AuditEntry, Overview } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import type { AuditLog } from '../audit-log/audit-log.ts';
import { listEntries, type AuditFilter, type StoredEntry } from '../audit-log/store.ts';
import { encodeCursor } from '../database/paging.ts';
import type { Tables } from '../database/tables.ts';
import type { AdminHandlers } from '../http/handler.ts';
import { positionOf, readPage, readPosition } from './position.ts';

const defaultExportSize = 10_000;

export function auditAdminRoutes({
  db,
}: {
  readonly db: Kysely<Tables>;
}): Pick<AdminHandlers, 'listAudit' | 'exportAudit'> {
  return {
    listAudit: async ({ query }) => {
      const filter = filterOf(query);
      const { rows, meta } = await readPage(query, position => listEntries(db, filter, position));
      return { data: rows.map(toEntry), meta };
    },

    exportAudit: async ({ query }) => {
      const { limit = defaultExportSize } = query;
      const after = readPosition(query.cursor);
      const found = await listEntries(db, filterOf(query), { order: 'asc', after, limit: limit + 1 });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      // The end of the export has a cursor too, because new entries will follow.
      const next = last === undefined ? [after ?? '0'] : positionOf(last);
      return {
        data: rows.map(toEntry),
        meta: { cursor: encodeCursor(next), has_more: found.length > limit },
      };
    },
  };
}

/** Returns what the overview shows of the audit log in this process. */
export function describeAuditLog(log: AuditLog): Overview['audit'] {
  const { isWritable, waitingEntries, oldestAt } = log.state();
  return {
    is_writable: isWritable,
    waiting_entries: waitingEntries,
    oldest_at: oldestAt?.toISOString() ?? null,
  };
}

interface Filters {
  readonly organization_id?: string | undefined;
  readonly customer_name?: string | undefined;
  readonly connector_id?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

function filterOf(query: Filters): AuditFilter {
  return {
    organizationId: query.organization_id,
    customerName: query.customer_name,
    connectorId: query.connector_id,
    actorId: query.actor_id,
    action: query.action,
    outcome: query.outcome,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
  };
}

function toEntry(entry: StoredEntry): AuditEntry {
  return {
    id: String(entry.id),
    at: entry.at.toISOString(),
    actor: {
      type: entry.actor_type,
      id: entry.actor_id,
      name: entry.actor_name,
      token_id: entry.token_id,
    },
    organization_id: entry.organization_id,
    customer_name: entry.customer_name,
    connector_id: entry.connector_id,
    connector_type: entry.kind,
    entity: entry.entity,
    action: entry.action,
    target_id: entry.target_id,
    outcome: entry.outcome,
    records: entry.records,
    request_id: entry.request_id,
    address: entry.address,
  };
}
