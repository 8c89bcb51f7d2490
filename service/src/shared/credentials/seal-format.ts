import { sql, type Kysely } from 'kysely';
import type { SealFormat } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';

/** A migration of the first version that can read format 2. */
const migration = '0012_connectors_by_account';
/** How long processes of an earlier version may still be running after that migration. */
const maxOverlapMs = 3_600_000;

/**
 * Returns the function that determines the format of newly sealed values: format 2, but format 1 for an hour
 * after an update, because processes of the earlier version may still be running and cannot read format 2.
 */
export async function readSealFormat(
  kysely: Kysely<Tables>,
  { now }: { readonly now: () => number },
): Promise<() => SealFormat> {
  const { rows } = await sql<{ appliedMs: number; isNewDatabase: boolean }>`
    select (extract(epoch from applied_at) * 1000)::float8 as "appliedMs",
      -- Migrations that are applied together have the same time.
      applied_at = (select min(applied_at) from migrations) as "isNewDatabase"
    from migrations where name = ${migration}`.execute(kysely);
  const [update] = rows;
  if (update === undefined || update.isNewDatabase) return () => 2;
  return () => (now() < update.appliedMs + maxOverlapMs ? 1 : 2);
}
