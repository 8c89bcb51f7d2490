import type { Clock } from './clock.ts';

/** Limits calls per key, such as a credential or an account. */
export interface RateLimit {
  /** Counts a call; returns 0 if it is allowed, otherwise the seconds to wait, with fractions. */
  take(key: string): number;
}

/** Token bucket: allows `burst` calls and refills at `perSecond`. */
export function createTokenBucket(clock: Clock, options: { burst: number; perSecond: number }): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take: key => {
      const now = clock.now();
      const { left, at } = buckets.get(key) ?? { left: options.burst, at: now };
      const refilled = Math.min(options.burst, left + ((now - at) / 1000) * options.perSecond);
      const isAllowed = refilled >= 1;
      buckets.set(key, { left: isAllowed ? refilled - 1 : refilled, at: now });
      return isAllowed ? 0 : (1 - refilled) / options.perSecond;
    },
  };
}

/** Fixed window: allows `limit` calls in each period of `seconds`, like a vendor's daily quota. */
export function createQuota(clock: Clock, options: { limit: number; seconds: number }): RateLimit {
  const counts = new Map<string, { period: number; used: number }>();
  return {
    take: key => {
      const nowSeconds = clock.now() / 1000;
      const period = Math.floor(nowSeconds / options.seconds);
      const last = counts.get(key);
      const used = last?.period === period ? last.used : 0;
      if (used >= options.limit) return (period + 1) * options.seconds - nowSeconds;
      counts.set(key, { period, used: used + 1 });
      return 0;
    },
  };
}
