import { createTokenBucket } from '../simulator/rate-limit.ts';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import { CODES, TikTokError } from './envelope.ts';

/** TikTok's limits per second: for an app (at the lowest limit level), and per ad account and path. */
const APP_LIMIT = { burst: 10, perSecond: 10 };
const PATH_LIMIT = { burst: 20, perSecond: 20 };

/** Counts a call; throws TikTok's code if the app or the ad account's path exceeds its rate limit. */
export function createLimiter({
  clock,
  rateLimits,
}: VendorContext): (grant: Grant, advertiserId: string, path: string) => void {
  const perApp = createTokenBucket(clock, APP_LIMIT);
  const perPath = createTokenBucket(clock, PATH_LIMIT);
  return (grant, advertiserId, path) => {
    if (!rateLimits) return;
    if (perApp.take(grant.clientId) > 0) {
      throw new TikTokError(CODES.rateLimited, 'App reaches the QPS limit.');
    }
    if (perPath.take(`${advertiserId} ${path}`) === 0) return;
    throw new TikTokError(
      CODES.pathLimited,
      `Advertiser (${advertiserId})'s QPS (21) reaches QPS limit 20 for current path, request is temporarily restricted.`,
    );
  };
}
