import type { Kind } from '@connector-auth/connectors/kind';
import type { VendorAccess } from '../credentials/connection.ts';
import { revokeGrant } from '../credentials/revoke.ts';
import { openGrant } from '../credentials/sealed-grant.ts';
import { deleteConnector, isAccountShared, type StoredConnector } from '../repositories/connectors.ts';

/**
 * Deletes a connector with everything that hangs on it, and ends its grant at the vendor where the vendor has a way to. A grant of an
 * account that another connector stands for is left alone: some vendors end all grants of an account together.
 */
export async function disconnect(access: VendorAccess, kind: Kind, stored: StoredConnector): Promise<void> {
  await deleteConnector(access.db, stored);
  await revokeDeleted(access, kind, stored);
}

/** Ends the grant of a connector that was deleted, as {@link disconnect} does. */
export async function revokeDeleted(
  access: VendorAccess,
  kind: Kind,
  stored: StoredConnector,
): Promise<void> {
  if (await isAccountShared(access.db, stored)) return;
  const choice = access.apps.choose(stored.organizationId, kind, stored.sealedApp);
  await revokeGrant(access, kind, choice, openGrant(access.sealer, stored));
}
