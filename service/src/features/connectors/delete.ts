import { notifyRevocationsDue } from '../../platform/notifications/revocations-due.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { frozenError } from '../../shared/credentials/usable.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import {
  deleteConnector,
  findConnector,
  type StoredConnector,
} from '../../shared/repositories/connectors.ts';
import { queueUnusedGrants } from '../../shared/repositories/grant-revocations.ts';
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
