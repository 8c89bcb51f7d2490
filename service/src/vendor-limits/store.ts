import { backgroundShare, reservedForInteractive, type Bucket } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** What a bucket gave: for each request the milliseconds until it may go (negative: at once), or how long to wait before asking again. */
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
  bucket: Bucket,
  count: number,
  longestWaitMs: number,
): Promise<Reservation> {
  const { rows } = await sql<{ before_ms: number }>`
    insert into vendor_limits as bucket (key, full_at)
    values (${key}, clock_timestamp() + ${costOf(bucket, count)})
    on conflict (key) do update
    set full_at = greatest(bucket.full_at, clock_timestamp()) + ${costOf(bucket, count)}
    where ${isInLineWithin(bucket, longestWaitMs)}
    returning ${beforeMs(bucket, count)}
  `.execute(db);
  const [row] = rows;
  if (row !== undefined) return reserved(bucket, count, row.before_ms);
  const { inLineMs } = await readWaits(db, key, bucket);
  return { isReserved: false, waitMs: inLineMs };
}

/**
 * The same for background requests: they are given what can go at once and leaves enough to interactive ones; or a single one, like an
 * interactive one, when none was let through for a while.
 */
export async function reserveInBackground(
  db: Kysely<Tables>,
  key: string,
  bucket: Bucket,
  count: number,
  longestWaitMs: number,
): Promise<Reservation> {
  const spare = bucket.burst - reservedForInteractive(bucket) - count;
  const isShareDue = sql`${count === 1} and ${isInLineWithin(bucket, longestWaitMs)}
    and coalesce(bucket.background_at + ${costOf(bucket, backgroundShare)} <= clock_timestamp(), true)`;
  const { rows } = await sql<{ before_ms: number }>`
    insert into vendor_limits as bucket (key, full_at, background_at)
    values (${key}, clock_timestamp() + ${costOf(bucket, count)}, clock_timestamp())
    on conflict (key) do update
    set full_at = greatest(bucket.full_at, clock_timestamp()) + ${costOf(bucket, count)}, background_at = clock_timestamp()
    where bucket.full_at <= clock_timestamp() + ${costOf(bucket, spare)} or (${isShareDue})
    returning ${beforeMs(bucket, count)}
  `.execute(db);
  const [row] = rows;
  if (row !== undefined) return reserved(bucket, count, row.before_ms);
  if (count > 1) return reserveInBackground(db, key, bucket, 1, longestWaitMs);
  const { fullInMs, inLineMs, sinceBackgroundMs } = await readWaits(db, key, bucket);
  const costMs = 1000 / bucket.perSecond;
  const untilShareMs = Math.max(backgroundShare * costMs - sinceBackgroundMs, inLineMs - longestWaitMs);
  return { isReserved: false, waitMs: Math.max(0, Math.min(fullInMs - spare * costMs, untilShareMs)) };
}

/** A bucket that is full is the same as one that nobody knows. */
export async function deleteFullBuckets(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('vendor_limits')
    .where('full_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
}

/** The time in which so many requests flow back into the bucket. */
function costOf({ perSecond }: Bucket, count: number) {
  return sql`make_interval(secs => ${count / perSecond})`;
}

/** Whether a request that stands in line now gets its turn soon enough. */
function isInLineWithin({ burst, perSecond }: Bucket, longestWaitMs: number) {
  // Infinity is no interval; a century is as long.
  const slackMs = Math.min(longestWaitMs, 3e12) + ((burst - 1) * 1000) / perSecond;
  return sql`bucket.full_at <= clock_timestamp() + make_interval(secs => ${slackMs / 1000})`;
}

function beforeMs({ perSecond }: Bucket, count: number) {
  return sql`extract(epoch from full_at - clock_timestamp())::float8 * 1000 - ${(count * 1000) / perSecond}::float8 as before_ms`;
}

function reserved({ burst, perSecond }: Bucket, count: number, before: number): Reservation {
  const waitsMs = Array.from(
    { length: count },
    (_, index) => before + ((index + 1 - burst) * 1000) / perSecond,
  );
  return { isReserved: true, waitsMs };
}

async function readWaits(db: Kysely<Tables>, key: string, { burst, perSecond }: Bucket) {
  const row = await db
    .selectFrom('vendor_limits')
    .select([
      sql<number>`extract(epoch from full_at - clock_timestamp())::float8 * 1000`.as('fullInMs'),
      sql<number>`coalesce(extract(epoch from clock_timestamp() - background_at)::float8 * 1000, 'Infinity')`.as(
        'sinceBackgroundMs',
      ),
    ])
    .where('key', '=', key)
    .executeTakeFirst();
  const { fullInMs, sinceBackgroundMs } = row ?? { fullInMs: 0, sinceBackgroundMs: Infinity };
  return { fullInMs, sinceBackgroundMs, inLineMs: Math.max(0, fullInMs + ((1 - burst) * 1000) / perSecond) };
}
