import type { RateLimit } from '../../platform/concurrency/rate-limit.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { callbackPathOf } from '../../shared/credentials/oauth-apps.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import { findCallbackPath } from '../../shared/repositories/oauth-apps.ts';
import {
  aboutKind,
  deleteOwnApp,
  requireConsentKind,
  setOwnApp,
  toJsonSchema,
  type OAuthAppsContext,
} from './oauth-apps.ts';

type Names = 'setOAuthCredentials' | 'getOAuthCredentialsSpec' | 'deleteOAuthCredentials';

/** @param changes limits each organization's changes, because every one empties the cache of connectors. */
export function oauthAppRoutes(context: OAuthAppsContext, changes: RateLimit): Pick<Handlers, Names> {
  const actorOf = ({ applicationId }: Caller) => ({ application_id: applicationId });
  return {
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
  };
}
