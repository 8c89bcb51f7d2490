import { isLoopback } from '@connector-auth/api';

/** What a redirect URL must be, for error messages. */
export const redirectUrlRule = 'https URLs (http on localhost) without user or fragment';

/** Returns whether a URL can be registered for an application. */
export function isRedirectUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && username === '' && password === '' && hash === '' && !text.endsWith('#');
}
