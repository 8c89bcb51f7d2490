import { createHash, timingSafeEqual } from 'node:crypto';

/** An OAuth app, which an operator configures as `OAUTH_<KIND>_CLIENT_ID` and `_CLIENT_SECRET`. */
export interface OAuthApp {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The allowed redirect URLs, which must match exactly. Loopback http URLs are always allowed. */
  readonly redirectUris?: readonly string[];
}

/** The OAuth apps of one vendor. */
export interface OAuthApps {
  list(): readonly OAuthApp[];
  find(clientId: string | undefined): OAuthApp | undefined;
  /** Finds the app with this id and secret. */
  authenticate(clientId: string | undefined, clientSecret: string | undefined): OAuthApp | undefined;
}

/** Creates a registry of apps. If several apps have the same id, the first one applies. */
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

/** Returns whether the app may use the redirect URL. */
export function isAllowedRedirect(app: OAuthApp, redirectUri: string | undefined): redirectUri is string {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return false;
  if (app.redirectUris?.includes(redirectUri)) return true;
  const { protocol, hostname, hash, username, password } = new URL(redirectUri);
  const isPlain = hash === '' && username === '' && password === '';
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname) && isPlain;
}

/** Parses an HTTP Basic header; returns undefined if it is missing or malformed. */
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
