import { oauthLifetimeSeconds } from '@connector-auth/api';
import type { SessionRef } from '../oauth-sessions/secrets.ts';

/**
 * The cookie that binds a consent to the browser that started it. Each session has its own, so that two
 * tabs do not interfere. With https it has the `__Host-` prefix, so that no other host of the domain can set
 * it.
 */
export interface BrowserCookies {
  /** Returns the `Set-Cookie` value that stores the browser key. */
  readonly set: (session: SessionRef, browserKey: string) => string;
  /** Returns the `Set-Cookie` value that deletes the cookie. */
  readonly clear: (session: SessionRef) => string;
  /** Reads the browser key from a `Cookie` header. */
  readonly read: (session: SessionRef, header: string | undefined) => string | null;
}

/** @param publicUrl its scheme decides whether the cookie is `Secure`. */
export function browserCookies(publicUrl: string): BrowserCookies {
  const isSecure = publicUrl.startsWith('https:');
  const nameOf = ({ id }: SessionRef): string => `${isSecure ? '__Host-' : ''}connector-auth-${id}`;
  // Lax: the vendor's redirect is a top-level navigation from another site.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    set: (session, browserKey) =>
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
