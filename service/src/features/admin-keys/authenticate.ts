import { timingSafeEqual } from 'node:crypto';
import { ConnectorAuthError, type Clock, type Endpoint } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { addressKey, type RateLimit } from '../../platform/concurrency/rate-limit.ts';
import type { Semaphore } from '../../platform/concurrency/semaphore.ts';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import { isAdminKey, type AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { AuthenticatedRequest } from '../../shared/auth/authenticate.ts';
import { bearerToken } from '../../shared/auth/bearer-token.ts';
import { findAdminKey, touchAdminKey, type LiveAdminKey } from '../../shared/repositories/admin-keys.ts';
import { findSession, touchSession } from '../../shared/repositories/admin-sessions.ts';
import { hashOf } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';

/** What the authentication of operators needs. */
export interface OperatorContext {
  /** The database with a share of its own for these look-ups. */
  readonly db: Kysely<Tables>;
  readonly adminToken: Secret | null;
  /** Limits the concurrent look-ups of each address. */
  readonly lookUps: Semaphore;
  /** Limits the wrong keys and codes of each address. */
  readonly wrongKeys: RateLimit;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
}

/**
 * Authenticates operators by an admin key, `ADMIN_TOKEN` or a session of the console. Reads the database for each
 * request, so that a deleted key stops working in every process at once.
 * @throws ConnectorAuthError `admin_key_invalid`, `origin_not_allowed` for a change that
 * does not come from the console's own pages, or `rate_limited`.
 */
export function createAuthenticateAdmin(
  context: OperatorContext,
  { ownOrigin, cookie }: { readonly ownOrigin: string; readonly cookie: SessionCookie },
): (request: AuthenticatedRequest, endpoint: Endpoint) => Promise<AdminCaller> {
  return async (request, endpoint) => {
    const { headers, address, reportRejection } = request;
    try {
      const { caller, key } =
        headers.authorization === undefined
          ? await authenticateSession(context, cookie.read(headers.cookie), address)
          : await authenticateKey(context, bearerToken(headers.authorization) ?? '', address);
      if (caller.session !== null && endpoint.method !== 'GET') requireOwnPage(headers, ownOrigin);
      if (key?.isTouchDue === true) await touchAdminKey(context.db, key.id);
      return caller;
    } catch (error) {
      if (error instanceof ConnectorAuthError && error.status < 500) {
        reportRejection({ event: 'operator_rejected', reason: error.code });
      }
      throw error;
    }
  };
}

/** Authenticates an admin key or `ADMIN_TOKEN`, and returns the stored key. Wrong ones are slow and limited. */
export async function authenticateKey(
  context: OperatorContext,
  key: string,
  address: string,
): Promise<{ caller: AdminCaller; key: LiveAdminKey | null }> {
  const { adminToken, wrongKeys } = context;
  const from = addressKey(address);
  // A generated key cannot be guessed, so that others who share the address cannot block it with wrong keys.
  if (!isAdminKey(key)) wrongKeys.requireAvailable(from);
  if (adminToken !== null && isSame(hashOf(key), hashOf(adminToken.reveal()))) {
    return { caller: adminTokenCaller, key: null };
  }
  const found = isAdminKey(key)
    ? await context.lookUps.run(from, () => findAdminKey(context.db, hashOf(key)))
    : null;
  if (found !== null) return { caller: callerOf(found), key: found };
  return rejectWrongKey(context, address, new ConnectorAuthError('admin_key_invalid', reasonOf(key)));
}

/**
 * Rejects a wrong key or code after a delay.
 * @throws `error`, or LimitError `rate_limited` if the address has sent too many of them.
 */
export async function rejectWrongKey(
  { wrongKeys, clock }: OperatorContext,
  address: string,
  error: ConnectorAuthError,
): Promise<never> {
  wrongKeys.take(addressKey(address));
  await clock.sleep(wrongKeyDelayMs);
  throw error;
}

async function authenticateSession(
  context: OperatorContext,
  secret: string | null,
  address: string,
): Promise<{ caller: AdminCaller; key: LiveAdminKey | null }> {
  const session =
    secret === null
      ? null
      : await context.lookUps.run(addressKey(address), () => findSession(context.db, hashOf(secret)));
  if (session !== null) {
    const { id, expiresAt, of } = session;
    if (session.isTouchDue) await touchSession(context.db, id);
    if ('id' in of) return { caller: { ...callerOf(of), session: { id, expiresAt } }, key: of };
    if (context.adminToken !== null && isSame(of.adminTokenHash, hashOf(context.adminToken.reveal()))) {
      return { caller: { ...adminTokenCaller, session: { id, expiresAt } }, key: null };
    }
  }
  throw new ConnectorAuthError(
    'admin_key_invalid',
    secret === null
      ? 'Send an admin key in the header Authorization: Bearer <key>, or sign in to the console'
      : 'The session has ended: sign in again',
  );
}

const wrongKeyDelayMs = 1000;

const adminTokenCaller: AdminCaller = {
  kind: 'admin',
  keyId: null,
  name: 'ADMIN_TOKEN',
  access: 'write',
  session: null,
};

function callerOf({ id, name, access }: LiveAdminKey): AdminCaller {
  return { kind: 'admin', keyId: id, name, access, session: null };
}

function isSame(hash: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(other));
}

function reasonOf(key: string): string {
  if (isAdminKey(key)) return 'The admin key is unknown, expired or deleted';
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)
    ? 'Endpoints under /api/v1/admin need an admin key: a token of an application does not allow them'
    : 'The value is neither an admin key nor ADMIN_TOKEN';
}

/** A browser that is signed in sends its cookie from every page of the same site. */
function requireOwnPage(headers: AuthenticatedRequest['headers'], ownOrigin: string): void {
  if (headers.origin === ownOrigin || headers['sec-fetch-site'] === 'same-origin') return;
  throw new ConnectorAuthError(
    'origin_not_allowed',
    `A session can change something only from the console's own pages at ${ownOrigin}`,
  );
}
