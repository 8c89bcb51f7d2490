import type { Request } from 'express';

/** What your own sign-in keeps: the session id in the cookie → the customer that person belongs to. */
const sessions = new Map([['3f1c0a52', 'acme']]);

/** The customer of the person who is signed in, or null. */
export function customerOf(request: Request): string | null {
  const sessionId = /(?:^|;\s*)session=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  return (sessionId === undefined ? undefined : sessions.get(sessionId)) ?? null;
}
