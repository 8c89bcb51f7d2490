import type { Kind } from '@connector-auth/connectors/kind';
import { failures } from '@connector-auth/connectors/rest';

const classify = failures({
  limit: { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset', unit: 'epoch' },
});

/**
 * Classifies a response. Limits are rejected with 403 or 429, and a secondary limit is recognized by `Retry-After`.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export const readFailure: Kind['readFailure'] = (response, nowMs) => {
  const isLimit = response.status === 403 && response.headers['retry-after'] !== undefined;
  return classify(isLimit ? { ...response, status: 429 } : response, nowMs);
};
