import {
  ConnectorAuthError,
  defaultManagement,
  readOnlyActions,
  type DataRight,
  type ManagementRight,
  type ScopedTokenRequest,
  type WidgetTokenRequest,
} from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ApplicationCaller } from '../../shared/auth/caller.ts';
import { revokedError } from '../../shared/auth/denylist.ts';
import type { ScopedContent, SignedToken } from '../../shared/auth/token-signer.ts';
import type { Needs } from '../../shared/core.ts';
import { kindsWith } from '../../shared/definitions/known-kinds.ts';
import { kindKeys } from '../../shared/definitions/resolve-kind.ts';
import {
  authorizeMinting,
  findApplication,
  touchSecret,
  type Application,
} from '../../shared/repositories/applications.ts';
import { ensureCustomer } from '../../shared/repositories/customers.ts';
import { parseReplicationDefaults } from './replication-defaults.ts';

export type MintContext = Needs<'db' | 'anonymous' | 'signer' | 'secrets' | 'kinds'>;

/** A minted token, and what identifies it in the log. */
export interface MintedToken extends SignedToken {
  readonly applicationId: string;
  readonly organizationId: string;
  /** Null in an application token. */
  readonly customerId: string | null;
}

/**
 * Exchanges a client id and secret for an application token: the client credentials grant of RFC 6749, section 4.4,
 * with JSON instead of a form.
 * @param client.organizationId one of the application's organizations, which the caller wants to use.
 * @throws ConnectorAuthError `client_credentials_invalid`, also for a disabled application. An unknown client id
 * and a wrong secret take the same time to reject. `organization_not_allowed`; `organization_disabled`.
 */
export async function mintApplicationToken(
  { anonymous: db, signer, secrets }: MintContext,
  client: {
    readonly id: string;
    readonly secret: string;
    readonly organizationId: string | undefined;
    readonly allowedData: readonly DataRight[] | undefined;
  },
): Promise<MintedToken> {
  const found = await findApplication(db, { clientId: client.id });
  const application = found?.isDisabled ? null : found;
  const hashes = application?.secrets.map(({ hash }) => hash) ?? [];
  const match = await secrets.findMatch(client.secret, hashes);
  if (application === null || match === null || application.organizations.length === 0) {
    throw new ConnectorAuthError('client_credentials_invalid', 'The client id or client secret is wrong');
  }
  await recordUse(db, application, match);
  const { organizationIds, organizationId } = chooseOrganization(application, client.organizationId);
  const signed = await signer.sign({
    kind: 'application',
    applicationId: application.id,
    organizationIds,
    issuedAtUs: application.tokenIssuedAtUs,
    allowedData: client.allowedData ?? [],
  });
  return { ...signed, applicationId: application.id, organizationId, customerId: null };
}

/** Returns the organizations of a new token, and the one that the caller wants to use. */
function chooseOrganization(
  { organizations }: Application,
  wanted: string | undefined,
): { readonly organizationIds: readonly [string, ...string[]]; readonly organizationId: string } {
  const [first, ...others] = organizations.filter(({ isDisabled }) => !isDisabled).map(({ id }) => id);
  const organizationId = wanted?.toLowerCase() ?? first;
  const chosen = organizations.find(({ id }) => id === organizationId);
  if (wanted !== undefined && chosen === undefined) {
    throw new ConnectorAuthError(
      'organization_not_allowed',
      'X-Organization-Id is not one of the organizations of this application',
    );
  }
  if (first === undefined || organizationId === undefined || chosen?.isDisabled) {
    throw new ConnectorAuthError(
      'organization_disabled',
      first === undefined
        ? 'An operator has disabled all organizations of this application'
        : 'An operator has disabled this organization: name another one in X-Organization-Id, or omit it',
    );
  }
  return { organizationIds: [first, ...others], organizationId };
}

const maxUseAgeMs = 60_000;

async function recordUse(
  db: Kysely<Tables>,
  application: Application & { readonly tokenIssuedAtUs: number },
  usedHash: string,
): Promise<void> {
  const secret = application.secrets.find(({ hash }) => hash === usedHash);
  if (secret === undefined) return;
  const usedAtMs = secret.lastUsedAt?.getTime() ?? -Infinity;
  if (application.tokenIssuedAtUs / 1000 - usedAtMs < maxUseAgeMs) return;
  await touchSecret(db, application.id, secret.id);
}

/** What the endpoints for scoped and widget tokens receive. The contract says what an omitted member means. */
type CustomerTokenRequest = ScopedTokenRequest & Partial<Pick<WidgetTokenRequest, 'allowed_origin'>>;

/**
 * Mints a widget token if an origin is specified, otherwise a scoped token. Creates the customer on first
 * use.
 * @throws ConnectorAuthError `unknown_connector_type` with an issue for each unknown source; `invalid_credentials` with
 * the default settings that a kind rejects; `token_invalid` if the application's token was revoked.
 */
export async function mintCustomerToken(
  { db, signer, kinds }: MintContext,
  caller: ApplicationCaller,
  request: CustomerTokenRequest,
): Promise<MintedToken> {
  const { allowed_sources: sources = null, replication_defaults: defaults = {}, allowed_origin } = request;
  const named = [...(sources ?? []), ...Object.keys(defaults)];
  const known = await kindsWith(db, kinds, named);
  const allowedSources = sources && kindKeys(known, sources);
  const replicationDefaults = parseReplicationDefaults(kinds, known, defaults);
  const { applicationId, organizationId } = caller;
  // Another process may have revoked the caller's token a moment ago, and the new token must not outlive it.
  const issuedAtUs = await authorizeMinting(db, caller);
  if (issuedAtUs === null) throw revokedError();
  const id = await ensureCustomer(db, organizationId, request.customer_name, request.customer_display_name);
  const content: Omit<ScopedContent, 'tokenId'> = {
    kind: 'scoped',
    applicationId,
    organizationId,
    issuedAtUs,
    customer: { id, name: request.customer_name },
    allowedSources,
    allowedActions: request.allowed_actions ?? readOnlyActions,
    allowedManagement: request.allowed_management ?? managementByDefault(request),
    allowedData: request.allowed_data ?? [],
    access: request.access ?? 'write',
    replicationDefaults,
  };
  const signed = await (allowed_origin === undefined
    ? signer.sign(content)
    : signer.sign({ ...content, kind: 'widget', allowedOrigin: allowed_origin, linkId: null }));
  return { ...signed, applicationId, organizationId, customerId: id };
}

/** A backend that restricts the actions does not expect its token to manage connectors; a page does. */
function managementByDefault(request: CustomerTokenRequest): readonly ManagementRight[] {
  const isRestricted = request.allowed_origin === undefined && request.allowed_actions !== undefined;
  return isRestricted ? [] : defaultManagement;
}
