import type { Clock } from '@connector-auth/api';
import { bucketsInMemory, type Limiter } from '@connector-auth/connectors/kind';
import type { Requester } from '../../platform/concurrency/fair-queue.ts';
import type { Database } from '../../platform/database/database.ts';
import { bucketsInDatabase } from './buckets-in-database.ts';
import { DailyQuotas } from './daily-quotas.ts';
import { createFairLimiter, type RequesterLimiter } from './fair-limiter.ts';

/**
 * Creates the limiter for vendors' rate limits and daily quotas. The processes that share a
 * database share the limits; a single process has its rate limits in memory.
 * @param customerShare see {@link DailyQuotas}.
 */
export function createVendorLimiter(
  database: Pick<Database, 'isShared' | 'kysely' | 'canDelayCommits'>,
  clock: Clock,
  { customerShare }: { readonly customerShare: number },
): RequesterLimiter {
  const store = database.isShared ? bucketsInDatabase(database.kysely) : bucketsInMemory(clock);
  const rates = createFairLimiter(store, clock);
  const quotas = new DailyQuotas(database, customerShare);
  return {
    async take(key, bucket, wait) {
      if (bucket.isDailyQuota !== true) return rates.take(key, bucket, wait);
      const { requester, priority } = wait;
      await quotas.count({ key, perDay: bucket.burst, requester, priority });
      return null;
    },
  };
}

/** Returns a limiter that sends all requests on behalf of one requester. */
export function limiterFor(limiter: RequesterLimiter, { organizationId, customerId }: Requester): Limiter {
  const requester = { organizationId, customerId };
  return { take: (key, bucket, wait) => limiter.take(key, bucket, { ...wait, requester }) };
}
