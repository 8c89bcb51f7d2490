import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { requireFuture } from '../../platform/database/future.ts';
import type { Tables } from '../../platform/database/tables.ts';
import {
  deleteAdminKey,
  insertAdminKey,
  lockWriteKeys,
  type StoredAdminKey,
} from '../../shared/repositories/admin-keys.ts';
import { generateAdminKey, hashOf } from './secrets.ts';

/** A key with its secret, which is not stored. */
export type NewAdminKey = StoredAdminKey & { readonly secret: string };

/** @throws ConnectorAuthError `malformed_request` if the expiry is not in the future. */
export async function createAdminKey(
  db: Kysely<Tables>,
  wanted: {
    readonly name: string;
    readonly access: 'read' | 'write';
    readonly expiresAt: string | undefined;
  },
): Promise<NewAdminKey> {
  const { name, access, expiresAt } = wanted;
  const secret = generateAdminKey();
  const stored = await insertAdminKey(db, {
    name,
    access,
    expiresAt: expiresAt === undefined ? null : await requireFuture(db, 'expires_at', expiresAt),
    hash: hashOf(secret),
  });
  return { ...stored, secret };
}

/**
 * Deletes a key and ends its sessions.
 * @param options.mayBeLast whether the last key that can change something can be deleted.
 * @throws ConnectorAuthError `admin_key_not_found` or `last_admin_key`.
 */
export async function removeAdminKey(
  db: Kysely<Tables>,
  id: string,
  { mayBeLast }: { readonly mayBeLast: boolean },
): Promise<void> {
  await db.transaction().execute(async transaction => {
    const writeKeys = await lockWriteKeys(transaction);
    if (!mayBeLast && writeKeys.length === 1 && writeKeys[0] === id) {
      throw new ConnectorAuthError(
        'last_admin_key',
        'This is the last admin key that can change anything. Create another one first, or repeat the request with force=true and then set ADMIN_TOKEN to get access again',
      );
    }
    if (await deleteAdminKey(transaction, id)) return;
    throw new ConnectorAuthError('admin_key_not_found', 'No admin key has this id');
  });
}
