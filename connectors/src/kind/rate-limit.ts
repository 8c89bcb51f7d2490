/** Waits until a request may go out. Implementations: one for a process, one shared through a database. */
export interface Limiter {
  /**
   * Takes one request from the bucket `key`; waits for its turn.
   * @returns seconds to wait when the turn would come after `deadlineMs`, else null once the request may go.
   */
  take(
    key: string,
    bucket: { burst: number; perSecond: number },
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<number | null>;
}

/** What a limiter needs of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after a time; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Lets everything through: for the sandbox and tests. */
export const unlimited: Limiter = { take: () => Promise.resolve(null) };

/** Buckets of one process. A bucket that is full again is forgotten, so memory is bounded by recent use. */
export function createLimiter(clock: Clock): Limiter {
  /** For each bucket the time at which it would be full again (a generic cell rate algorithm's arrival time). */
  const fullAt = new Map<string, number>();
  return {
    async take(key, { burst, perSecond }, deadlineMs, signal) {
      const now = clock.now();
      if (fullAt.size > 10_000) forgetFull(fullAt, now);
      const costMs = 1000 / perSecond;
      const next = Math.max(fullAt.get(key) ?? 0, now) + costMs;
      const waitMs = next - burst * costMs - now;
      if (now + waitMs > deadlineMs) return Math.ceil(waitMs / 1000);
      fullAt.set(key, next);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      return null;
    },
  };
}

function forgetFull(fullAt: Map<string, number>, now: number): void {
  for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
}
