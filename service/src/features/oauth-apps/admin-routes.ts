import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminOAuthApp } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { operatorFields } from '../../shared/http/operator-fields.ts';
import { findOrganizationNames } from '../../shared/repositories/organizations.ts';
import { aboutKind, deleteOwnApp, describeApps, setOwnApp, type OAuthAppsContext } from './oauth-apps.ts';

type Names = 'listOAuthApps' | 'setOAuthApp' | 'deleteOAuthApp';

export function oauthAppAdminRoutes(context: OAuthAppsContext): Pick<AdminHandlers, Names> {
  return {
    listOAuthApps: async ({ params: { organization_id: organizationId } }) => {
      await requireOrganization(context.db, organizationId);
      return { data: await describeApps(context, organizationId) };
    },

    setOAuthApp: async call => {
      const { organization_id: organizationId, type } = call.params;
      call.audit(aboutKind(context, { connector_type: type }));
      await requireOrganization(context.db, organizationId);
      const request = { connector_type: type, configuration: call.body.configuration };
      const { kind } = await setOwnApp(context, operatorFields(call), organizationId, request);
      return requireApp(await describeApps(context, organizationId), kind.key);
    },

    deleteOAuthApp: async call => {
      const { organization_id: organizationId, type } = call.params;
      call.audit(aboutKind(context, { connector_type: type }));
      await requireOrganization(context.db, organizationId);
      await deleteOwnApp(context, operatorFields(call), organizationId, type);
    },
  };
}

async function requireOrganization(db: Kysely<Tables>, id: string): Promise<void> {
  const names = await findOrganizationNames(db, [id]);
  if (names.size > 0) return;
  throw new ConnectorAuthError('organization_not_found', 'No organization has this id');
}

function requireApp(apps: readonly AdminOAuthApp[], type: string): AdminOAuthApp {
  const app = apps.find(({ connector_type }) => connector_type === type);
  // The app was set for a kind that supports OAuth, so the list contains it.
  if (app === undefined) throw new Error(`The kind ${type} does not support OAuth`);
  return app;
}
