import type { Clock } from '@connector-auth/api';
import { cookieAttributes, hostCookieName, readCookie } from '../../../shared/http/cookies.ts';

/**
 * The cookie that binds a visit of a link to the browser that opened it. Each link has its own cookie, so two tabs do
 * not interfere.
 */
export interface VisitCookie {
  /** Returns the `Set-Cookie` value that stores the browser key until an hour after the link expires. */
  readonly set: (linkId: string, browserKey: string, expiresAt: Date) => string;
  /** Reads the browser key for a link from a `Cookie` header. */
  readonly read: (linkId: string, header: string | undefined) => string | null;
}

/** How long a page that was left open can still say that its link has expired. */
const graceSeconds = 60 * 60;

/** @param publicUrl the cookie is `Secure` if this URL is https. */
export function visitCookie(publicUrl: string, clock: Pick<Clock, 'now'>): VisitCookie {
  const nameOf = (linkId: string): string => hostCookieName(`connector-auth-link-${linkId}`, publicUrl);
  // SameSite must be Lax because the helper's redirect is a top-level navigation from another site.
  const attributes = cookieAttributes('Lax', publicUrl);
  return {
    set: (linkId, browserKey, expiresAt) => {
      const secondsLeft = Math.max(0, Math.floor((expiresAt.getTime() - clock.now()) / 1000));
      return `${nameOf(linkId)}=${browserKey}; Max-Age=${secondsLeft + graceSeconds}; ${attributes}`;
    },
    read: (linkId, header) => readCookie(nameOf(linkId), header),
  };
}
