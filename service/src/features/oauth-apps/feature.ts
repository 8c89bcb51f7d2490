import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminOAuthApp } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { Needs } from '../../shared/core.ts';
import { callbackPathOf } from '../../shared/credentials/oauth-apps.ts';
import type { Feature } from '../../shared/feature.ts';
import { operatorFields } from '../../shared/http/operator-fields.ts';
import { findCallbackPath } from '../../shared/repositories/oauth-apps.ts';
import { findOrganizationNames } from '../../shared/repositories/organizations.ts';
import {
  aboutKind,
  deleteOwnApp,
  describeApps,
  requireConsentKind,
  setOwnApp,
  toJsonSchema,
  type OAuthAppsContext,
} from './oauth-apps.ts';

export function oauthApps(context: OAuthAppsContext & Needs<'clock'>) {
  // Limits each organization, because every change empties the cache of connectors.
  const changes = limitPerMinute('oauth-app-changes', 10, context.clock);
  const actorOf = ({ applicationId }: Caller) => ({ application_id: applicationId });
  return {
    handlers: {
      setOAuthCredentials: async ({ caller, body, reportLimit, audit }) => {
        audit(aboutKind(context, body));
        reportLimit(changes.take(caller.organizationId));
        const { kind, clientId, updatedAt } = await setOwnApp(
          context,
          actorOf(caller),
          caller.organizationId,
          body,
        );
        return {
          connector_type: kind.key,
          definition_id: kind.definitionId,
          client_id: clientId,
          updated_at: updatedAt.toISOString(),
        };
      },

      getOAuthCredentialsSpec: async ({ caller, query }) => {
        const { kind, schema } = requireConsentKind(context.kinds, query);
        const registered = await findCallbackPath(context.db, caller.organizationId, kind.key);
        return {
          connector_type: kind.key,
          definition_id: kind.definitionId,
          redirect_url: `${context.publicUrl}${registered ?? callbackPathOf(kind)}`,
          schema: toJsonSchema(schema),
        };
      },

      deleteOAuthCredentials: async ({ caller, params, reportLimit, audit }) => {
        audit(aboutKind(context, { connector_type: params.type }));
        reportLimit(changes.take(caller.organizationId));
        return deleteOwnApp(context, actorOf(caller), caller.organizationId, params.type);
      },
    },
    adminHandlers: {
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
    },
  } satisfies Feature;
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
