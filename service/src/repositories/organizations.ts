import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** The id of the organization with this name, made if there is none. */
export async function ensureOrganization(db: Transaction<Tables>, name: string): Promise<string> {
  const { id } = await db
    .insertInto('organizations')
    .values({ id: randomUUID(), name })
    // An update of nothing, so that the id comes back whoever was first.
    .onConflict(conflict => conflict.column('name').doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Name and settings of an organization. A token names it, and none is ever deleted. */
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

/** Sets how often an organization's connectors are synchronised; null for the operator's default. */
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
