import { createHash, timingSafeEqual } from 'node:crypto';

/** An app registered at a vendor: what an operator sets as `OAUTH_<KIND>_CLIENT_ID` and `_CLIENT_SECRET`. */
export interface OAuthApp {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Exact redirect URLs; plain http on a loopback host is allowed besides, on any port and path. */
  readonly redirectUris?: readonly string[];
}

/** The apps registered at one vendor. */
export interface OAuthApps {
  list(): readonly OAuthApp[];
  find(clientId: string | undefined): OAuthApp | undefined;
  /** The app whose id and secret both fit. */
  authenticate(clientId: string | undefined, clientSecret: string | undefined): OAuthApp | undefined;
}

/** A register of apps; the first of those with the same id counts. */
export function createOAuthApps(apps: readonly OAuthApp[]): OAuthApps {
  const find = (clientId: string | undefined): OAuthApp | undefined =>
    apps.find(app => app.clientId === clientId);
  return {
    list: () => apps,
    find,
    authenticate: (clientId, clientSecret) => {
      const app = find(clientId);
      return app && clientSecret !== undefined && isSame(app.clientSecret, clientSecret) ? app : undefined;
    },
  };
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a vendor would send a person back to this address. */
export function isAllowedRedirect(app: OAuthApp, redirectUri: string | undefined): redirectUri is string {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return false;
  if (app.redirectUris?.includes(redirectUri)) return true;
  const { protocol, hostname, hash, username, password } = new URL(redirectUri);
  const isPlain = hash === '' && username === '' && password === '';
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname) && isPlain;
}

/** The client id and secret of an HTTP Basic header, undefined when there is none or it is malformed. */
export function readBasicAuth(header: string | undefined): { user: string; password: string } | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function isSame(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
