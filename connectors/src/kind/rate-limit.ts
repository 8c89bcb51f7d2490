import type { Clock } from '@connector-auth/api';

/** Waits until a request may be sent. One implementation counts in the process, one in a shared database. */
export interface Limiter {
  /**
   * Takes one request from the bucket `key`, waiting if necessary.
   * @returns the seconds to wait if that is after the deadline; null once the request may be sent.
   */
  take(key: string, bucket: Bucket, wait: WaitOptions): Promise<number | null>;
}

/** A token bucket that allows bursts of `burst` requests and refills by `perSecond`. */
export interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Whether a person or program waits for the request (`interactive`) or not (`background`). Background
 * requests reserve nothing ahead and leave a part of the bucket free, so an interactive request never waits
 * for a queued background request. If interactive requests use up the bucket, about every fourth request may
 * still be a background one.
 */
export type Priority = 'interactive' | 'background';

export interface WaitOptions {
  readonly priority: Priority;
  /** In milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets everything through, for the sandbox and tests. */
export const unlimited: Limiter = { take: () => Promise.resolve(null) };

/**
 * Returns the part of a bucket that background requests leave free; 0 if the bucket has room for only one.
 */
export function reservedForInteractive({ burst }: Bucket): number {
  return Math.min(burst - 1, Math.ceil(burst / 10));
}

/** Requests after which a background request queues like an interactive one. */
export const backgroundShare = 4;

/** Limits the requests of one process. Deletes full buckets, so memory is bounded by recent use. */
export function createLimiter(clock: Clock): Limiter {
  const levels = new Map<string, Level>();
  return {
    async take(key, bucket, { priority, deadlineMs, signal }) {
      for (;;) {
        const now = clock.now();
        if (levels.size > 10_000) deleteFull(levels, now);
        const level = levels.get(key) ?? { fullAt: 0, backgroundAt: 0 };
        const { waitMs, isReserved } = findTurn(level, bucket, priority, now);
        if (now + waitMs > deadlineMs) return Math.ceil(waitMs / 1000);
        if (isReserved) {
          levels.set(key, {
            fullAt: Math.max(level.fullAt, now) + 1000 / bucket.perSecond,
            backgroundAt: priority === 'background' ? now : level.backgroundAt,
          });
        }
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        if (isReserved) return null;
      }
    },
  };
}

interface Level {
  /** When the bucket will be full again (the theoretical arrival time of the generic cell rate algorithm). */
  readonly fullAt: number;
  /** When the last background request was let through. */
  readonly backgroundAt: number;
}

/** Computes the wait of a request: until its reserved slot, or until it may ask again. */
function findTurn(
  { fullAt, backgroundAt }: Level,
  bucket: Bucket,
  priority: Priority,
  now: number,
): { readonly waitMs: number; readonly isReserved: boolean } {
  const costMs = 1000 / bucket.perSecond;
  const inLineMs = Math.max(0, Math.max(fullAt, now) + (1 - bucket.burst) * costMs - now);
  if (priority === 'interactive') return { waitMs: inLineMs, isReserved: true };
  const untilSpareMs = fullAt + (1 + reservedForInteractive(bucket) - bucket.burst) * costMs - now;
  if (untilSpareMs <= 0) return { waitMs: 0, isReserved: true };
  const untilShareMs = backgroundAt + backgroundShare * costMs - now;
  if (untilShareMs <= 0) return { waitMs: inLineMs, isReserved: true };
  return { waitMs: Math.min(untilSpareMs, untilShareMs), isReserved: false };
}

function deleteFull(levels: Map<string, Level>, now: number): void {
  for (const [key, { fullAt }] of levels) if (fullAt <= now) levels.delete(key);
}
