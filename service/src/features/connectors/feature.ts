import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { connectorAdminRoutes } from './admin-routes.ts';
import { startDelayedDeletions } from './delete.ts';
import { connectorRoutes } from './routes.ts';

export function connectors(
  needs: Needs<
    | 'db'
    | 'kinds'
    | 'tables'
    | 'sealer'
    | 'credentials'
    | 'idempotency'
    | 'notifications'
    | 'audit'
    | 'shareRateLimit'
    | 'log'
  >,
  settings: Pick<Settings, 'connectorsPerCustomer' | 'rejectedCredentialsPerHour' | 'sandboxUrl'>,
) {
  const { db, sealer, notifications, shareRateLimit } = needs;
  const { connectorsPerCustomer, rejectedCredentialsPerHour: burst, sandboxUrl } = settings;
  return {
    handlers: connectorRoutes(
      {
        ...needs,
        secrets: { db, sealer, notifications },
        rejectedCredentials: shareRateLimit({
          name: 'rejected-credentials',
          events: 'rejected credentials',
          burst,
          perMinute: burst / 60,
        }),
        connectorsPerCustomer,
        usesSandbox: sandboxUrl !== null,
      },
      needs.tables,
    ),
    adminHandlers: connectorAdminRoutes(needs),
    start: () => startDelayedDeletions(needs),
  } satisfies Feature;
}
