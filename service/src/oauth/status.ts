import { ConnectorAuthError, type OAuthSession, type OAuthSessionStatus } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Tables } from '../database/tables.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { challengeOf, openSecrets, secretsMatch } from '../oauth-sessions/secrets.ts';
import { endSession, findTenantSession, type StoredSession } from '../oauth-sessions/store.ts';
import { tenantOf } from '../tenancy/connectors.ts';
import { requireExistingCustomer } from '../tenancy/customers.ts';

export interface StatusContext {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  /** Aborted when the service ends: held requests are answered then. */
  readonly closing: AbortSignal;
  /** For requests that are held open, by customer. */
  readonly openRequests: Semaphore;
}

/** A signal may get lost, and time makes no signal: a held request also looks by itself. */
export const pollMs = 5_000;

/** The topic that is signalled when a session changes. */
export function topicOf({ id }: { readonly id: string }): string {
  return `oauth-session:${id}`;
}

/**
 * Where a consent stands, for the customer whose it is.
 * @param look `waitSeconds` holds the answer while the status is `pending`; `verifier` is what the session's challenge was made from.
 * @throws ConnectorAuthError `oauth_session_not_found`, also for another tenant's; `verifier_wrong`; `rate_limited` when too many
 * requests of the customer are held open.
 */
export async function readSessionStatus(
  context: StatusContext,
  caller: Caller,
  id: string,
  look: {
    readonly waitSeconds: number;
    readonly verifier: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<OAuthSession> {
  const { db, sealer, notifications, closing, openRequests } = context;
  const until = performance.now() + look.waitSeconds * 1000;
  const leave = AbortSignal.any([look.signal, closing]);
  const listener = notifications.listen(topicOf({ id }));
  let release: (() => void) | null = null;
  try {
    for (;;) {
      const session = await requireSession(db, caller, id);
      const isShown = isVerified(session, look.verifier);
      const remainingMs = until - performance.now();
      if (statusOf(session) !== 'pending' || remainingMs <= 0 || leave.aborted) {
        return toResponse(sealer, session, isShown);
      }
      release ??= await openRequests.acquire(session.customerId, leave);
      await listener.next(Math.min(remainingMs, pollMs), leave);
    }
  } finally {
    release?.();
    listener.close();
  }
}

/**
 * Gives a consent up, whatever it may have brought already; one that a connector was made with stays as it is.
 * @throws ConnectorAuthError `oauth_session_not_found`.
 */
export async function cancelSession(
  { db, notifications }: StatusContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const session = await requireSession(db, caller, id);
  const end = { status: 'denied', code: 'cancelled', message: 'The consent was given up' } as const;
  if (await endSession(db, session, ['pending', 'exchanging', 'completed'], end)) {
    await notifications.notify(topicOf(session));
  }
}

async function requireSession(db: Kysely<Tables>, caller: Caller, id: string): Promise<StoredSession> {
  const session = await findTenantSession(db, tenantOf(caller), id);
  if (session !== null) return session;
  await requireExistingCustomer(db, caller);
  throw new ConnectorAuthError('oauth_session_not_found', 'There is no OAuth session with this id');
}

function isVerified({ challenge }: StoredSession, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return false;
  if (secretsMatch(challengeOf(verifier), challenge)) return true;
  throw new ConnectorAuthError('verifier_wrong', "This is not what the session's challenge was made from");
}

/** To the outside, an exchange in progress is not finished. */
export function statusOf({ status }: StoredSession): OAuthSessionStatus {
  return status === 'exchanging' ? 'pending' : status;
}

function toResponse(sealer: Sealer, session: StoredSession, isShown: boolean): OAuthSession {
  const status = statusOf(session);
  const isUsable = status === 'completed' && session.usedBy === null;
  return {
    session_id: session.id,
    connector_type: session.kind,
    status,
    expires_at: session.expiresAt.toISOString(),
    secret_id: isShown && isUsable ? openSecrets(sealer, session, session.sealedSecrets).secretId : null,
    connector_id: session.usedBy,
    error: status === 'denied' || status === 'failed' ? errorOf(session) : null,
  };
}

/** A process that died in the middle of an exchange wrote no reason down. */
function errorOf({ errorCode, errorMessage }: StoredSession): { code: string; message: string } {
  return {
    code: errorCode ?? 'interrupted',
    message: errorMessage ?? 'The service was interrupted while it asked the vendor for the tokens',
  };
}
