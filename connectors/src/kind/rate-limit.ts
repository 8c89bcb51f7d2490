import type { Clock } from '@connector-auth/api';

/** Waits until a request may go out. Implementations: one for a process, one shared through a database. */
export interface Limiter {
  /**
   * Takes one request from the bucket `key`; waits for its turn.
   * @returns seconds to wait when the turn would come after the deadline, else null once the request may go.
   */
  take(key: string, bucket: Bucket, wait: WaitOptions): Promise<number | null>;
}

/** A bucket that holds `burst` requests and refills by `perSecond`. */
export interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Who waits for a request: a person or program (`interactive`), or nobody (`background`). Background requests reserve nothing ahead
 * and leave a part of the bucket alone, so an interactive one waits for those that are out already, never for those that wait. Where
 * interactive requests use up everything, every fourth or so may still be a background one.
 */
export type Priority = 'interactive' | 'background';

/** How a request waits for its turn. */
export interface WaitOptions {
  readonly priority: Priority;
  /** In milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets everything through: for the sandbox and tests. */
export const unlimited: Limiter = { take: () => Promise.resolve(null) };

/** How many requests of a bucket background requests leave to interactive ones; none where only one fits. */
export function reservedForInteractive({ burst }: Bucket): number {
  return Math.min(burst - 1, Math.ceil(burst / 10));
}

/** After so many requests' time without a background request the next one stands in line like an interactive one. */
export const backgroundShare = 4;

/** Buckets of one process. A bucket that is full again is forgotten, so memory is bounded by recent use. */
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
  /** When the bucket would be full again (a generic cell rate algorithm's arrival time). */
  readonly fullAt: number;
  /** When the last background request was let through. */
  readonly backgroundAt: number;
}

/** How long a request waits: for its turn if that is reserved, otherwise until it may ask again. */
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
