import type { RateLimit } from '../kind/kind.ts';
import type { Bucket } from '../kind/rate-limit.ts';

/**
 * Declares a vendor's limit for each customer's credentials, or for each OAuth app that customers sign in with. A refresh token that is
 * replaced counts as other credentials: `subject` of a `RateLimit` can name the account instead.
 */
export function rateLimit(bucket: Bucket & { readonly countedBy?: 'credentials' | 'app' }): RateLimit {
  const { countedBy = 'credentials', ...limit } = bucket;
  return {
    ...limit,
    countedBy,
    subject: ({ credentials }, _request, app) =>
      countedBy === 'app' && app !== null
        ? app.clientId
        : JSON.stringify(Object.entries(credentials).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
