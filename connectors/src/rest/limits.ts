import type { RateLimit } from '../kind/kind.ts';
import type { Bucket } from '../kind/rate-limit.ts';

/** Declares a vendor's limit for each pair of credentials, or for each OAuth app that customers sign in with. */
export function rateLimit(bucket: Bucket & { readonly countedBy?: 'credentials' | 'app' }): RateLimit {
  const { countedBy = 'credentials', ...limit } = bucket;
  return {
    ...limit,
    countedBy,
    // Access tokens are renewed.
    subject: ({ credentials }, _request, app) =>
      countedBy === 'app' && app !== null
        ? app.clientId
        : JSON.stringify(Object.entries(credentials).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
