import { perMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { startSessionCleanup } from '../../shared/oauth-sessions/cleanup.ts';
import { mountConsentPages } from './browser-routes.ts';
import { browserCookies } from './cookie.ts';
import { oauthRoutes } from './routes.ts';

type Need =
  | 'db'
  | 'anonymous'
  | 'kinds'
  | 'apps'
  | 'sealer'
  | 'credentials'
  | 'transport'
  | 'notifications'
  | 'longPolls'
  | 'publicUrl'
  | 'clock'
  | 'shareRateLimit'
  | 'log';

export function oauth(
  { anonymous, longPolls, shareRateLimit, ...needs }: Needs<Need>,
  { sandboxUrl }: Pick<Settings, 'sandboxUrl'>,
) {
  const { publicUrl } = needs;
  const limits = {
    byCustomer: shareRateLimit(perMinute('customer', 30)),
    byOrganization: shareRateLimit(perMinute('organization', 600)),
  };
  return {
    handlers: oauthRoutes({ ...needs, ...longPolls }, limits),
    pages: () =>
      mountConsentPages({ ...needs, db: anonymous, sandboxUrl, cookies: browserCookies(publicUrl) }),
    start: () => startSessionCleanup(needs),
  } satisfies Feature;
}
