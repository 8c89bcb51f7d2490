import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from '../database/tables.ts';

export interface StoredAdminKey {
  readonly id: string;
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly createdAt: Date;
  /** Null if the key does not expire. */
  readonly expiresAt: Date | null;
  /** Accurate to a minute. */
  readonly lastUsedAt: Date | null;
}

/** A key that is valid now. */
export interface LiveAdminKey extends Pick<StoredAdminKey, 'id' | 'name' | 'access' | 'expiresAt'> {
  /** Whether `touchAdminKey` has anything to store. */
  readonly isTouchDue: boolean;
}

const isLive = sql<SqlBool>`(admin_keys.expires_at is null or admin_keys.expires_at > now())`;
const isTouchDue = sql<boolean>`(admin_keys.last_used_at is null
  or admin_keys.last_used_at < now() - interval '1 minute')`;
const liveKeyColumns = [
  'admin_keys.id',
  'admin_keys.name',
  'admin_keys.access',
  'admin_keys.expires_at as expiresAt',
] as const;

/** Finds a key that has not expired. */
export async function findAdminKey(db: Kysely<Tables>, hash: string): Promise<LiveAdminKey | null> {
  const key = await db
    .selectFrom('admin_keys')
    .select([...liveKeyColumns, isTouchDue.as('isTouchDue')])
    .where('hash', '=', hash)
    .where(isLive)
    .executeTakeFirst();
  return key ?? null;
}

/** Stores that a key was used, at most once a minute. */
export async function touchAdminKey(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('admin_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isTouchDue)
    .execute();
}

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
    .select(['admin_sessions.id', 'admin_sessions.expires_at', 'admin_token_hash', 'admin_keys.id as key_id'])
    .select(['admin_keys.name', 'admin_keys.access', 'admin_keys.expires_at as key_expires_at'])
    .select(isTouchDue.as('is_touch_due'))
    .where('admin_sessions.hash', '=', hash)
    .where('admin_sessions.expires_at', '>', sql<Date>`now()`)
    .where(isLive)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, expires_at: expiresAt, key_id, name, access, admin_token_hash } = row;
  if (admin_token_hash !== null) return { id, expiresAt, of: { adminTokenHash: admin_token_hash } };
  // A session without ADMIN_TOKEN has a key, because deleting the key deletes the session.
  if (key_id === null || name === null || access === null) return null;
  const key = { id: key_id, name, access, expiresAt: row.key_expires_at, isTouchDue: row.is_touch_due };
  return { id, expiresAt, of: key };
}
