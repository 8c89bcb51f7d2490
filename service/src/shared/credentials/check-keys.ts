import { sql, type Kysely } from 'kysely';
import { SealError, type Sealer } from '../../platform/crypto/seal.ts';
import {
  columnsFor,
  keyIdIn,
  organizationIn,
  ownerIn,
  rowColumns,
  sealedPlaces,
  type SealedPlace,
  type SealOwner,
} from '../../platform/crypto/sealed-columns.ts';
import type { Tables } from '../../platform/database/tables.ts';

/**
 * The check tries several values per key because a single value can be damaged. A wrong key decrypts none of
 * them.
 */
const maxTriedValues = 3;

/**
 * Checks that the configured keys can decrypt the sealed values in the database, also before it is migrated.
 * @throws Error with a message for the operator. The message lists the id of each key that is missing or
 * differs from the configured key with the same id.
 */
export async function checkEncryptionKeys(kysely: Kysely<Tables>, sealer: Sealer): Promise<void> {
  const missing = new Set<string>();
  const wrong = new Set<string>();
  for (const { place, keyId } of await readKeyIds(kysely, await existingPlaces(kysely))) {
    if (!sealer.keyIds.includes(keyId)) missing.add(keyId);
    else if (!(await opens(kysely, sealer, place, keyId))) wrong.add(keyId);
  }
  if (missing.size > 0) {
    throw new Error(
      `The database contains values encrypted with keys that are not configured: ${[...missing].join(', ')}. ` +
        'Add them to ENCRYPTION_KEYS after the active key (or restore the key file of the data folder).',
    );
  }
  if (wrong.size > 0) {
    throw new Error(
      `Some values in the database cannot be decrypted with the configured keys that have these ids: ${[...wrong].join(', ')}. ` +
        'The values were encrypted with different keys that had the same ids. Restore those keys in ENCRYPTION_KEYS (or restore the key file of the data folder), and give each new key a new id.',
    );
  }
}

/** Returns the number of sealed values for each key id that the database contains. */
export async function countValuesByKey(kysely: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, column } of await existingPlaces(kysely)) {
    const { rows } = await sql<{ id: string; values: number }>`
      select ${keyIdIn(column)} as id, count(*)::int as values from ${sql.table(table)}
      where ${sql.ref(column)} is not null group by 1`.execute(kysely);
    for (const { id, values } of rows) counts.set(id, (counts.get(id) ?? 0) + values);
  }
  return counts;
}

/** Returns the places that the database has: one of an earlier version lacks some until it is migrated. */
async function existingPlaces(kysely: Kysely<Tables>): Promise<readonly SealedPlace[]> {
  const { rows } = await sql<{ name: string }>`
    select relname || '.' || attname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attnum > 0
      and relname = any(${sealedPlaces.map(({ table }) => table)})`.execute(kysely);
  const names = new Set(rows.map(({ name }) => name));
  return sealedPlaces.filter(place =>
    columnsFor(place).every(column => names.has(`${place.table}.${column}`)),
  );
}

/** Returns the ids of the keys with which the values of each place are sealed. Reads all places with one statement. */
async function readKeyIds(
  kysely: Kysely<Tables>,
  places: readonly SealedPlace[],
): Promise<{ place: SealedPlace; keyId: string }[]> {
  const selects = places.map(
    ({ table, column }, index) => sql`
      select ${sql.lit(index)} as index, ${keyIdIn(column)} as id from ${sql.table(table)}
      where ${sql.ref(column)} is not null`,
  );
  if (selects.length === 0) return [];
  const { rows } = await sql<{
    index: number;
    id: string;
  }>`${sql.join(selects, sql` union `)} order by 1, 2`.execute(kysely);
  return rows.flatMap(({ index, id }) => places.slice(index, index + 1).map(place => ({ place, keyId: id })));
}

/**
 * Returns whether the configured key decrypts at least one of up to `maxTriedValues` values sealed under its
 * id.
 */
async function opens(
  kysely: Kysely<Tables>,
  sealer: Sealer,
  place: SealedPlace,
  keyId: string,
): Promise<boolean> {
  const { table, column, sealedFor } = place;
  const { rows } = await sql<{ organizationId: string; row: string; owner: SealOwner; sealed: Uint8Array }>`
    select ${organizationIn(table)} as "organizationId", ${sql.ref(rowColumns[table])} as row,
      ${ownerIn(table)} as owner, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${keyIdIn(column)} = ${keyId}
    limit ${maxTriedValues}`.execute(kysely);
  return (
    rows.length === 0 ||
    rows.some(({ organizationId, row, owner, sealed }) => {
      try {
        sealer.open(sealed, { ...sealedFor, organizationId, row, owner });
        return true;
      } catch (error) {
        if (error instanceof SealError) return false;
        throw error;
      }
    })
  );
}
