import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Returns the id of the organization with this name, creating it if needed. */
export async function ensureOrganization(db: Transaction<Tables>, name: string): Promise<string> {
  const { id } = await db
    .insertInto('organizations')
    .values({ id: randomUUID(), name })
    // This update changes nothing, but makes the statement return the id if another process inserted the row
    // first.
    .onConflict(conflict => conflict.column('name').doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns an organization's settings. Organizations are never deleted, so the organization id in a token
 * always exists.
 */
export async function findOrganization(
  db: Kysely<Tables>,
  id: string,
): Promise<{ readonly name: string; readonly syncIntervalMinutes: number | null }> {
  return db
    .selectFrom('organizations')
    .select(['name', 'sync_interval_minutes as syncIntervalMinutes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Sets an organization's sync interval. A null interval restores the operator's default. */
export async function saveSyncInterval(
  db: Kysely<Tables>,
  id: string,
  minutes: number | null,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ sync_interval_minutes: minutes })
    .where('id', '=', id)
    .execute();
}
