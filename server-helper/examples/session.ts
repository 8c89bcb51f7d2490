import type { IncomingHttpHeaders } from 'node:http';

/** Stands in for your own session store. Maps each session id to the signed-in user's customer. */
const sessions = new Map([['3f1c0a52', 'acme']]);

/** Returns the customer of the signed-in user, or null. */
export function customerOf({ headers }: { headers: Headers | IncomingHttpHeaders }): string | null {
  const cookies = headers instanceof Headers ? headers.get('cookie') : headers.cookie;
  const sessionId = /(?:^|;\s*)session=(\w+)/.exec(cookies ?? '')?.[1];
  return (sessionId === undefined ? undefined : sessions.get(sessionId)) ?? null;
}
