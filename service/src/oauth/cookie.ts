import { oauthLifetimeSeconds } from '@connector-auth/api';
import type { SessionRef } from '../oauth-sessions/secrets.ts';

/**
 * The cookie that ties a consent to the browser that passed the service's own page. Each session has one of its own, so that two
 * tabs do not disturb each other. With https it has the `__Host-` prefix: no other host of the domain can set it.
 */
export interface BrowserCookies {
  /** The `Set-Cookie` value that marks this browser. */
  readonly mark: (session: SessionRef, browserKey: string) => string;
  /** The `Set-Cookie` value that takes the mark away. */
  readonly clear: (session: SessionRef) => string;
  /** The mark in a `Cookie` header; null when there is none. */
  readonly read: (session: SessionRef, header: string | undefined) => string | null;
}

/** @param publicUrl decides whether the cookie is for https only. */
export function browserCookies(publicUrl: string): BrowserCookies {
  const isSecure = publicUrl.startsWith('https:');
  const nameOf = ({ id }: SessionRef): string => `${isSecure ? '__Host-' : ''}connector-auth-${id}`;
  // Lax: the vendor's redirect is a top-level navigation from another site.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    mark: (session, browserKey) =>
      `${nameOf(session)}=${browserKey}; Max-Age=${oauthLifetimeSeconds}; ${attributes}`,
    clear: session => `${nameOf(session)}=; Max-Age=0; ${attributes}`,
    read: (session, header = '') => {
      const start = `${nameOf(session)}=`;
      const pair = header
        .split(';')
        .map(text => text.trim())
        .find(text => text.startsWith(start));
      return pair === undefined ? null : pair.slice(start.length);
    },
  };
}
