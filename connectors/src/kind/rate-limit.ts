/**
 * Delays requests to stay within a rate limit. One implementation counts requests within the process, another
 * in a shared database.
 */
export interface Limiter {
  /**
   * Takes one request from the bucket `key` and waits if necessary.
   * @returns null once the request can be sent, or the number of seconds to wait if that exceeds the
   * deadline.
   */
  take(key: string, bucket: Bucket, wait: WaitOptions): Promise<number | null>;
}

/** A token bucket that allows bursts of `burst` requests and refills by `perSecond`. */
export interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
  /**
   * Whether `burst` is the maximum number of requests in 24 hours. The service counts such requests in its
   * database and limits each customer's share. In open source mode, it is a bucket like any other.
   */
  readonly isDailyQuota?: boolean;
}

/** Returns a limit of this many requests in 24 hours. */
export function perDay(requests: number): Bucket {
  return { burst: requests, perSecond: requests / 86_400, isDailyQuota: true };
}

/**
 * Whether a caller waits for the request (`interactive`) or not (`background`). Background requests reserve
 * no capacity in advance and leave part of the bucket free, so that an interactive request never waits for a
 * queued background request. If interactive requests use up the bucket, about every fourth request can still
 * be a background request.
 */
export type Priority = 'interactive' | 'background';

export interface WaitOptions {
  readonly priority: Priority;
  /** Time at which the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** A limiter without limits, for the sandbox and tests. */
export const unlimited: Limiter = { take: () => Promise.resolve(null) };

/**
 * Returns the number of requests in a bucket that background requests leave free, or 0 if the bucket has
 * capacity for only one request.
 */
export function reservedForInteractive({ burst }: Bucket): number {
  return Math.min(burst - 1, Math.ceil(burst / 10));
}

/**
 * A background request is queued like an interactive one once the time in which the limit allows this number
 * of requests has passed since the last background request.
 */
export const backgroundShare = 4;
