import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminConnectorDetail } from '@connector-auth/api/admin';
import { aboutConnector, type AuditDetails } from '../../platform/audit-log/entry.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import { requireUsable } from '../../shared/credentials/usable.ts';
import { resolveKnownKind } from '../../shared/definitions/known-kinds.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { findListedConnector, listAllConnectors } from '../../shared/repositories/all-connectors.ts';
import {
  findAnyConnector,
  setDisabled,
  type Presence,
  type StoredConnector,
} from '../../shared/repositories/connectors.ts';
import { makeDue, readSync } from '../../shared/repositories/sync-state.ts';
import { toAdminConnector, toAdminEntry } from './admin-response.ts';
import type { ConnectorsContext } from './context.ts';
import { removeConnector } from './delete.ts';
import { logConnectorEvent } from './events.ts';

type Names =
  | 'listConnectors'
  | 'getConnector'
  | 'resyncConnector'
  | 'disableConnector'
  | 'enableConnector'
  | 'deleteConnector';

/** The resources that operators' requests need. */
type AdminContext = Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials' | 'notifications' | 'log'>;

type Audit = (details: AuditDetails) => void;

export function connectorAdminRoutes(context: AdminContext): Pick<AdminHandlers, Names> {
  const { db, kinds, notifications } = context;
  return {
    listConnectors: async ({ query }) => {
      const filter = {
        organizationId: query.organization_id,
        customerId: query.customer_id,
        customerName: query.customer_name,
        kind: (await resolveKnownKind(db, kinds, query))?.key,
        status: query.status,
        loaded: kinds.all.map(({ key }) => key),
      };
      const { rows, meta } = await listAllConnectors(db, filter, query);
      const syncs = await readSync(db, rows);
      return { data: rows.map(listed => toAdminEntry(kinds, listed, syncs.get(listed.id))), meta };
    },

    getConnector: ({ params }) => readDetail(context, params.connector_id),

    resyncConnector: async ({ params, audit }) => {
      const stored = await requireAnyConnector(context, params.connector_id, audit);
      requireUsable(stored);
      await makeDue(db, stored);
      await notifications.notify(topics.syncDue);
      return readDetail(context, stored.id);
    },

    disableConnector: call => changeDisabled(context, call, call.params.connector_id, true),

    enableConnector: async call => {
      const detail = await changeDisabled(context, call, call.params.connector_id, false);
      await notifications.notify(topics.syncDue);
      return detail;
    },

    deleteConnector: async ({ caller, params, audit }) => {
      const presence = 'present_or_restorable';
      const stored = await requireAnyConnector(context, params.connector_id, audit, presence);
      await removeConnector(context, caller, stored);
    },
  };
}

/** Disables a connector or enables it again. Every process reads this with each use of the connector. */
async function changeDisabled(
  context: AdminContext,
  { caller, audit }: { readonly caller: AdminCaller; readonly audit: Audit },
  id: string,
  isDisabled: boolean,
): Promise<AdminConnectorDetail> {
  const stored = await requireAnyConnector(context, id, audit);
  await setDisabled(context.db, stored, isDisabled);
  logConnectorEvent(context.log, isDisabled ? 'connector_disabled' : 'connector_enabled', caller, stored);
  return readDetail(context, id);
}

async function requireAnyConnector(
  { db }: AdminContext,
  id: string,
  audit: Audit,
  presence?: Presence,
): Promise<StoredConnector> {
  const stored = await findAnyConnector(db, id, presence);
  if (stored === null) throw notFound();
  audit(aboutConnector(stored));
  return stored;
}

async function readDetail({ db, kinds }: AdminContext, id: string): Promise<AdminConnectorDetail> {
  const listed = await findListedConnector(db, id);
  if (listed === null) throw notFound();
  const syncs = await readSync(db, [listed]);
  return toAdminConnector(kinds, listed, syncs.get(id));
}

function notFound(): ConnectorAuthError {
  return new ConnectorAuthError('connector_not_found', 'No connector has this id');
}
