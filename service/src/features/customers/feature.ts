import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { customerAdminRoutes } from './admin-routes.ts';
import type { CustomersContext } from './context.ts';
import { customerRoutes } from './routes.ts';

export function customers(context: CustomersContext & Needs<'clock'>) {
  return {
    handlers: customerRoutes(context, limitPerMinute('customer-deletions', 300, context.clock)),
    adminHandlers: customerAdminRoutes(context),
  } satisfies Feature;
}
