import { sql, type Kysely } from 'kysely';
import { SealError, type Sealer } from '../../platform/crypto/seal.ts';
import {
  keyIdIn,
  organizationIn,
  ownerIn,
  rowColumns,
  sealedPlaces,
  type SealedPlace,
  type SealOwner,
} from '../../platform/crypto/sealed-columns.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';

/** Above 100, so that a full batch of connectors sends a single notification; see decision 0046. */
const batchSize = 200;

interface Row {
  /** The location of this version of the row in its table. */
  readonly location: string;
  readonly organizationId: string;
  readonly row: string;
  readonly owner: SealOwner;
  readonly sealed: Uint8Array;
}

/**
 * Re-encrypts all values that were sealed with an older key, so that the older key can be removed from the
 * configuration. Skips values that cannot be decrypted. Can run in several processes at once and while values change, and can be interrupted at any point.
 * @throws if the database is unavailable.
 */
export async function reencryptOldValues(
  kysely: Kysely<Tables>,
  sealer: Sealer,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (const place of sealedPlaces) {
    const count = await reencryptColumn(kysely, sealer, place, stop);
    const { table, column } = place;
    if (count > 0) log.info('values_resealed', { table, column, count });
  }
}

async function reencryptColumn(
  kysely: Kysely<Tables>,
  sealer: Sealer,
  place: SealedPlace,
  stop: AbortSignal,
): Promise<number> {
  const { table, column, sealedFor } = place;
  const [value, rowName] = [sql.ref(column), sql.ref(rowColumns[table])];
  const organization = organizationIn(table);
  let count = 0;
  // Several grants of one connector can wait for their revocation.
  let last: Pick<Row, 'organizationId' | 'row' | 'sealed'> = {
    organizationId: '00000000-0000-0000-0000-000000000000',
    row: '',
    sealed: new Uint8Array(),
  };
  while (!stop.aborted) {
    const { rows } = await sql<Row>`
      select ctid::text as location, ${organization} as "organizationId", ${rowName}::text as row, ${ownerIn(table)} as owner,
        ${value} as sealed
      from ${sql.table(table)}
      where ${value} is not null
        and ${keyIdIn(column)} <> ${sealer.keyIds[0]}
        and (${organization}, ${rowName}::text, ${value}) > (${last.organizationId}, ${last.row}, ${last.sealed})
      order by ${organization}, ${rowName}::text, ${value}
      limit ${batchSize}`.execute(kysely);
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end;
    const replacements = rows.flatMap(found => {
      const { organizationId, row, owner, sealed } = found;
      const resealed = reseal(sealer, sealed, { ...sealedFor, organizationId, row, owner });
      return resealed === null ? [] : [{ ...found, resealed }];
    });
    const replaced = await replaceUnlocked(kysely, place, replacements);
    count += replaced.size;
    // A statement that holds several rows must not wait for another one, because that can be a deadlock.
    for (const { location, organizationId, row, sealed, resealed } of replacements) {
      if (replaced.has(location)) continue;
      // The update applies only if the value has not been replaced in the meantime.
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${value} = ${resealed}
        where ${organization} = ${organizationId} and ${rowName} = ${row} and ${value} = ${sealed}`.execute(
        kysely,
      );
      count += Number(numAffectedRows ?? 0);
    }
  }
  return count;
}

/**
 * Replaces the values of rows that no other transaction has locked or changed, in one statement. Returns the locations
 * of these rows.
 */
async function replaceUnlocked(
  kysely: Kysely<Tables>,
  { table, column }: SealedPlace,
  replacements: readonly (Row & { readonly resealed: Uint8Array })[],
): Promise<ReadonlySet<string>> {
  const value = sql.ref(`target.${column}`);
  const { rows } = await sql<{ location: string }>`
    with replacement as materialized (
      select location, sealed, resealed
      from unnest(
          ${replacements.map(({ location }) => location)}::tid[],
          ${replacements.map(({ sealed }) => sealed)}::bytea[],
          ${replacements.map(({ resealed }) => resealed)}::bytea[]
        ) as input (location, sealed, resealed)
        join ${sql.table(table)} as target on target.ctid = location and ${value} = sealed
      for update of target skip locked
    )
    update ${sql.table(table)} as target set ${sql.ref(column)} = resealed
    from replacement where target.ctid = location and ${value} = sealed
    returning location::text as location`.execute(kysely);
  return new Set(rows.map(({ location }) => location));
}

function reseal(sealer: Sealer, sealed: Uint8Array, place: Parameters<Sealer['open']>[1]): Buffer | null {
  try {
    return sealer.seal(sealer.open(sealed, place), place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
