import type { BootstrapConfiguration } from '../../platform/config/configuration.ts';
import type { Needs } from '../../shared/core.ts';
import { organizationAdminRoutes } from './admin-routes.ts';
import type { AdministrationContext } from './administration.ts';
import { bootstrap } from './bootstrap.ts';
import { mountLogos } from './logos.ts';
import { organizationRoutes } from './routes.ts';

export function organizations(context: AdministrationContext & Needs<'anonymous' | 'secrets'>) {
  return {
    handlers: organizationRoutes(context),
    adminHandlers: organizationAdminRoutes(context),
    pages: () => mountLogos(context.anonymous),
    bootstrap: (wanted: BootstrapConfiguration | null) => bootstrap(context, wanted),
  };
}
