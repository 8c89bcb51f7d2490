import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
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
  | 'log';

export function oauth(
  { anonymous, longPolls, ...needs }: Needs<Need>,
  { sandboxUrl }: Pick<Settings, 'sandboxUrl'>,
) {
  const { publicUrl, clock } = needs;
  const limits = {
    byCustomer: limitPerMinute('customer', 30, clock),
    byOrganization: limitPerMinute('organization', 600, clock),
  };
  return {
    handlers: oauthRoutes({ ...needs, ...longPolls }, limits),
    pages: () =>
      mountConsentPages({ ...needs, db: anonymous, sandboxUrl, cookies: browserCookies(publicUrl) }),
    start: () => startSessionCleanup(needs),
  } satisfies Feature;
}
