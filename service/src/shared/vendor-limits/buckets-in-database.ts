import {
  backgroundShare,
  reservedForInteractive,
  type Bucket,
  type BucketStore,
  type Reservation,
  type ReservationRequest,
} from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

const cleanupEvery = 1_000;

/** Stores buckets in the database, for all processes together. */
export function bucketsInDatabase(db: Kysely<Tables>): BucketStore {
  let reservations = 0;
  const counted = async (reservation: Promise<Reservation>): Promise<Reservation> => {
    const result = await reservation;
    if (++reservations % cleanupEvery === 0) await deleteFullBuckets(db);
    return result;
  };
  return {
    reserve: request => counted(reserve(db, request)),
    reserveInBackground: request => counted(reserveInBackground(db, request)),
    refund: async (key, bucket) => {
      await sql`update vendor_limits set full_at = full_at - ${costOf(bucket, 1)} where key = ${key}`.execute(
        db,
      );
    },
  };
}

/** Reserves the next requests from a bucket in one statement, based on the database's clock. */
async function reserve(
  db: Kysely<Tables>,
  { key, bucket, count, maxWaitMs }: ReservationRequest,
): Promise<Reservation> {
  const { rows } = await sql<{ before_ms: number }>`
    insert into vendor_limits as bucket (key, full_at)
    values (${key}, clock_timestamp() + ${costOf(bucket, count)})
    on conflict (key) do update
    set full_at = greatest(bucket.full_at, clock_timestamp()) + ${costOf(bucket, count)}
    where ${canSendWithin(bucket, maxWaitMs)}
    returning ${beforeMs(bucket, count)}
  `.execute(db);
  const [row] = rows;
  if (row !== undefined) return reserved(bucket, count, row.before_ms);
  const { queuedMs } = await readWaits(db, key, bucket);
  return { isReserved: false, waitMs: queuedMs };
}

async function reserveInBackground(
  db: Kysely<Tables>,
  { key, bucket, count, maxWaitMs }: ReservationRequest,
): Promise<Reservation> {
  const spare = bucket.burst - reservedForInteractive(bucket) - count;
  const isShareDue = sql`${count === 1} and ${canSendWithin(bucket, maxWaitMs)}
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
  if (count > 1) return reserveInBackground(db, { key, bucket, count: 1, maxWaitMs });
  const { fullInMs, queuedMs, sinceBackgroundMs } = await readWaits(db, key, bucket);
  const costMs = 1000 / bucket.perSecond;
  const untilShareMs = Math.max(backgroundShare * costMs - sinceBackgroundMs, queuedMs - maxWaitMs);
  return { isReserved: false, waitMs: Math.max(0, Math.min(fullInMs - spare * costMs, untilShareMs)) };
}

/** Deletes full buckets, because a missing bucket counts as full. */
export async function deleteFullBuckets(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('vendor_limits')
    .where('full_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
}

/** Returns the time that the bucket needs to regain the capacity for this many requests. */
function costOf({ perSecond }: Bucket, count: number) {
  return sql`make_interval(secs => ${count / perSecond})`;
}

/** Returns an SQL condition for whether a request that is queued now can be sent within the time limit. */
function canSendWithin({ burst, perSecond }: Bucket, maxWaitMs: number) {
  // Limited to about a century, because PostgreSQL does not accept Infinity.
  const slackMs = Math.min(maxWaitMs, 3e12) + ((burst - 1) * 1000) / perSecond;
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
  return { fullInMs, sinceBackgroundMs, queuedMs: Math.max(0, fullInMs + ((1 - burst) * 1000) / perSecond) };
}
