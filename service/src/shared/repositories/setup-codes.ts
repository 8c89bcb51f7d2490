import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** Serializes everything that decides whether the service is set up, until the transaction ends. */
export async function lockSetUp(transaction: Kysely<Tables>): Promise<void> {
  // The number is arbitrary but must never change.
  await sql`select pg_advisory_xact_lock(5_530_117_303)`.execute(transaction);
}

/** Returns whether there is neither an application nor an admin key. */
export async function isNew(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    select not exists (select from applications) and not exists (select from admin_keys) as is_new`.execute(
    db,
  );
  return rows[0]?.is_new === true;
}

export async function insertSetUpCode(
  db: Kysely<Tables>,
  { hash, lifetimeSeconds }: { readonly hash: string; readonly lifetimeSeconds: number },
): Promise<void> {
  await db
    .insertInto('setup_codes')
    .values({ hash, expires_at: sql<Date>`now() + make_interval(secs => ${lifetimeSeconds})` })
    .execute();
}

export async function isLiveSetUpCode(db: Kysely<Tables>, hash: string): Promise<boolean> {
  const code = await db
    .selectFrom('setup_codes')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return code !== undefined;
}

export async function deleteSetUpCodes(db: Kysely<Tables>, which: 'all' | 'expired'): Promise<void> {
  await db
    .deleteFrom('setup_codes')
    .$if(which === 'expired', query => query.where('expires_at', '<=', sql<Date>`now()`))
    .execute();
}
