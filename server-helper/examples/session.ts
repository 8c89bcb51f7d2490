import type { Request } from 'express';

/** Stands for your own session store: session id → customer of the signed-in user. */
const sessions = new Map([['3f1c0a52', 'acme']]);

/** Returns the customer of the signed-in user, or null. */
export function customerOf(request: Request): string | null {
  const sessionId = /(?:^|;\s*)session=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  return (sessionId === undefined ? undefined : sessions.get(sessionId)) ?? null;
}
