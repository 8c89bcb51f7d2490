import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { resolveKnownKind } from '../../shared/definitions/known-kinds.ts';
import type { KindNames } from '../../shared/definitions/resolve-kind.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import type { RecordTables } from '../../shared/records/record-table.ts';
import { listConnectors } from '../../shared/repositories/connectors.ts';
import { requireConnector } from '../../shared/tenancy/connectors.ts';
import { customerNameOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { listConnectorAccounts } from './accounts.ts';
import { checkConnector } from './check.ts';
import { toRecord, toRecords, visibleTo, withHighlights } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { createConnector } from './create.ts';
import { removeConnector, removeConnectorLater } from './delete.ts';
import { restoreConnector } from './restore.ts';
import { syncNow } from './sync-now.ts';
import { updateConnector } from './update.ts';

type Names =
  | 'createConnector'
  | 'listConnectors'
  | 'getConnector'
  | 'updateConnector'
  | 'deleteConnector'
  | 'restoreConnector'
  | 'checkConnector'
  | 'listConnectorAccounts'
  | 'syncConnector';

export function connectorRoutes(context: ConnectorsContext, tables: RecordTables): Pick<Handlers, Names> {
  const { db, kinds } = context;
  return {
    createConnector: ({ caller, body, ...call }) => createConnector(context, caller, body, call),

    listConnectors: async ({ caller, query, language }) => {
      const filter = {
        customerName: customerNameOf(caller, query.customer_name),
        kinds: await visibleKinds(context, caller, query),
        status: query.status,
        loaded: kinds.all.map(({ key }) => key),
        changedSince: query.changed_since === undefined ? undefined : new Date(query.changed_since),
      };
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor };
      const { rows, meta } = await listConnectors(db, caller.tenant, filter, page);
      if (rows.length === 0) await requireExistingCustomer(db, caller.tenant);
      const records = await toRecords(context, rows, language);
      return { data: records.map(record => visibleTo(caller, record)), meta };
    },

    getConnector: async ({ caller, params, language, audit }) => {
      const { stored, kind } = await requireConnector(context, { caller, audit }, params.id, 'view');
      const connector = await toRecord(context, kind, stored, language);
      return visibleTo(caller, await withHighlights(db, tables.ofKind(kind.key), connector, caller));
    },

    updateConnector: call => updateConnector(context, call),

    deleteConnector: async ({ caller, params, query: { undo_seconds: seconds = 0 }, audit }) => {
      caller.rights.requireManagement('delete');
      if (seconds > 0) audit({ action: 'connector.deletion_requested' });
      const { stored } = await requireConnector(context, { caller, audit }, params.id, 'delete');
      if (seconds > 0) await removeConnectorLater(context, stored, seconds);
      else await removeConnector(context, caller, stored);
    },

    restoreConnector: call => restoreConnector(context, call),

    syncConnector: ({ caller, params, language, audit }) =>
      syncNow(context, { caller, audit }, params.id, language),

    checkConnector: ({ caller, params, signal, audit }) =>
      checkConnector(context, { caller, audit }, params.id, signal),

    listConnectorAccounts: ({ caller, params, language, signal, audit }) =>
      listConnectorAccounts(context, { caller, audit }, params.id, { language, signal }),
  };
}

/** Returns the keys of the kinds to list, or null to list all kinds. */
async function visibleKinds(
  { db, kinds }: ConnectorsContext,
  { rights }: Caller,
  names: KindNames,
): Promise<readonly string[] | null> {
  const kind = await resolveKnownKind(db, kinds, names);
  if (kind === null) return rights.granted.allowedSources;
  rights.requireSource(kind);
  return [kind.key];
}
