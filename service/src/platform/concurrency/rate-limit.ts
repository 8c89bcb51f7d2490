import type { Clock } from '@connector-auth/api';
import { LRUCache } from 'lru-cache';
import { LimitError, type LimitPolicy, type LimitUsage } from './limit-error.ts';

/** A rate limit that allows `burst` events at once, then `perMinute` events per minute. */
export interface Rate {
  /** Identifies the limit in responses. */
  readonly name: string;
  /** What is limited, for the error message. */
  readonly events: string;
  readonly burst: number;
  readonly perMinute: number;
}

/** Enforces a rate limit for each key. */
export interface RateLimit {
  /**
   * Counts an event, and returns what is left.
   * @throws LimitError `rate_limited`, with the seconds until the next event is allowed.
   */
  take(key: string): LimitUsage;
  /** Returns what is left. */
  usage(key: string): LimitUsage;
  /**
   * Throws like `take` if no event is allowed, but does not count one.
   * @throws LimitError `rate_limited`
   */
  requireAvailable(key: string): void;
  /** Returns an event that turned out not to count. */
  refund(key: string): void;
}

/** Maximum number of tracked keys. The least recently used key is dropped. */
const maxKeys = 10_000;

/**
 * Creates a rate limit with token buckets in memory. Each process counts separately, so n processes together
 * allow n times the rate.
 */
export function createRateLimit(rate: Rate, clock: Pick<Clock, 'now'>): RateLimit {
  const perMs = rate.perMinute / 60_000;
  const policy = policyOf(rate);
  // With `max`, the cache would reserve memory for all keys at once: 360 kB and 3 ms for each of the service's limits.
  const buckets = new LRUCache<string, { level: number; at: number }>({
    maxSize: maxKeys,
    sizeCalculation: () => 1,
  });
  /** Returns the number of events that are allowed at once. */
  const levelOf = (key: string, now: number): number => {
    const last = buckets.get(key) ?? { level: rate.burst, at: now };
    const refilled = last.level + Math.max(0, now - last.at) * perMs;
    // Rounded, so that a caller that waits exactly as long as reported is not rejected again.
    return Math.min(rate.burst, Math.round(refilled * 1e6) / 1e6);
  };
  const requireEvent = (level: number): void => {
    if (level >= 1) return;
    throw limitErrorOf(rate, Math.ceil(Math.round((1 - level) / perMs) / 1000));
  };
  const usageAt = (level: number): LimitUsage => ({
    policy,
    remaining: Math.floor(level),
    resetSeconds: Math.ceil(Math.round((rate.burst - level) / perMs) / 1000),
  });
  return {
    take: key => {
      const now = clock.now();
      const level = levelOf(key, now);
      buckets.set(key, { level: level < 1 ? level : level - 1, at: now });
      requireEvent(level);
      return usageAt(level - 1);
    },
    usage: key => usageAt(levelOf(key, clock.now())),
    requireAvailable: key => requireEvent(levelOf(key, clock.now())),
    refund: key => {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.level = Math.min(rate.burst, bucket.level + 1);
    },
  };
}

/** Returns the error for an event that a rate limit does not allow. */
export function limitErrorOf(rate: Rate, retryAfterSeconds: number): LimitError {
  const message = `Too many ${rate.events}: try again in ${retryAfterSeconds} s`;
  return new LimitError(policyOf(rate), message, retryAfterSeconds);
}

function policyOf({ name, burst, perMinute }: Rate): LimitPolicy {
  return { name, quota: burst, windowSeconds: Math.ceil((burst / perMinute) * 60) };
}

/** Limits the requests of each key per minute. All of them may arrive at once. */
export function limitPerMinute(name: string, count: number, clock: Pick<Clock, 'now'>): RateLimit {
  return createRateLimit(perMinute(name, count), clock);
}

/** A rate of requests per minute, all of which may arrive at once. */
export function perMinute(name: string, count: number): Rate {
  return { name, events: 'requests', burst: count, perMinute: count };
}

/**
 * Returns the rate limit key for an address: the full IPv4 address, or the /64 prefix of an IPv6 address,
 * because one subscriber usually controls a whole /64.
 */
export function addressKey(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!mapped.includes(':')) return mapped;
  const [head = '', tail] = mapped.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  return `${filled.slice(0, 4).join(':')}::/64`;
}
