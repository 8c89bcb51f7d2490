import { ConnectorAuthError } from '@connector-auth/api';
import type { AuditEntry } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import {
  listEntries,
  type AuditFilter,
  type AuditPosition,
  type StoredEntry,
} from '../../platform/audit-log/store.ts';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { encodeCursor } from '../../platform/database/paging.ts';
import { StatementTimeoutError } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { findNames } from '../../shared/repositories/names.ts';
import { positionOf, readPage, readPosition } from './position.ts';

const defaultExportSize = 10_000;

/** @param db the database for searches, because a filter may have to read the whole table. */
export function auditAdminRoutes(db: Kysely<Tables>): Pick<AdminHandlers, 'listAudit' | 'exportAudit'> {
  const limiter = limitReads();
  const read = (query: AuditFilter, position: AuditPosition, signal: AbortSignal): Promise<StoredEntry[]> =>
    limiter.run('reads', () => listEntries(db, query, position).catch(explainTimeout), signal);
  return {
    listAudit: async ({ query, signal }) => {
      const { rows, meta } = await readPage(query, position => read(query, position, signal));
      return { data: await toEntries(db, rows), meta };
    },

    exportAudit: async ({ query, signal, onClose }) => {
      const { limit = defaultExportSize } = query;
      const after = readPosition(query.cursor);
      // The entries use memory until they have been sent.
      onClose(await limiter.acquire('exports', signal));
      const found = await read(query, { order: 'asc', after, limit: limit + 1 }, signal);
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      // The end of the export has a cursor too, because new entries will follow.
      const next = last === undefined ? [after ?? '0'] : positionOf(last);
      return {
        data: await toEntries(db, rows),
        meta: { cursor: encodeCursor(next), has_more: found.length > limit },
      };
    },
  };
}

/** Limits the concurrent reads and the concurrent exports in this process. */
function limitReads(): Semaphore {
  const maxConcurrent = 2;
  return new Semaphore(
    { maxConcurrent, maxQueued: 8, maxWaitMs: 20_000 },
    () =>
      new LimitError(
        { name: 'audit', quota: maxConcurrent, windowSeconds: null },
        'Too many requests are reading the audit log: wait for some of them to finish, then try again',
        5,
      ),
  );
}

function explainTimeout(error: unknown): never {
  if (!(error instanceof StatementTimeoutError)) throw error;
  throw new ConnectorAuthError('overloaded', 'Reading the audit log took too long: add `from` and `to`', {
    retryAfterSeconds: 1,
    cause: error,
  });
}

async function toEntries(db: Kysely<Tables>, entries: readonly StoredEntry[]): Promise<AuditEntry[]> {
  const names = await findNames(
    db,
    entries.flatMap(({ target_id, application_id }) => [target_id, application_id].filter(id => id !== null)),
  );
  return entries.map(entry => toEntry(entry, names));
}

function toEntry(entry: StoredEntry, names: ReadonlyMap<string, string>): AuditEntry {
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
    application_id: entry.application_id,
    target_id: entry.target_id,
    target_name: names.get(entry.target_id ?? '') ?? names.get(entry.application_id ?? '') ?? null,
    outcome: entry.outcome,
    records: entry.records,
    request_id: entry.request_id,
    address: entry.address,
  };
}
