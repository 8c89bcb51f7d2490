import type { Clock } from '@connector-auth/api';
import { backgroundShare, reservedForInteractive, type Bucket, type Limiter } from './rate-limit.ts';

/** Stores the levels of token buckets. */
export interface BucketStore {
  /** Reserves the next requests from a bucket. */
  reserve(request: ReservationRequest): Promise<Reservation>;
  /**
   * Reserves as many background requests as can be sent now while leaving enough capacity for interactive
   * requests. If no background request has been sent for a while, reserves one with interactive priority, so
   * background work is not starved.
   */
  reserveInBackground(request: ReservationRequest): Promise<Reservation>;
  /** Returns a request that turned out not to count. */
  refund(key: string, bucket: Bucket): Promise<void>;
}

export interface ReservationRequest {
  readonly key: string;
  readonly bucket: Bucket;
  readonly count: number;
  /** The maximum wait for the first request. Nothing is reserved if it would be longer. */
  readonly maxWaitMs: number;
}

/**
 * For each reserved request, the number of milliseconds until it can be sent (negative if it can be sent
 * now). If nothing was reserved, how long to wait before the next attempt.
 */
export type Reservation =
  | { readonly isReserved: true; readonly waitsMs: readonly number[] }
  | { readonly isReserved: false; readonly waitMs: number };

/** Creates a limiter for one process. */
export function createLimiter(clock: Clock): Limiter {
  const store = bucketsInMemory(clock);
  return {
    async take(key, bucket, { priority, deadlineMs, signal }) {
      const reserve = priority === 'background' ? 'reserveInBackground' : 'reserve';
      for (;;) {
        const maxWaitMs = deadlineMs - clock.now();
        const reservation = await store[reserve]({ key, bucket, count: 1, maxWaitMs });
        const waitMs = reservation.isReserved ? (reservation.waitsMs[0] ?? 0) : reservation.waitMs;
        if (waitMs > maxWaitMs) return Math.ceil(waitMs / 1000);
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        if (reservation.isReserved) return null;
      }
    },
  };
}

interface Level {
  /** The time at which the bucket will be full again. */
  readonly fullAt: number;
  /** The time of the last background request. */
  readonly backgroundAt: number;
}

const maxLevels = 10_000;

/** Stores buckets in memory, for a single process. Deletes full ones, so that memory use is bounded by recent requests. */
export function bucketsInMemory(clock: Clock): BucketStore {
  const levels = new Map<string, Level>();

  function levelOf(key: string, now: number): Level {
    if (levels.size > maxLevels) deleteFull(levels, now);
    const { fullAt, backgroundAt } = levels.get(key) ?? { fullAt: 0, backgroundAt: -Infinity };
    return { fullAt: Math.max(fullAt, now), backgroundAt };
  }

  function use(request: ReservationRequest, level: Level, now: number): Reservation {
    const { key, bucket, count } = request;
    levels.set(key, { ...level, fullAt: level.fullAt + count * costOf(bucket) });
    const waitsMs = Array.from({ length: count }, (_, index) => waitOf(level, bucket, index + 1, now));
    return { isReserved: true, waitsMs };
  }

  function reserveInBackground(request: ReservationRequest): Reservation {
    const { key, bucket, count, maxWaitMs } = request;
    const now = clock.now();
    const level = levelOf(key, now);
    const untilSpareMs = waitOf(level, bucket, count + reservedForInteractive(bucket), now);
    if (untilSpareMs <= 0) return use(request, { ...level, backgroundAt: now }, now);
    if (count > 1) return reserveInBackground({ ...request, count: 1 });
    const queuedMs = Math.max(0, waitOf(level, bucket, 1, now));
    const untilShareMs = level.backgroundAt + backgroundShare * costOf(bucket) - now;
    if (untilShareMs <= 0 && queuedMs <= maxWaitMs) return use(request, { ...level, backgroundAt: now }, now);
    const waitMs = Math.min(untilSpareMs, Math.max(untilShareMs, queuedMs - maxWaitMs));
    return { isReserved: false, waitMs: Math.max(0, waitMs) };
  }

  return {
    reserve: request => {
      const now = clock.now();
      const level = levelOf(request.key, now);
      const waitMs = Math.max(0, waitOf(level, request.bucket, 1, now));
      return Promise.resolve(
        waitMs > request.maxWaitMs ? { isReserved: false, waitMs } : use(request, level, now),
      );
    },
    reserveInBackground: request => Promise.resolve(reserveInBackground(request)),
    refund: async (key, bucket) => {
      const level = levels.get(key);
      if (level) levels.set(key, { ...level, fullAt: level.fullAt - costOf(bucket) });
    },
  };
}

function costOf({ perSecond }: Bucket): number {
  return 1000 / perSecond;
}

/** Returns how long to wait until this many requests can be sent, or a negative number if they can be now. */
function waitOf({ fullAt }: Level, bucket: Bucket, count: number, now: number): number {
  return fullAt - now + (count - bucket.burst) * costOf(bucket);
}

function deleteFull(levels: Map<string, Level>, now: number): void {
  for (const [key, { fullAt }] of levels) if (fullAt <= now) levels.delete(key);
}
