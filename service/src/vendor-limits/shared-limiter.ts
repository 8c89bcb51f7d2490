import type { Clock } from '@connector-auth/api';
import type { Bucket, Limiter, WaitOptions } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { deleteFullBuckets, reserve, reserveInBackground } from './store.ts';

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
const cleanupEvery = 1_000;

/**
 * Vendor limits shared by all processes on one database. A process reserves the requests of a bucket in batches: one at a time while
 * they are few, more (at most half a second's worth, or 1/200 of the burst) while they come fast. What it reserved and did not use
 * soon is forgotten, which costs capacity and never exceeds the limit. Background requests reserve only what can go at once.
 */
export function createSharedLimiter(db: Kysely<Tables>, clock: Clock): Limiter {
  const buckets = new Map<string, Reserved>();
  /** The last one in line for each bucket and priority: they are served in the order in which they came. */
  const lines = new Map<string, Promise<unknown>>();
  let reservations = 0;

  /** The time of the next request; or how long to wait before there may be one. */
  async function timeOf(
    key: string,
    bucket: Bucket,
    line: string,
    wait: WaitOptions,
  ): Promise<number | Refusal> {
    const isBackground = wait.priority === 'background';
    const reserved = buckets.get(line) ?? { times: [], size: 0, at: 0 };
    const now = clock.now();
    const time = usableTime(reserved, bucket, now);
    if (time !== null) {
      if (time <= wait.deadlineMs) return time;
      reserved.times.unshift(time);
      return { waitMs: time - now };
    }
    const most = mostAtOnce(bucket, wait.priority);
    const size = now - reserved.at < shortMs ? Math.min(reserved.size * 2, most) : 1;
    const ask = isBackground ? reserveInBackground : reserve;
    const answer = await ask(db, key, bucket, Math.max(1, size), wait.deadlineMs - now);
    if (++reservations % cleanupEvery === 0) await deleteFullBuckets(db);
    if (!answer.isReserved) return { waitMs: answer.waitMs };
    if (buckets.size >= mostBuckets) buckets.clear();
    const received = clock.now();
    const [first = received, ...times] = answer.waitsMs.map(waitMs => received + Math.max(0, waitMs));
    buckets.set(line, { times, size: answer.waitsMs.length, at: received });
    return first;
  }

  /** The same for a background request, which asks again when there may be one. */
  async function patientTimeOf(...args: Parameters<typeof timeOf>): Promise<number | Refusal> {
    const [, , , { deadlineMs, signal }] = args;
    for (;;) {
      const time = await timeOf(...args);
      if (typeof time === 'number' || clock.now() + time.waitMs > deadlineMs) return time;
      await clock.sleep(time.waitMs, signal);
    }
  }

  return {
    async take(key, bucket, wait) {
      const line = `${wait.priority} ${key}`;
      const ask = wait.priority === 'background' ? patientTimeOf : timeOf;
      const turn = (lines.get(line) ?? Promise.resolve()).then(() => {
        wait.signal?.throwIfAborted();
        return ask(key, bucket, line, wait);
      });
      const settled = turn.catch(() => {});
      lines.set(line, settled);
      try {
        const time = await turn;
        if (typeof time !== 'number') return Math.ceil(time.waitMs / 1000);
        const waitMs = time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs, wait.signal);
        return null;
      } finally {
        if (lines.get(line) === settled) lines.delete(line);
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

/** Half a second's worth lies ahead of now, where background requests reserve nothing. */
function mostAtOnce({ burst, perSecond }: Bucket, priority: WaitOptions['priority']): number {
  return Math.max(1, Math.floor(Math.max(priority === 'interactive' ? perSecond / 2 : 0, burst / 200)));
}
