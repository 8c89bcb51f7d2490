import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { deleteEndedSessions, insertSession, type SignedInWith } from '../repositories/admin-sessions.ts';
import { generateSessionSecret, hashOf } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';

const maxLifetimeSeconds = 8 * 60 * 60;

/** Starts a session, and returns its end and the `Set-Cookie` value that signs the browser in. */
export async function startSession(
  db: Kysely<Tables>,
  of: SignedInWith,
  cookie: SessionCookie,
): Promise<{ readonly expiresAt: Date; readonly setCookie: string }> {
  await deleteEndedSessions(db);
  const secret = generateSessionSecret();
  const stored = { hash: hashOf(secret), lifetimeSeconds: maxLifetimeSeconds };
  const { expiresAt, lifetimeSeconds } = await insertSession(db, of, stored);
  return { expiresAt, setCookie: cookie.set(secret, lifetimeSeconds) };
}
