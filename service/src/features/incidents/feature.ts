import type { Receipt } from '@connector-auth/api/admin';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Feature } from '../../shared/feature.ts';
import { listReceipts } from '../../shared/repositories/grant-revocations.ts';
import { listIncidents } from '../../shared/repositories/incidents.ts';
import type { IncidentsContext } from './context.ts';
import { declareIncident } from './declare.ts';
import { startRevocationWorker, type RevocationContext, type RevocationTuning } from './revocation-worker.ts';
import { requireIncident, undoIncident } from './undo.ts';

export function incidents(context: IncidentsContext & RevocationContext) {
  const { db, kinds } = context;
  return {
    adminHandlers: {
      declareIncident: ({ caller, body, audit }) => declareIncident(context, caller, body, audit),
      listIncidents: ({ query }) => listIncidents(db, pageOf(query)),
      getIncident: ({ params }) => requireIncident(db, params.incident_id),
      listReceipts: async ({ params, query }) => {
        const { id } = await requireIncident(db, params.incident_id);
        const { rows, meta } = await listReceipts(db, id, { state: query.state }, pageOf(query));
        return { data: rows.map(row => toReceipt(kinds, row)), meta };
      },
      undoIncident: ({ caller, params }) => undoIncident(context, caller, params.incident_id),
    },
    /** Starts revoking grants: those that incidents have queued, and those that no connector uses any more. */
    start: (tuning?: RevocationTuning) => startRevocationWorker(context, tuning),
  } satisfies Feature;
}

function pageOf({ limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }) {
  return { limit: limit ?? defaultPageSize, cursor };
}

type ReceiptRow = Awaited<ReturnType<typeof listReceipts>>['rows'][number];

function toReceipt(kinds: KindRegistry, row: ReceiptRow): Receipt {
  const method = kinds.byKey(row.kind)?.authMethods.find(({ id }) => id === row.authMethod);
  return {
    connector: row.connectorName === null ? null : { id: row.subjectId, name: row.connectorName },
    organization: { id: row.organizationId, name: row.organizationName },
    customer: { id: row.customerId, name: row.customerName },
    connector_type: row.kind,
    state: row.state,
    attempts: row.attempts,
    last_error: row.lastError,
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
    vendor_page: row.state === 'confirmed' ? null : (method?.revocation.pageUrl ?? null),
  };
}
