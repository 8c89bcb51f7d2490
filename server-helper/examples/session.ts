import type { Request } from 'express';

/** Stands in for your own session store. Maps each session id to the signed-in user's customer. */
const sessions = new Map([['3f1c0a52', 'acme']]);

/** Returns the customer of the signed-in user, or null. */
export function customerOf(request: Request): string | null {
  const sessionId = /(?:^|;\s*)session=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  return (sessionId === undefined ? undefined : sessions.get(sessionId)) ?? null;
}
