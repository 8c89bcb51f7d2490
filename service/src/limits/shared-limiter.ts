import type { Clock, Limiter } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { forgetFullBuckets, reserve } from './store.ts';

type Bucket = Parameters<Limiter['take']>[1];

/** Requests of one bucket that this process may still send, each at its time or later. */
interface Reserved {
  /** When each may go, by this process's clock. */
  readonly times: number[];
  /** How many were asked for last. */
  size: number;
  /** When they were reserved. */
  at: number;
}

/** A batch that lasts no longer than this was too small. */
const shortMs = 1_000;
const mostBuckets = 10_000;
const forgetEvery = 1_000;

/**
 * Vendor limits shared by all processes on one database. A process reserves the requests of a bucket in batches: one at a time while
 * they are few, more (at most half a second's worth, or 1/200 of the burst) while they come fast. What it reserved and did not use
 * soon is forgotten, which costs capacity and never exceeds the limit.
 */
export function createSharedLimiter(db: Kysely<Tables>, clock: Clock): Limiter {
  const buckets = new Map<string, Reserved>();
  /** The last one in line for each bucket: they are served in the order in which they came. */
  const lines = new Map<string, Promise<unknown>>();
  let reservations = 0;

  async function timeOf(key: string, bucket: Bucket, deadlineMs: number): Promise<number | Refusal> {
    const reserved = buckets.get(key) ?? { times: [], size: 0, at: 0 };
    const now = clock.now();
    const time = usableTime(reserved, bucket, now);
    if (time !== null) {
      if (time <= deadlineMs) return time;
      reserved.times.unshift(time);
      return { waitMs: time - now };
    }
    const size = now - reserved.at < shortMs ? Math.min(reserved.size * 2, mostAtOnce(bucket)) : 1;
    const answer = await reserve(db, key, bucket, Math.max(1, size), deadlineMs - now);
    if (++reservations % forgetEvery === 0) await forgetFullBuckets(db);
    if (!answer.isReserved) return { waitMs: answer.waitMs };
    if (buckets.size >= mostBuckets) buckets.clear();
    const received = clock.now();
    const [first = received, ...times] = answer.waitsMs.map(waitMs => received + Math.max(0, waitMs));
    buckets.set(key, { times, size: answer.waitsMs.length, at: received });
    return first;
  }

  return {
    async take(key, bucket, deadlineMs, signal) {
      const turn = (lines.get(key) ?? Promise.resolve()).then(() => timeOf(key, bucket, deadlineMs));
      const settled = turn.catch(() => {});
      lines.set(key, settled);
      try {
        const time = await turn;
        if (typeof time !== 'number') return Math.ceil(time.waitMs / 1000);
        const waitMs = time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        return null;
      } finally {
        if (lines.get(key) === settled) lines.delete(key);
      }
    },
  };
}

interface Refusal {
  readonly waitMs: number;
}

/** The first reserved time that is not too long ago to be used: many old ones together would be more than the burst. */
function usableTime({ times, size }: Reserved, { perSecond }: Bucket, now: number): number | null {
  const staleMs = (size * 1000) / perSecond;
  for (let time = times.shift(); time !== undefined; time = times.shift()) {
    if (time + staleMs >= now) return time;
  }
  return null;
}

function mostAtOnce({ burst, perSecond }: Bucket): number {
  return Math.max(1, Math.floor(Math.max(perSecond / 2, burst / 200)));
}
