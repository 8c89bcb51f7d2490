import type { Caller } from '../auth/caller.ts';
import { callbackPathOf } from '../credentials/oauth-apps.ts';
import type { Handlers } from '../http/handler.ts';
import { findCallbackPath } from '../repositories/oauth-apps.ts';
import {
  aboutKind,
  deleteOwnApp,
  requireConsentKind,
  setOwnApp,
  toJsonSchema,
  type OAuthAppsContext,
} from './oauth-apps.ts';

type Names = 'setOAuthCredentials' | 'getOAuthCredentialsSpec' | 'deleteOAuthCredentials';

export function oauthAppRoutes(context: OAuthAppsContext): Pick<Handlers, Names> {
  const actorOf = ({ applicationId }: Caller) => ({ application_id: applicationId });
  return {
    setOAuthCredentials: async ({ caller, body, audit }) => {
      audit(aboutKind(context, body));
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

    deleteOAuthCredentials: ({ caller, params, audit }) => {
      audit(aboutKind(context, { connector_type: params.type }));
      return deleteOwnApp(context, actorOf(caller), caller.organizationId, params.type);
    },
  };
}
