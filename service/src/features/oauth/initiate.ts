import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, type InitiateOAuthResponse } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { hashOf } from '../../platform/crypto/random-secret.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { OAuthApps, OwnedApp } from '../../shared/credentials/oauth-apps.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { requireKind, type KindNames } from '../../shared/definitions/resolve-kind.ts';
import { createSecrets, sealSecrets } from '../../shared/oauth-sessions/secrets.ts';
import { insertSession } from '../../shared/oauth-sessions/store.ts';
import { findRedirectUrls } from '../../shared/repositories/applications.ts';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { customerNameOf, lockCustomerOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { requireEnabledKind } from '../../shared/tenancy/enabled-kinds.ts';
import { requireNoIncident } from '../../shared/tenancy/incidents.ts';
import { requireLiveLink } from '../../shared/tenancy/links.ts';
import { checkRedirectUrl, isCompletionPage, type Redirect } from './redirect-url.ts';

export interface Initiation extends KindNames {
  readonly customer_name?: string | undefined;
  readonly redirect_url: string;
  readonly challenge?: string | undefined;
  readonly connector_id?: string | undefined;
}

export interface InitiationContext {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  readonly kinds: KindRegistry;
  readonly apps: OAuthApps;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
}

export const startPath = '/oauth/start';

/**
 * Creates an OAuth session, and the customer if it does not exist. Does not call the vendor.
 * @throws ConnectorAuthError `management_not_allowed`; `source_not_allowed`; for invalid input; `oauth_not_offered` if no
 * OAuth app is configured for the kind; `connector_frozen` if an open incident covers the customer and the kind.
 */
export async function initiateOAuth(
  context: InitiationContext,
  { caller, audit }: AuditedCaller,
  request: Initiation,
): Promise<InitiateOAuthResponse> {
  const { db, sealer, kinds, apps, publicUrl } = context;
  const { tenant, link, rights } = caller;
  requireInitiationRight(caller, request);
  const customerName = customerNameOf(caller, request.customer_name);
  if (customerName === undefined) throw malformed('customer_name', 'Required with an application token');
  const kind = requireKind(kinds, request);
  audit({ kind: kind.key });
  rights.requireSource(kind);
  await requireExistingCustomer(db, tenant);
  await requireLiveLink(db, link);
  if (request.connector_id === undefined) await requireEnabledKind(db, tenant, kind);
  const redirect = await chooseRedirect(context, caller, request);
  const app = requireApp(kind, await apps.choiceOf(caller.organizationId, kind));
  if (request.connector_id !== undefined) {
    await requireTarget(context, { caller, audit }, { id: request.connector_id, kind, customerName });
  }
  const row = { organizationId: caller.organizationId, id: randomUUID() };
  const secrets = createSecrets({ isForWidget: caller.kind === 'widget' });
  const { expiresAt, customerId } = await db.transaction().execute(async transaction => {
    const customerId = await lockCustomerOf(transaction, tenant, customerName);
    await requireNoIncident(transaction, { ...row, customerId, kind: kind.key });
    const session = await insertSession(transaction, {
      ...row,
      customerId,
      kind: kind.key,
      clientId: app.clientId,
      redirectUrl: redirect.url,
      origin: redirect.origin,
      challenge: request.challenge ?? null,
      targetId: request.connector_id ?? null,
      linkId: tenant.linkId,
      sealedSecrets: sealSecrets(sealer, { ...row, customerId, kind: kind.key }, secrets),
      stateHash: hashOf(secrets.state),
      secretHash: hashOf(secrets.secretId),
    });
    return { ...session, customerId };
  });
  audit({
    customer: { id: customerId, name: customerName },
    connectorId: request.connector_id ?? null,
    targetId: row.id,
  });
  return {
    consent_url: `${publicUrl}${startPath}/${row.id}`,
    session_id: row.id,
    ...(secrets.startProof === null ? {} : { start_proof: secrets.startProof }),
    expires_at: expiresAt.toISOString(),
  };
}

/** Throws `management_not_allowed` if the token does not include the right that the consent is for. */
export function requireInitiationRight({ rights }: Caller, { connector_id }: Initiation): void {
  rights.requireManagement(connector_id === undefined ? 'create' : 'reconnect');
}

async function chooseRedirect(
  { db, publicUrl }: InitiationContext,
  caller: Caller,
  request: Initiation,
): Promise<Redirect> {
  const requester =
    caller.kind === 'widget'
      ? { kind: caller.kind, allowedOrigin: caller.allowedOrigin }
      : { kind: caller.kind, registered: await findRedirectUrls(db, caller.applicationId) };
  const redirect = checkRedirectUrl(request.redirect_url, requester, publicUrl);
  if (request.challenge === undefined && isCompletionPage(redirect.url, publicUrl)) {
    throw malformed(
      'challenge',
      'Required if the redirect URL is the completion page: reading the secret id requires the verifier of the challenge',
    );
  }
  return redirect;
}

function requireApp(kind: Kind, [app]: readonly OwnedApp[]): OwnedApp {
  const supportsOAuth = kind.authMethods.some(({ consent }) => consent);
  if (supportsOAuth && app !== undefined) return app;
  throw new ConnectorAuthError(
    'oauth_not_offered',
    supportsOAuth
      ? `No OAuth app is configured for ${kind.name}. Set ${kind.environmentPrefix}_CLIENT_ID and _CLIENT_SECRET, or add the organization's own app with PUT /api/v1/oauth/credentials`
      : `${kind.name} does not support OAuth`,
  );
}

async function requireTarget(
  context: InitiationContext,
  caller: AuditedCaller,
  target: { readonly id: string; readonly kind: Kind; readonly customerName: string },
): Promise<void> {
  const { stored, kind } = await requireConnector(context, caller, target.id, 'use');
  if (stored.customerName !== target.customerName)
    throw new ConnectorAuthError('connector_not_found', 'This customer has no connector with this id');
  if (kind !== target.kind) throw malformed('connector_id', `This connector is for ${kind.name}`);
}

function malformed(path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('malformed_request', [{ path, message }]);
}
