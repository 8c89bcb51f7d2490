import { ConnectorAuthError } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../auth/caller.ts';
import { callbackPathOf, type OAuthApps } from '../credentials/oauth-apps.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import { requireKind, type KindNames } from '../definitions/resolve-kind.ts';
import type { Handlers } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { deleteOAuthApp, findCallbackPath, saveOAuthApp } from '../repositories/oauth-apps.ts';
import { appSchemaOf, parseApp } from './app-schema.ts';

type Names = 'setOAuthCredentials' | 'getOAuthCredentialsSpec' | 'deleteOAuthCredentials';

/** @param context `publicUrl` is the base of the redirect URLs that integrators register with the vendor. */
export function oauthAppRoutes(context: {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly apps: OAuthApps;
  readonly publicUrl: string;
  readonly log: Log;
}): Pick<Handlers, Names> {
  const { db, kinds, apps, publicUrl, log } = context;
  const logChange = (caller: Caller, kind: Kind, change: 'set' | 'deleted'): void => {
    const { organizationId, applicationId } = caller;
    log.info('oauth_app_changed', {
      organization_id: organizationId,
      application_id: applicationId,
      kind: kind.key,
      change,
    });
  };
  return {
    setOAuthCredentials: async ({ caller, body, audit }) => {
      const { kind, schema } = requireConsentKind(kinds, body);
      audit({ kind: kind.key });
      const app = parseApp(kind, schema, body.configuration);
      const { organizationId } = caller;
      const { updatedAt } = await saveOAuthApp(db, {
        organizationId,
        kind: kind.key,
        clientId: app.clientId,
        sealedConfiguration: apps.seal(organizationId, kind, app),
        callbackPath: callbackPathOf(kind),
      });
      logChange(caller, kind, 'set');
      return {
        connector_type: kind.key,
        definition_id: kind.definitionId,
        client_id: app.clientId,
        updated_at: updatedAt.toISOString(),
      };
    },

    getOAuthCredentialsSpec: async ({ caller, query }) => {
      const { kind, schema } = requireConsentKind(kinds, query);
      const registered = await findCallbackPath(db, caller.organizationId, kind.key);
      return {
        connector_type: kind.key,
        definition_id: kind.definitionId,
        redirect_url: `${publicUrl}${registered ?? callbackPathOf(kind)}`,
        schema: z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }),
      };
    },

    deleteOAuthCredentials: async ({ caller, params, audit }) => {
      const kind = requireKind(kinds, { connector_type: params.type });
      audit({ kind: kind.key });
      if (await deleteOAuthApp(db, caller.organizationId, kind.key)) {
        return logChange(caller, kind, 'deleted');
      }
      throw new ConnectorAuthError(
        'oauth_credentials_not_found',
        `The organization has no OAuth app of its own for ${kind.name}`,
      );
    },
  };
}

function requireConsentKind(kinds: KindRegistry, names: KindNames): { kind: Kind; schema: z.ZodObject } {
  const kind = requireKind(kinds, names);
  const schema = appSchemaOf(kind);
  if (schema !== null) return { kind, schema };
  throw new ConnectorAuthError('oauth_not_offered', `${kind.name} does not support OAuth`);
}
