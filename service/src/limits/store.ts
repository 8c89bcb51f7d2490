import { sql, type Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** What a bucket gave: for each request the milliseconds until it may go (negative: at once), or how long the first would wait. */
export type Reservation =
  | { readonly isReserved: true; readonly waitsMs: readonly number[] }
  | { readonly isReserved: false; readonly waitMs: number };

/**
 * Reserves the next `count` requests of a bucket, unless the first would have to wait longer than `longestWaitMs`. One statement, by
 * the database's clock.
 */
export async function reserve(
  db: Kysely<Tables>,
  key: string,
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  count: number,
  longestWaitMs: number,
): Promise<Reservation> {
  const costMs = 1000 / perSecond;
  // Infinity is no interval; a century is as long.
  const slackMs = Math.min(longestWaitMs, 3e12) + (burst - 1) * costMs;
  const { rows } = await sql<{ before_ms: number }>`
    insert into vendor_limits as bucket (key, full_at)
    values (${key}, clock_timestamp() + make_interval(secs => ${(count * costMs) / 1000}))
    on conflict (key) do update
    set full_at = greatest(bucket.full_at, clock_timestamp()) + make_interval(secs => ${(count * costMs) / 1000})
    where bucket.full_at <= clock_timestamp() + make_interval(secs => ${slackMs / 1000})
    returning extract(epoch from full_at - clock_timestamp())::float8 * 1000 - ${count * costMs}::float8 as before_ms
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return { isReserved: false, waitMs: await readWaitMs(db, key, burst, costMs) };
  const waitsMs = Array.from({ length: count }, (_, index) => row.before_ms + (index + 1 - burst) * costMs);
  return { isReserved: true, waitsMs };
}

/** A bucket that is full is the same as one that nobody knows. */
export async function forgetFullBuckets(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('vendor_limits')
    .where('full_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
}

async function readWaitMs(db: Kysely<Tables>, key: string, burst: number, costMs: number): Promise<number> {
  const row = await db
    .selectFrom('vendor_limits')
    .select(sql<number>`extract(epoch from full_at - clock_timestamp())::float8 * 1000`.as('fullInMs'))
    .where('key', '=', key)
    .executeTakeFirst();
  return Math.max(0, (row?.fullInMs ?? 0) + (1 - burst) * costMs);
}
