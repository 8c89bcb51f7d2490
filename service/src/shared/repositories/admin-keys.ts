import { randomUUID } from 'node:crypto';
import type { PageMeta } from '@connector-auth/api';
import { sql, type Kysely, type SqlBool } from 'kysely';
import { z } from 'zod';
import { decodeCursor, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';

export type StoredAdminKey = RowOf<typeof adminKeys>;

/** A key that is valid now. */
export interface LiveAdminKey extends Pick<StoredAdminKey, 'id' | 'name' | 'access'> {
  /** Whether `touchAdminKey` has anything to store. */
  readonly isTouchDue: boolean;
}

/** An SQL condition for keys that have not expired. */
export const isLive = sql<SqlBool>`(admin_keys.expires_at is null or admin_keys.expires_at > now())`;

/** An SQL expression for `LiveAdminKey.isTouchDue`. */
export const isTouchDue = sql<boolean>`(admin_keys.last_used_at is null
  or admin_keys.last_used_at < now() - interval '1 minute')`;

const columns = [
  'id',
  'name',
  'access',
  'created_at as createdAt',
  // Null if the key does not expire.
  'expires_at as expiresAt',
  // Accurate to a minute.
  'last_used_at as lastUsedAt',
] as const;

function adminKeys(db: Kysely<Tables>) {
  return db.selectFrom('admin_keys').select(columns);
}

/** Finds a key that has not expired. */
export async function findAdminKey(db: Kysely<Tables>, hash: string): Promise<LiveAdminKey | null> {
  const key = await db
    .selectFrom('admin_keys')
    .select(['id', 'name', 'access', isTouchDue.as('isTouchDue')])
    .where('hash', '=', hash)
    .where(isLive)
    .executeTakeFirst();
  return key ?? null;
}

/** Stores that a key was used, at most once a minute. */
export async function touchAdminKey(db: Kysely<Tables>, id: string): Promise<void> {
  const due = db
    .selectFrom('admin_keys')
    .select('id')
    .where('id', '=', id)
    .where(isTouchDue)
    // A key that is being deleted does not delay its requests.
    .forUpdate()
    .skipLocked();
  await db
    .updateTable('admin_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', 'in', due)
    .execute();
}

export async function insertAdminKey(
  db: Kysely<Tables>,
  key: Pick<StoredAdminKey, 'name' | 'access' | 'expiresAt'> & { readonly hash: string },
): Promise<StoredAdminKey> {
  const { name, access, expiresAt, hash } = key;
  return db
    .insertInto('admin_keys')
    .values({ id: randomUUID(), name, access, expires_at: expiresAt, hash })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

// PostgreSQL does not support the year 0000.
const position = z.tuple([z.iso.datetime().regex(/^(?!0000)/), z.uuid()]);

/** Returns a page of keys, newest first. */
export async function listAdminKeys(
  db: Kysely<Tables>,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ rows: readonly StoredAdminKey[]; meta: PageMeta }> {
  const before = decodeCursor(page.cursor, position);
  let query = adminKeys(db);
  if (before !== undefined) {
    query = query.where(sql<SqlBool>`(created_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`);
  }
  const found = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, last => [last.createdAt.toISOString(), last.id]);
}

/** Returns the ids of the keys that can change something, which no other transaction can delete meanwhile. */
export async function lockWriteKeys(transaction: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('admin_keys')
    .select('id')
    .where('access', '=', 'write')
    .where(isLive)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a key and, through a foreign key, its sessions. Returns false if it does not exist. */
export async function deleteAdminKey(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('admin_keys').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
