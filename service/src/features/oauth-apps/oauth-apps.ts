import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminOAuthApp } from '@connector-auth/api/admin';
import type { Kind } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { Needs } from '../../shared/core.ts';
import { callbackPathOf } from '../../shared/credentials/oauth-apps.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { requireKind, type KindNames } from '../../shared/definitions/resolve-kind.ts';
import type { OperatorFields } from '../../shared/http/operator-fields.ts';
import { deleteOAuthApp, findOwnOAuthApps, saveOAuthApp } from '../../shared/repositories/oauth-apps.ts';
import { appSchemaOf, parseApp } from './app-schema.ts';

export type OAuthAppsContext = Needs<'db' | 'kinds' | 'apps' | 'publicUrl' | 'log'>;

/** The log fields of who changes an app. */
type Actor = OperatorFields | { readonly application_id: string };

/** A kind that supports OAuth, and the schema of its OAuth apps. */
interface ConsentKind {
  readonly kind: Kind;
  readonly schema: z.ZodObject;
}

/** Returns the kind that a request names, for the audit log. */
export function aboutKind({ kinds }: OAuthAppsContext, names: KindNames): AuditDetails {
  const { connector_type: type = '', definition_id: id = '' } = names;
  return { kind: (kinds.byName(type) ?? kinds.byDefinitionId(id))?.key ?? null };
}

/**
 * Sets an organization's own OAuth app for a kind. The same app again changes nothing, because every change empties the
 * cache of all organizations' connectors.
 * @throws ConnectorAuthError `unknown_connector_type`; `oauth_not_offered`; `invalid_credentials`.
 */
export async function setOwnApp(
  { db, kinds, apps, log }: OAuthAppsContext,
  actor: Actor,
  organizationId: string,
  request: KindNames & { readonly configuration: unknown },
): Promise<{ readonly kind: Kind; readonly clientId: string; readonly updatedAt: Date }> {
  const { kind, schema } = requireConsentKind(kinds, request);
  const app = parseApp(kind, schema, request.configuration);
  const { clientId } = app;
  const present = (await findOwnOAuthApps(db, organizationId)).get(kind.key);
  // An app that can no longer be decrypted is replaced.
  const [current] = await apps.choiceOf(organizationId, kind).catch(() => []);
  if (present !== undefined && isDeepStrictEqual(current, { ...app, owner: 'organization' })) {
    return { kind, clientId, updatedAt: present.updatedAt };
  }
  const { updatedAt } = await saveOAuthApp(db, {
    organizationId,
    kind: kind.key,
    clientId,
    sealedConfiguration: apps.seal(organizationId, kind, app),
    callbackPath: callbackPathOf(kind),
  });
  log.info('oauth_app_changed', {
    organization_id: organizationId,
    ...actor,
    kind: kind.key,
    change: 'set',
  });
  return { kind, clientId, updatedAt };
}

/**
 * Deletes an organization's own OAuth app for a kind.
 * @throws ConnectorAuthError `unknown_connector_type`; `oauth_credentials_not_found`.
 */
export async function deleteOwnApp(
  { db, kinds, log }: OAuthAppsContext,
  actor: Actor,
  organizationId: string,
  type: string,
): Promise<void> {
  const kind = requireKind(kinds, { connector_type: type });
  if (!(await deleteOAuthApp(db, organizationId, kind.key))) {
    throw new ConnectorAuthError(
      'oauth_credentials_not_found',
      `The organization has no OAuth app of its own for ${kind.name}`,
    );
  }
  log.info('oauth_app_changed', {
    organization_id: organizationId,
    ...actor,
    kind: kind.key,
    change: 'deleted',
  });
}

/** Returns the OAuth app that an organization's customers consent to, for each kind that supports OAuth. */
export async function describeApps(
  { db, kinds, apps, publicUrl }: OAuthAppsContext,
  organizationId: string,
): Promise<AdminOAuthApp[]> {
  const own = await findOwnOAuthApps(db, organizationId);
  return kinds.all.flatMap((kind): AdminOAuthApp[] => {
    const schema = appSchemaOf(kind);
    if (schema === null) return [];
    const ownApp = own.get(kind.key);
    const platformApp = apps.describePlatformApp(kind);
    const { clientId = null, callbackPath = callbackPathOf(kind) } = ownApp ?? platformApp ?? {};
    return [
      {
        connector_type: kind.key,
        kind_name: kind.name,
        source: ownApp ? 'organization' : platformApp ? 'environment' : 'none',
        client_id: clientId,
        updated_at: ownApp?.updatedAt.toISOString() ?? null,
        redirect_url: `${publicUrl}${callbackPath}`,
        schema: toJsonSchema(schema),
      },
    ];
  });
}

/** @throws ConnectorAuthError `unknown_connector_type`; `oauth_not_offered`; `malformed_request`. */
export function requireConsentKind(kinds: KindRegistry, names: KindNames): ConsentKind {
  const kind = requireKind(kinds, names);
  const schema = appSchemaOf(kind);
  if (schema !== null) return { kind, schema };
  throw new ConnectorAuthError('oauth_not_offered', `${kind.name} does not support OAuth`);
}

export function toJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
}
