import {
  ConnectorAuthError,
  type Language,
  type OAuthSession,
  type OAuthSessionStatus,
} from '@connector-auth/api';
import { describeIssues } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { longPoll, type LongPollContext } from '../../platform/notifications/long-poll.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { challengeOf, openSecrets, secretsMatch } from '../../shared/oauth-sessions/secrets.ts';
import {
  cancelled,
  endSession,
  findTenantSession,
  type StoredSession,
} from '../../shared/oauth-sessions/store.ts';
import type { AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { requireExistingCustomer } from '../../shared/tenancy/customers.ts';

export interface StatusContext extends LongPollContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly sealer: Sealer;
}

/** Returns the notification topic for changes to a session. */
export function topicOf({ id }: { readonly id: string }): string {
  return `oauth-session:${id}`;
}

/**
 * Returns the status of an OAuth session.
 * @param options `waitSeconds` is the maximum wait while the status is `pending`. `verifier` must match the
 * session's challenge and is required to receive the secret id.
 * @throws ConnectorAuthError `oauth_session_not_found`, also for another tenant's session; `source_not_allowed`;
 * `verifier_wrong`; `rate_limited` if the customer has too many waiting requests.
 */
export async function readSessionStatus(
  context: StatusContext,
  caller: Caller,
  id: string,
  options: {
    readonly waitSeconds: number;
    readonly verifier: string | undefined;
    readonly language: Language;
    readonly signal: AbortSignal;
  },
): Promise<OAuthSession> {
  const session = await longPoll(context, topicOf({ id }), {
    read: async () => {
      const session = await requireSession(context, caller, id);
      // Rejects a wrong verifier before the request waits.
      isVerified(session, options.verifier);
      return session;
    },
    isSettled: session => statusOf(session) !== 'pending',
    // Each connect link's page has waiting requests of its own.
    waiterOf: ({ linkId, customerId }) => linkId ?? customerId,
    ...options,
  });
  return toResponse(context, session, { ...options, isShown: isVerified(session, options.verifier) });
}

/**
 * Cancels an OAuth session. Its grant is revoked like other unused ones. Leaves a redeemed session unchanged.
 * @throws ConnectorAuthError `oauth_session_not_found`; `source_not_allowed`; `management_not_allowed`.
 */
export async function cancelSession(
  context: StatusContext,
  { caller, audit }: AuditedCaller,
  id: string,
): Promise<void> {
  const { db, notifications } = context;
  const session = await requireSession(context, caller, id);
  audit({ kind: session.kind, connectorId: session.targetId });
  caller.rights.requireManagement(session.targetId === null ? 'create' : 'reconnect');
  const outcome = { status: 'denied', ...cancelled } as const;
  if (await endSession(db, session, ['pending', 'exchanging', 'completed'], outcome)) {
    await notifications.notify(topicOf(session));
  }
}

/**
 * Returns an OAuth session of the caller's tenant.
 * @throws ConnectorAuthError `oauth_session_not_found`; `source_not_allowed`.
 */
export async function requireSession(
  { db, kinds }: StatusContext,
  { tenant, rights }: Caller,
  id: string,
): Promise<StoredSession> {
  const session = await findTenantSession(db, tenant, id);
  if (session !== null) {
    rights.requireSource({ key: session.kind, name: kinds.byKey(session.kind)?.name ?? session.kind });
    return session;
  }
  await requireExistingCustomer(db, tenant);
  throw new ConnectorAuthError('oauth_session_not_found', 'No OAuth session has this id');
}

/**
 * Returns whether a verifier is the session's, compared as in RFC 7636, section 4.6. Throws `verifier_wrong` for another
 * one.
 */
export function isVerified({ challenge }: StoredSession, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return false;
  if (secretsMatch(challengeOf(verifier), challenge)) return true;
  throw new ConnectorAuthError('verifier_wrong', "X-OAuth-Verifier does not match the session's challenge");
}

/** Returns the status that callers see. Reports a code exchange in progress as `pending`. */
export function statusOf({ status }: StoredSession): OAuthSessionStatus {
  return status === 'exchanging' ? 'pending' : status;
}

function toResponse(
  { sealer, kinds }: StatusContext,
  session: StoredSession,
  { isShown, language }: { readonly isShown: boolean; readonly language: Language },
): OAuthSession {
  const status = statusOf(session);
  const isUsable = status === 'completed' && session.usedBy === null;
  return {
    session_id: session.id,
    connector_type: session.kind,
    status,
    expires_at: session.expiresAt.toISOString(),
    secret_id: isShown && isUsable ? openSecrets(sealer, session, session.sealedSecrets).secretId : null,
    connector_id: session.usedBy,
    error: status === 'denied' || status === 'failed' ? errorOf(session, kinds, language) : null,
  };
}

/** Returns the error of a failed session. If the process died during the exchange, no error was stored. */
function errorOf(
  { errorCode, errorMessage, errorReason, kind }: StoredSession,
  kinds: KindRegistry,
  language: Language,
): NonNullable<OAuthSession['error']> {
  const message =
    errorMessage ?? 'The service stopped while it was requesting the tokens. Start the consent again';
  return {
    code: errorCode ?? 'interrupted',
    message: translateError(kinds, kind, message, language),
    reason: errorReason,
  };
}

/** Translates why a consent to a kind failed, as far as the words are ours. */
export function translateError(
  kinds: KindRegistry,
  kind: string,
  message: string,
  language: Language,
): string {
  const own = kinds.byKey(kind);
  const [issue] = own === null ? [] : describeIssues([own], [{ path: '', message }], language);
  return issue?.message ?? message;
}
