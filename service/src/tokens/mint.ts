import { ConnectorAuthError, readOnlyActions, type ActionName, type Issue } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { ApplicationCaller, ScopedCaller } from '../auth/caller.ts';
import type { SecretVerifier } from '../auth/client-secret.ts';
import type { SignedToken, TokenSigner } from '../auth/token-signer.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import { findApplication } from '../repositories/applications.ts';
import { ensureCustomer } from '../repositories/customers.ts';

export interface MintContext {
  readonly db: Kysely<Tables>;
  readonly signer: TokenSigner;
  readonly secrets: SecretVerifier;
  readonly kinds: KindRegistry;
}

/**
 * Exchanges a client id and secret for an application token.
 * @throws ConnectorAuthError `client_credentials_invalid`. An unknown client id and a wrong secret take the
 * same time to reject.
 */
export async function mintApplicationToken(
  { db, signer, secrets }: MintContext,
  client: { readonly id: string; readonly secret: string },
): Promise<SignedToken & { organizationId: string }> {
  const application = await findApplication(db, client.id);
  const isCorrect = await secrets.matches(client.secret, application?.secretHash ?? null);
  const [first, ...others] = application?.organizationIds ?? [];
  if (application === null || !isCorrect || first === undefined) {
    throw new ConnectorAuthError('client_credentials_invalid', 'The client id or client secret is wrong');
  }
  const signed = await signer.sign({
    kind: 'application',
    applicationId: application.id,
    organizationIds: [first, ...others],
  });
  return { ...signed, organizationId: first };
}

export interface CustomerTokenRequest {
  readonly customerName: string;
  /** Names or keys of the allowed connector kinds. Allows all kinds if undefined. */
  readonly allowedSources: readonly string[] | undefined;
  /** The allowed actions. Allows only the read-only actions if undefined. */
  readonly allowedActions: readonly ActionName[] | undefined;
  /** The only page origin from which a widget token is valid. Omitted for a scoped token. */
  readonly allowedOrigin?: string;
}

/**
 * Mints a widget token if an origin is specified, otherwise a scoped token. Creates the customer on first
 * use.
 * @throws ConnectorAuthError `unknown_connector_type` with an issue for each unknown source.
 */
export async function mintCustomerToken(
  { db, signer, kinds }: MintContext,
  caller: ApplicationCaller,
  request: CustomerTokenRequest,
): Promise<SignedToken> {
  const allowedSources =
    request.allowedSources === undefined ? null : kindKeys(kinds, request.allowedSources);
  const { applicationId, organizationId } = caller;
  const id = await ensureCustomer(db, organizationId, request.customerName);
  const content: ScopedCaller = {
    kind: 'scoped',
    applicationId,
    organizationId,
    customer: { id, name: request.customerName },
    allowedSources,
    allowedActions: request.allowedActions ?? readOnlyActions,
  };
  return request.allowedOrigin === undefined
    ? signer.sign(content)
    : signer.sign({ ...content, kind: 'widget', allowedOrigin: request.allowedOrigin });
}

function kindKeys(kinds: KindRegistry, names: readonly string[]): readonly string[] {
  const issues: Issue[] = [];
  const keys = names.flatMap((name, index) => {
    const kind = kinds.byName(name);
    if (kind === null)
      issues.push({ path: `allowed_sources.${index}`, message: `Unknown connector type “${name}”` });
    return kind === null ? [] : [kind.key];
  });
  if (issues.length === 0) return [...new Set(keys)];
  throw ConnectorAuthError.invalid('unknown_connector_type', issues);
}
