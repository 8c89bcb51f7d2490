import { sql, type Kysely } from 'kysely';
import { SealError, type Sealer } from '../../platform/crypto/seal.ts';
import {
  formatIn,
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

const batchSize = 100;

interface Row {
  readonly organizationId: string;
  readonly row: string;
  readonly owner: SealOwner;
  readonly sealed: Uint8Array;
}

/**
 * Re-encrypts all values that were sealed with an older key, so that the older key can be removed from the
 * configuration, or in an older format, which does not bind them to their owner. Skips values that cannot be
 * decrypted. Can run in several processes at once and while values change, and can be interrupted at any point.
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
      select ${organization} as "organizationId", ${rowName}::text as row, ${ownerIn(table)} as owner,
        ${value} as sealed
      from ${sql.table(table)}
      where ${value} is not null
        and (${keyIdIn(column)} <> ${sealer.keyIds[0]} or ${formatIn(column)} < ${sealer.format})
        and (${organization}, ${rowName}::text, ${value}) > (${last.organizationId}, ${last.row}, ${last.sealed})
      order by ${organization}, ${rowName}::text, ${value}
      limit ${batchSize}`.execute(kysely);
    for (const { organizationId, row, owner, sealed } of rows) {
      const resealed = reseal(sealer, sealed, { ...sealedFor, organizationId, row, owner });
      if (resealed === null) continue;
      // The update applies only if the value has not been replaced in the meantime.
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${value} = ${resealed}
        where ${organization} = ${organizationId} and ${rowName} = ${row} and ${value} = ${sealed}`.execute(
        kysely,
      );
      count += Number(numAffectedRows ?? 0);
    }
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end;
  }
  return count;
}

function reseal(sealer: Sealer, sealed: Uint8Array, place: Parameters<Sealer['open']>[1]): Buffer | null {
  try {
    return sealer.seal(sealer.open(sealed, place), place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
