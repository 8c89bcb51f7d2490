import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { oauthAppAdminRoutes } from './admin-routes.ts';
import type { OAuthAppsContext } from './oauth-apps.ts';
import { oauthAppRoutes } from './routes.ts';

export function oauthApps(context: OAuthAppsContext & Needs<'clock'>) {
  return {
    handlers: oauthAppRoutes(context, limitPerMinute('oauth-app-changes', 10, context.clock)),
    adminHandlers: oauthAppAdminRoutes(context),
  } satisfies Feature;
}
