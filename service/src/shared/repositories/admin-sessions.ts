import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { isLive, isTouchDue, type LiveAdminKey } from './admin-keys.ts';

/** With what an operator signed in. */
export type SignedInWith = { readonly keyId: string } | { readonly adminTokenHash: string };

export interface StoredSession {
  readonly id: string;
  readonly expiresAt: Date;
  /** Whether `touchSession` has anything to store. */
  readonly isTouchDue: boolean;
  /** The key that the operator signed in with, or the hash of the `ADMIN_TOKEN`. */
  readonly of: LiveAdminKey | { readonly adminTokenHash: string };
}

/** From where an operator signed in. */
export interface SignInOrigin {
  readonly address: string;
  readonly userAgent: string | null;
}

/** An SQL condition for sessions that have not ended: they end after an hour without a request. */
const isOpen = sql<SqlBool>`(admin_sessions.expires_at > now()
  and admin_sessions.last_used_at > now() - interval '1 hour')`;

/** Finds a session that has not ended and whose key has not expired. */
export async function findSession(db: Kysely<Tables>, hash: string): Promise<StoredSession | null> {
  const row = await db
    .selectFrom('admin_sessions')
    .leftJoin('admin_keys', 'admin_keys.id', 'admin_sessions.key_id')
    .select(['admin_sessions.id', 'admin_sessions.expires_at', 'admin_token_hash'])
    .select(['admin_keys.id as key_id', 'admin_keys.name', 'admin_keys.access'])
    .select(isTouchDue.as('is_touch_due'))
    .select(sql<boolean>`admin_sessions.last_used_at < now() - interval '1 minute'`.as('is_own_touch_due'))
    .where('admin_sessions.hash', '=', hash)
    .where(isOpen)
    .where(isLive)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { admin_token_hash: adminTokenHash, key_id, name, access } = row;
  const session = { id: row.id, expiresAt: row.expires_at, isTouchDue: row.is_own_touch_due };
  if (adminTokenHash !== null) return { ...session, of: { adminTokenHash } };
  // A session without ADMIN_TOKEN has a key, because deleting the key deletes the session.
  if (key_id === null || name === null || access === null) return null;
  return { ...session, of: { id: key_id, name, access, isTouchDue: row.is_touch_due } };
}

/** Stores a session that ends after the given time, or earlier with its key. */
export async function insertSession(
  db: Kysely<Tables>,
  of: SignedInWith,
  session: SignInOrigin & { readonly hash: string; readonly lifetimeSeconds: number },
): Promise<{ readonly id: string; readonly expiresAt: Date; readonly lifetimeSeconds: number }> {
  const { hash, lifetimeSeconds, address, userAgent } = session;
  const owner = columnsOf(of);
  return db
    .insertInto('admin_sessions')
    .values({
      id: randomUUID(),
      hash,
      ...owner,
      address,
      user_agent: userAgent,
      expires_at: sql<Date>`least(now() + make_interval(secs => ${lifetimeSeconds}),
        (select expires_at from admin_keys where id = ${owner.key_id}::uuid))`,
    })
    .returning([
      'id',
      'expires_at as expiresAt',
      sql<number>`round(extract(epoch from expires_at - now()))::integer`.as('lifetimeSeconds'),
    ])
    .executeTakeFirstOrThrow();
}

/** Stores that a session was used. */
export async function touchSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('admin_sessions')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Returns the sessions of a key or an `ADMIN_TOKEN`: the last 100 that were used. */
export async function listSessions(db: Kysely<Tables>, of: SignedInWith) {
  const { key_id: keyId, admin_token_hash: adminTokenHash } = columnsOf(of);
  return db
    .selectFrom('admin_sessions')
    .select(['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent'])
    .where('key_id', 'is not distinct from', keyId)
    .where('admin_token_hash', 'is not distinct from', adminTokenHash)
    .where(isOpen)
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();
}

/** Deletes a session by its id, or by the hash of its secret. */
export async function deleteSession(
  db: Kysely<Tables>,
  session: { readonly id: string } | { readonly hash: string },
): Promise<void> {
  const [column, value] = 'id' in session ? (['id', session.id] as const) : (['hash', session.hash] as const);
  await db.deleteFrom('admin_sessions').where(column, '=', value).execute();
}

/**
 * Deletes every session of a key or, with null, of `ADMIN_TOKEN`, or only one of them. Returns false if there was none.
 */
export async function deleteSessionsOf(
  db: Kysely<Tables>,
  keyId: string | null,
  id?: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('admin_sessions')
    .where('key_id', 'is not distinct from', keyId)
    .$if(id !== undefined, query => query.where('id', '=', id ?? ''))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteEndedSessions(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('admin_sessions')
    .where(sql<SqlBool>`not ${isOpen}`)
    .execute();
}

function columnsOf(of: SignedInWith) {
  return 'keyId' in of
    ? { key_id: of.keyId, admin_token_hash: null }
    : { key_id: null, admin_token_hash: of.adminTokenHash };
}
