import { oauthLifetimeSeconds } from '@connector-auth/api';
import { cookieAttributes, hostCookieName, readCookie } from '../../shared/http/cookies.ts';
import type { SessionRef } from '../../shared/oauth-sessions/secrets.ts';

/**
 * The cookie that binds an OAuth session, and so its `state`, to the browser that started it (RFC 6749, section 10.12).
 * Each session has its own cookie, so two tabs do not interfere. Over https, the `__Host-` prefix prevents other hosts on
 * the domain from setting the cookie.
 */
export interface BrowserCookies {
  /** Returns the `Set-Cookie` value that stores the browser key. */
  readonly set: (session: SessionRef, browserKey: string) => string;
  /** Returns the `Set-Cookie` value that deletes the cookie. */
  readonly clear: (session: SessionRef) => string;
  /** Reads a session's browser key from a `Cookie` header. */
  readonly read: (session: SessionRef, header: string | undefined) => string | null;
}

/** @param publicUrl the cookie is `Secure` if this URL is https. */
export function browserCookies(publicUrl: string): BrowserCookies {
  const nameOf = ({ id }: SessionRef): string => hostCookieName(`connector-auth-${id}`, publicUrl);
  // SameSite must be Lax because the vendor's redirect is a top-level navigation from another site.
  const attributes = cookieAttributes('Lax', publicUrl);
  return {
    set: (session, browserKey) =>
      `${nameOf(session)}=${browserKey}; Max-Age=${oauthLifetimeSeconds}; ${attributes}`,
    clear: session => `${nameOf(session)}=; Max-Age=0; ${attributes}`,
    read: (session, header) => readCookie(nameOf(session), header),
  };
}
