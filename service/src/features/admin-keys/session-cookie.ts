import { cookieAttributes, hostCookieName, readCookie } from '../../shared/http/cookies.ts';

/** The cookie that signs a browser in to the console. */
export interface SessionCookie {
  /** Returns the `Set-Cookie` value that stores the session's secret. */
  readonly set: (secret: string, maxAgeSeconds: number) => string;
  /** Returns the `Set-Cookie` value that deletes the cookie. */
  readonly clear: () => string;
  /** Reads the session's secret from a `Cookie` header. */
  readonly read: (header: string | undefined) => string | null;
}

/** @param consoleUrl the cookie is `Secure` if this URL is https. */
export function sessionCookie(consoleUrl: string): SessionCookie {
  const name = hostCookieName('connector-auth-admin', consoleUrl);
  const attributes = cookieAttributes('Strict', consoleUrl);
  return {
    set: (secret, maxAgeSeconds) => `${name}=${secret}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read: header => readCookie(name, header),
  };
}
