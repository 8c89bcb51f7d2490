import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import {
  deleteEndedSessions,
  deleteSession,
  insertSession,
  type SignedInWith,
} from '../../shared/repositories/admin-sessions.ts';
import { generateSessionSecret, hashOf } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';

const maxLifetimeSeconds = 8 * 60 * 60;
const maxUserAgentLength = 200;

/** What a browser that signs in sent. */
export interface SignInRequest {
  readonly address: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Starts a session, and ends the one that the browser has. Returns the new one, and the `Set-Cookie` value that
 * signs the browser in.
 */
export async function startSession(
  db: Kysely<Tables>,
  of: SignedInWith,
  { address, cookie: sent, userAgent }: SignInRequest,
  cookie: SessionCookie,
): Promise<{ readonly id: string; readonly expiresAt: Date; readonly setCookie: string }> {
  await deleteEndedSessions(db);
  const replaced = cookie.read(sent);
  if (replaced !== null) await deleteSession(db, { hash: hashOf(replaced) });
  const secret = generateSessionSecret();
  const { id, expiresAt, lifetimeSeconds } = await insertSession(db, of, {
    hash: hashOf(secret),
    lifetimeSeconds: maxLifetimeSeconds,
    address,
    // Operators see it in terminals, which interpret other bytes as control characters.
    userAgent: userAgent?.slice(0, maxUserAgentLength).replaceAll(/[^ -~]/g, '?') ?? null,
  });
  return { id, expiresAt, setCookie: cookie.set(secret, lifetimeSeconds) };
}
