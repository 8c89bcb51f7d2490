import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { topics } from '../../platform/notifications/topics.ts';
import type { Call } from '../../shared/http/handler.ts';
import { cancelDeletion, findConnector } from '../../shared/repositories/connectors.ts';
import { requireConnector } from '../../shared/tenancy/connectors.ts';
import { lockCustomerOf } from '../../shared/tenancy/customers.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { requireRoom } from './create.ts';
import { reread } from './reread.ts';

/**
 * Undoes the deletion of a connector that was deleted with `undo_seconds`, within that time. Returns the connector unchanged if it
 * is not deleted.
 * @throws ConnectorAuthError `management_not_allowed` if the token may not delete connectors; `source_not_allowed`;
 * `connector_not_found` if there is nothing to undo any more; `connector_frozen`; `too_many_connectors`.
 */
export async function restoreConnector(
  context: ConnectorsContext,
  { caller, params, language, audit }: Call<'restoreConnector'>,
): Promise<Connector> {
  caller.rights.requireManagement('delete');
  const { stored, kind } = await requireConnector(context, { caller, audit }, params.id, 'delete');
  const { customerName } = stored;
  const restored = await context.db.transaction().execute(async transaction => {
    await lockCustomerOf(transaction, caller.tenant, customerName);
    const present = await findConnector(transaction, stored, stored.id);
    // A repeated request.
    if (present !== null) return present;
    // The customer may have connected others since.
    await requireRoom(transaction, context, caller, customerName);
    if (!(await cancelDeletion(transaction, stored)))
      throw new ConnectorAuthError('connector_not_found', 'No deletion of this connector can be undone');
    return reread(transaction, stored);
  });
  await context.notifications.notify(topics.syncDue);
  return toRecord(context, kind, restored, language);
}
