import {
  choosingLifetimeSeconds,
  ConnectorAuthError,
  type Clock,
  type ListAccountsResponse,
} from '@connector-auth/api';
import { parseSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import { LimitError, type LimitPolicy } from '../../platform/concurrency/limit-error.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { Credentials } from '../../shared/credentials/credentials.ts';
import type { LeaseStore } from '../../shared/credentials/lease.ts';
import type { Call } from '../../shared/http/handler.ts';
import { reserveSecret } from '../../shared/oauth-sessions/redeem.ts';
import { openSecrets, secretsMatch } from '../../shared/oauth-sessions/secrets.ts';
import { countAccountListing, type StoredSession } from '../../shared/oauth-sessions/store.ts';
import { findConnector } from '../../shared/repositories/connectors.ts';
import { requireLiveLink } from '../../shared/tenancy/links.ts';
import { isVerified, requireSession, statusOf, type StatusContext } from './status.ts';

export interface AccountsContext extends StatusContext, LeaseStore {
  readonly credentials: Credentials;
  readonly clock: Pick<Clock, 'now'>;
}

/** Limits how often one consent makes the service call its vendor. */
const policy: LimitPolicy = {
  name: 'session-accounts',
  quota: 20,
  windowSeconds: choosingLifetimeSeconds,
};

/**
 * Lists the accounts that the grant of a completed OAuth session can see. Reserves the secret id meanwhile, so that a
 * refresh token is not used by two requests.
 * @param options.verifier or `secretId` must be the session's.
 * @throws ConnectorAuthError `oauth_session_not_found`, also for another tenant's session; `source_not_allowed`;
 * `management_not_allowed`; `verifier_wrong`; `secret_id_invalid`, also if the session has no unused grant; LimitError
 * `rate_limited`; or an error for a vendor failure.
 */
export async function listSessionAccounts(
  context: AccountsContext,
  caller: Caller,
  id: string,
  options: Pick<Call<'listSessionAccounts'>, 'language' | 'signal' | 'reportLimit' | 'audit'> & {
    readonly verifier: string | undefined;
    readonly secretId: string | undefined;
  },
): Promise<ListAccountsResponse> {
  const { kinds, credentials } = context;
  const { language, signal, reportLimit, audit } = options;
  const session = await requireSession(context, caller, id);
  const { organizationId, customerId, customerName, targetId } = session;
  const customer = { id: customerId, name: customerName };
  audit({ customer, kind: session.kind, connectorId: targetId, targetId: id });
  caller.rights.requireManagement(targetId === null ? 'create' : 'reconnect');
  const secretId = requireSecret(context, session, options);
  const kind = kinds.byKey(session.kind);
  if (kind === null) {
    throw new ConnectorAuthError('internal_error', `This build does not have the kind ${session.kind}`);
  }
  await requireLiveLink(context.db, caller.link);
  const presentation = { organizationId, customerId, kind, secretId, targetId, linkId: session.linkId };
  const secret = await reserveSecret(context, presentation);
  if (secret.status === 'redeemed') throw redeemedError(secret.connectorId);
  try {
    const settings = await settingsFor(context, caller, session, kind);
    const grant = { ...secret.grant, settings };
    if (kind.accounts !== undefined) reportLimit(await countListing(context, session));
    const { replaceGrant: saveRenewed } = secret;
    return await credentials.listAccountsOfGrant(session, kind, grant, { language, signal, saveRenewed });
  } finally {
    await secret.release();
  }
}

/** Returns the session's secret id if the request carries it or the verifier. */
function requireSecret(
  { sealer }: AccountsContext,
  session: StoredSession,
  given: { readonly verifier: string | undefined; readonly secretId: string | undefined },
): string {
  if (given.verifier === undefined && given.secretId === undefined) {
    const message = 'Send X-OAuth-Verifier, or X-OAuth-Secret-Id with the secret_id of the session';
    throw ConnectorAuthError.invalid('malformed_request', [{ path: 'X-OAuth-Verifier', message }]);
  }
  const isKnown = isVerified(session, given.verifier);
  const { secretId } = openSecrets(sealer, session, session.sealedSecrets);
  const isPresented = given.secretId !== undefined && secretsMatch(given.secretId, secretId);
  if ((given.secretId !== undefined && !isPresented) || (!isKnown && !isPresented)) {
    throw new ConnectorAuthError(
      'secret_id_invalid',
      'X-OAuth-Secret-Id is not the secret_id of this session, or the session has no challenge for a verifier',
    );
  }
  if (statusOf(session) === 'completed') return secretId;
  throw new ConnectorAuthError(
    'secret_id_invalid',
    `The consent is ${statusOf(session)}: only a completed one has accounts to list`,
  );
}

function redeemedError(connectorId: string): ConnectorAuthError {
  return new ConnectorAuthError(
    'secret_id_invalid',
    `A connector was already connected with this session: list its accounts with GET /api/v1/integrations/connectors/${connectorId}/accounts`,
  );
}

async function countListing({ db, clock }: AccountsContext, session: StoredSession) {
  const count = await countAccountListing(db, session, policy.quota);
  if (count !== null) return { policy, remaining: policy.quota - count, resetSeconds: null };
  const secondsLeft = Math.ceil((session.expiresAt.getTime() - clock.now()) / 1000);
  throw new LimitError(
    policy,
    `The accounts of this session were already listed ${policy.quota} times: start the consent again`,
    Math.max(1, secondsLeft),
  );
}

/** Returns the settings of the connector that the session is for, or the defaults for a new one. */
async function settingsFor(
  { db, credentials }: AccountsContext,
  caller: Caller,
  { organizationId, customerId, targetId }: StoredSession,
  kind: Kind,
): Promise<Grant['settings']> {
  if (targetId === null) return parseSettings(kind, caller.replicationDefaults[kind.key]);
  const target = await findConnector(db, { organizationId, customerId }, targetId);
  return (target && credentials.settingsOf(kind, target)) ?? {};
}
