import type { AdminCaller } from '../auth/admin-caller.ts';
import type { Caller } from '../auth/caller.ts';
import { frozenError } from '../credentials/usable.ts';
import { deleteConnector, type StoredConnector } from '../repositories/connectors.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';

/**
 * Deletes a connector with its records, and revokes its grant at the vendor.
 * @throws ConnectorAuthError `connector_frozen`.
 */
export async function removeConnector(
  { db, kinds, credentials, log }: Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials' | 'log'>,
  caller: Caller | AdminCaller,
  stored: StoredConnector,
): Promise<void> {
  if (!(await deleteConnector(db, stored))) throw frozenError('This connector is');
  logConnectorEvent(log, 'connector_deleted', caller, stored);
  const kind = kinds.byKey(stored.kind);
  if (kind !== null) await credentials.revoke(kind, stored);
}
