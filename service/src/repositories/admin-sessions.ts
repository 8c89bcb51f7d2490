import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { isLive, isTouchDue, type LiveAdminKey } from './admin-keys.ts';

/** With what an operator signed in. */
export type SignedInWith = { readonly keyId: string } | { readonly adminTokenHash: string };

export interface StoredSession {
  readonly id: string;
  readonly expiresAt: Date;
  /** The key that the operator signed in with, or the hash of the `ADMIN_TOKEN`. */
  readonly of: LiveAdminKey | { readonly adminTokenHash: string };
}

/** Finds a session that has not ended and whose key has not expired. */
export async function findSession(db: Kysely<Tables>, hash: string): Promise<StoredSession | null> {
  const row = await db
    .selectFrom('admin_sessions')
    .leftJoin('admin_keys', 'admin_keys.id', 'admin_sessions.key_id')
    .select(['admin_sessions.id', 'admin_sessions.expires_at', 'admin_token_hash'])
    .select(['admin_keys.id as key_id', 'admin_keys.name', 'admin_keys.access'])
    .select(isTouchDue.as('is_touch_due'))
    .where('admin_sessions.hash', '=', hash)
    .where('admin_sessions.expires_at', '>', sql<Date>`now()`)
    .where(isLive)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, expires_at: expiresAt, admin_token_hash: adminTokenHash, key_id, name, access } = row;
  if (adminTokenHash !== null) return { id, expiresAt, of: { adminTokenHash } };
  // A session without ADMIN_TOKEN has a key, because deleting the key deletes the session.
  if (key_id === null || name === null || access === null) return null;
  return { id, expiresAt, of: { id: key_id, name, access, isTouchDue: row.is_touch_due } };
}

/** Stores a session that ends after the given time, or earlier with its key. */
export async function insertSession(
  db: Kysely<Tables>,
  of: SignedInWith,
  { hash, lifetimeSeconds }: { readonly hash: string; readonly lifetimeSeconds: number },
): Promise<{ readonly id: string; readonly expiresAt: Date; readonly lifetimeSeconds: number }> {
  const keyId = 'keyId' in of ? of.keyId : null;
  return db
    .insertInto('admin_sessions')
    .values({
      id: randomUUID(),
      hash,
      key_id: keyId,
      admin_token_hash: 'keyId' in of ? null : of.adminTokenHash,
      expires_at: sql<Date>`least(now() + make_interval(secs => ${lifetimeSeconds}),
        (select expires_at from admin_keys where id = ${keyId}::uuid))`,
    })
    .returning([
      'id',
      'expires_at as expiresAt',
      sql<number>`round(extract(epoch from expires_at - now()))::integer`.as('lifetimeSeconds'),
    ])
    .executeTakeFirstOrThrow();
}

export async function deleteSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('admin_sessions').where('id', '=', id).execute();
}

/** Deletes every session of a key or, with null, of `ADMIN_TOKEN`. */
export async function deleteSessionsOf(db: Kysely<Tables>, keyId: string | null): Promise<void> {
  await db.deleteFrom('admin_sessions').where('key_id', 'is not distinct from', keyId).execute();
}

export async function deleteEndedSessions(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('admin_sessions')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute();
}
