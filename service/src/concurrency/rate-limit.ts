import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { LRUCache } from 'lru-cache';

/** A rate limit that allows `burst` events at once, then `perMinute` events per minute. */
export interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/** Enforces a rate limit for each key. */
export interface RateLimit {
  /** @throws ConnectorAuthError `rate_limited`, with the seconds until the next event is allowed. */
  take(key: string): void;
}

/** Maximum number of tracked keys. The least recently used key is dropped. */
const maxKeys = 10_000;

/**
 * Creates a rate limit with token buckets in memory. Each process counts separately, so n processes together
 * allow n times the rate.
 */
export function createRateLimit(rate: Rate, clock: Pick<Clock, 'now'>): RateLimit {
  const perMs = rate.perMinute / 60_000;
  const buckets = new LRUCache<string, { level: number; at: number }>({ max: maxKeys });
  return {
    take: key => {
      const now = clock.now();
      const last = buckets.get(key) ?? { level: rate.burst, at: now };
      const level = Math.min(rate.burst, last.level + Math.max(0, now - last.at) * perMs);
      buckets.set(key, { level: level < 1 ? level : level - 1, at: now });
      if (level >= 1) return;
      const retryAfterSeconds = Math.ceil((1 - level) / perMs / 1000);
      throw new ConnectorAuthError('rate_limited', `Too many requests: try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    },
  };
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
