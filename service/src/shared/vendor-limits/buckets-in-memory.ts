import type { Clock } from '@connector-auth/api';
import { backgroundShare, reservedForInteractive, type Bucket } from '@connector-auth/connectors/kind';
import type { BucketStore, Reservation, ReservationRequest } from './bucket-store.ts';

interface Level {
  /** The time at which the bucket will be full again. */
  readonly fullAt: number;
  /** The time of the last background request. */
  readonly backgroundAt: number;
}

const maxLevels = 10_000;

/** Stores buckets in memory, for a service with a single process. */
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
