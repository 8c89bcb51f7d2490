import type { AdminCaller } from '../auth/admin-caller.ts';
import type { Caller } from '../auth/caller.ts';
import { frozenError } from '../credentials/usable.ts';
import { grantMethods } from '../definitions/grant-methods.ts';
import { notifyRevocationsDue } from '../notifications/revocations-due.ts';
import { deleteConnector, findConnector, type StoredConnector } from '../repositories/connectors.ts';
import { queueUnusedGrants } from '../repositories/grant-revocations.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';

/**
 * Deletes a connector with its records, and queues its grant for revocation at the vendor.
 * @throws ConnectorAuthError `connector_frozen`.
 */
export async function removeConnector(
  { db, kinds, notifications, log }: Pick<ConnectorsContext, 'db' | 'kinds' | 'notifications' | 'log'>,
  caller: Caller | AdminCaller,
  stored: StoredConnector,
): Promise<void> {
  await db.transaction().execute(async transaction => {
    const deleted = await deleteConnector(transaction, stored);
    if (deleted === null) {
      if ((await findConnector(transaction, stored, stored.id)) === null) return;
      throw frozenError('This connector is');
    }
    await queueUnusedGrants(transaction, grantMethods(kinds), [{ ...stored, ...deleted }]);
  });
  logConnectorEvent(log, 'connector_deleted', caller, stored);
  await notifyRevocationsDue(notifications);
}
