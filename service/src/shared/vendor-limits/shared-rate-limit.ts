import { createHash } from 'node:crypto';
import type { Clock } from '@connector-auth/api';
import type { BucketStore } from '@connector-auth/connectors/kind';
import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import { createRateLimit, limitErrorOf, type Rate } from '../../platform/concurrency/rate-limit.ts';
import { createFairLimiter } from './fair-limiter.ts';

/** A rate limit for each key that the processes on one database share. */
export interface SharedRateLimit {
  /**
   * Counts an event, and returns what this process has left.
   * @throws LimitError `rate_limited`, with the seconds until the next event is allowed.
   */
  take(key: string): Promise<LimitUsage>;
  /** Returns what this process has left. */
  usage(key: string): LimitUsage;
  /** Returns an event that turned out not to count. */
  refund(key: string): Promise<void>;
}

export type ShareRateLimit = (rate: Rate) => SharedRateLimit;

/** The clocks of the processes and of the database differ: an event that is allowed within this time waits for it. */
const maxWaitMs = 250;

/**
 * Creates rate limits that count in this process first, so that a flood from one key does not reach the database, then in the
 * database, in batches as vendors' limits are reserved.
 * @param store null if there is only this process.
 */
export function createSharedRateLimits(store: BucketStore | null, clock: Clock): ShareRateLimit {
  const limiter = store && createFairLimiter(store, clock);
  return rate => {
    const local = createRateLimit(rate, clock);
    const bucket = { burst: rate.burst, perSecond: rate.perMinute / 60 };
    return {
      usage: key => local.usage(key),
      take: async key => {
        const usage = local.take(key);
        const requester = { organizationId: rate.name, customerId: key };
        const retryAfterSeconds = await limiter?.take(sharedKeyOf(rate, key), bucket, {
          requester,
          priority: 'interactive',
          deadlineMs: clock.now() + maxWaitMs,
        });
        if (typeof retryAfterSeconds === 'number') throw limitErrorOf(rate, retryAfterSeconds);
        return usage;
      },
      refund: async key => {
        local.refund(key);
        await store?.refund(sharedKeyOf(rate, key), bucket);
      },
    };
  };
}

/** Hashes the key, because it contains names and addresses. */
function sharedKeyOf({ name }: Rate, key: string): string {
  return `${name} ${createHash('sha256').update(key).digest('base64url')}`;
}
