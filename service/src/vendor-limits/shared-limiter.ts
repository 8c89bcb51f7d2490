import type { Clock } from '@connector-auth/api';
import type { Bucket, Limiter, WaitOptions } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { deleteFullBuckets, reserve, reserveInBackground } from './store.ts';

/** The requests that this process has reserved from one bucket but not sent yet. */
interface Reserved {
  /** The earliest time at which each request can be sent, by this process's clock. */
  readonly times: number[];
  /** The number of requests in the last reserved batch. */
  size: number;
  /** The time when the last batch was reserved. */
  at: number;
}

/** If the last batch was used up within this time, the next batch is twice as large. */
const shortBatchMs = 1_000;
const maxBuckets = 10_000;
const cleanupEvery = 1_000;

/**
 * Creates a limiter that enforces limits across all processes. A process reserves requests from a bucket in
 * batches: one at a time while traffic is low, and up to half a second's worth of requests or 1/200 of the
 * burst, whichever is larger, while it is high. Unused reservations expire, which wastes capacity but never
 * exceeds the limit. Background requests reserve only capacity that is available immediately.
 */
export function createSharedLimiter(db: Kysely<Tables>, clock: Clock): Limiter {
  const buckets = new Map<string, Reserved>();
  /** The last request in the queue for each bucket and priority. Queues are first in, first out. */
  const queues = new Map<string, Promise<unknown>>();
  let reservations = 0;

  /**
   * Returns the time when the next request can be sent, or how long to wait before the next attempt to
   * reserve.
   */
  async function reserveTime({ key, bucket, queue, wait }: LimitedRequest): Promise<number | Wait> {
    const isBackground = wait.priority === 'background';
    const reserved = buckets.get(queue) ?? { times: [], size: 0, at: 0 };
    const now = clock.now();
    const time = usableTime(reserved, bucket, now);
    if (time !== null) {
      if (time <= wait.deadlineMs) return time;
      reserved.times.unshift(time);
      return { waitMs: time - now };
    }
    const maxSize = maxBatchSize(bucket, wait.priority);
    const size = now - reserved.at < shortBatchMs ? Math.min(reserved.size * 2, maxSize) : 1;
    const reserveBatch = isBackground ? reserveInBackground : reserve;
    const reservation = await reserveBatch(db, {
      key,
      bucket,
      count: Math.max(1, size),
      maxWaitMs: wait.deadlineMs - now,
    });
    if (++reservations % cleanupEvery === 0) await deleteFullBuckets(db);
    if (!reservation.isReserved) return { waitMs: reservation.waitMs };
    if (buckets.size >= maxBuckets) buckets.clear();
    const received = clock.now();
    const [first = received, ...times] = reservation.waitsMs.map(waitMs => received + Math.max(0, waitMs));
    buckets.set(queue, { times, size: reservation.waitsMs.length, at: received });
    return first;
  }

  /** Makes a reservation for a background request, and retries until the request's deadline. */
  async function reserveTimeInBackground(request: LimitedRequest): Promise<number | Wait> {
    const { deadlineMs, signal } = request.wait;
    for (;;) {
      const time = await reserveTime(request);
      if (typeof time === 'number' || clock.now() + time.waitMs > deadlineMs) return time;
      await clock.sleep(time.waitMs, signal);
    }
  }

  return {
    async take(key, bucket, wait) {
      const queue = `${wait.priority} ${key}`;
      const reserveNext = wait.priority === 'background' ? reserveTimeInBackground : reserveTime;
      const reserving = (queues.get(queue) ?? Promise.resolve()).then(() => {
        wait.signal?.throwIfAborted();
        return reserveNext({ key, bucket, queue, wait });
      });
      const settled = reserving.catch(() => {});
      queues.set(queue, settled);
      try {
        const time = await reserving;
        if (typeof time !== 'number') return Math.ceil(time.waitMs / 1000);
        const waitMs = time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs, wait.signal);
        return null;
      } finally {
        if (queues.get(queue) === settled) queues.delete(queue);
      }
    },
  };
}

/** A request that waits for capacity. */
interface LimitedRequest {
  readonly key: string;
  readonly bucket: Bucket;
  readonly queue: string;
  readonly wait: WaitOptions;
}

interface Wait {
  readonly waitMs: number;
}

/**
 * Removes and returns the first reserved time that has not expired. Sending many expired reservations at once
 * could exceed the burst.
 */
function usableTime({ times, size }: Reserved, { perSecond }: Bucket, now: number): number | null {
  const staleMs = (size * 1000) / perSecond;
  for (let time = times.shift(); time !== undefined; time = times.shift()) {
    if (time + staleMs >= now) return time;
  }
  return null;
}

/**
 * Returns the maximum batch size. Only interactive requests reserve up to half a second ahead, because
 * background requests reserve only capacity that is available immediately.
 */
function maxBatchSize({ burst, perSecond }: Bucket, priority: WaitOptions['priority']): number {
  return Math.max(1, Math.floor(Math.max(priority === 'interactive' ? perSecond / 2 : 0, burst / 200)));
}
