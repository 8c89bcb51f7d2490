import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { auditAdminRoutes } from './admin-routes.ts';
import { startAuditRetention } from './retention.ts';
import { activityRoutes } from './routes.ts';

export function audit(
  { database, db, kinds, log }: Needs<'database' | 'db' | 'kinds' | 'log'>,
  { auditRetentionDays }: Pick<Settings, 'auditRetentionDays'>,
) {
  return {
    handlers: activityRoutes({ db, kinds }),
    // A filter may have to read the whole table.
    adminHandlers: auditAdminRoutes(database.search),
    start: () => startAuditRetention(db, auditRetentionDays, log),
  } satisfies Feature;
}
