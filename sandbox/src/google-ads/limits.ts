import { createQuota, createTokenBucket } from '../simulator/rate-limit.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import type { Caller } from './access.ts';
import type { Customer } from './customers.ts';
import { GoogleAdsError, type FailureEntry } from './failure.ts';

/** Daily operation limit for a developer token with Basic Access. */
const DAILY_OPERATIONS = 15_000;
/** Assumed short-term limit per account. Google does not publish the actual value. */
const PER_ACCOUNT = { burst: 30, perSecond: 10 };

/**
 * Counts operations per developer token and account; throws Google's 429 error if either exceeds its limit.
 */
export function createLimiter({
  clock,
  rateLimits,
}: VendorContext): (caller: Caller, customer: Customer) => void {
  const perDay = createQuota(clock, { limit: DAILY_OPERATIONS, seconds: 86_400 });
  const perAccount = createTokenBucket(clock, PER_ACCOUNT);
  return ({ developerToken }, { id }) => {
    if (!rateLimits) return;
    const waitDay = perDay.take(developerToken);
    if (waitDay > 0) throw new GoogleAdsError(tooMany('RESOURCE_EXHAUSTED', waitDay));
    const wait = perAccount.take(`${developerToken} ${id}`);
    if (wait > 0) throw new GoogleAdsError(tooMany('RESOURCE_TEMPORARILY_EXHAUSTED', wait));
  };
}

/** Creates the rate-limit error with its retry delay. */
export function tooMany(
  value: 'RESOURCE_EXHAUSTED' | 'RESOURCE_TEMPORARILY_EXHAUSTED',
  waitSeconds: number,
): FailureEntry {
  const seconds = Math.ceil(waitSeconds);
  return {
    errorCode: { quotaError: value },
    message: `Too many requests. Retry in ${seconds} seconds.`,
    details: {
      quotaErrorDetails: {
        rateScope: value === 'RESOURCE_EXHAUSTED' ? 'DEVELOPER' : 'ACCOUNT',
        rateName:
          value === 'RESOURCE_EXHAUSTED'
            ? 'Number of operations for explorer access'
            : 'Requests per account in a short time',
        retryDelay: `${seconds}s`,
      },
    },
  };
}
