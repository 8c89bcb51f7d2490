import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';

/** The access that a user allowed on the consent page, or that a documented credential provides. */
export interface Grant {
  /** The simulator's key for the account that granted consent. */
  readonly account: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /**
   * The resources, such as advertiser ids, that the user chose within the account. Only some vendors offer
   * this choice.
   */
  readonly resources: readonly string[];
}

/** The kinds of tokens that an authorization server issues. */
export type TokenKind = 'code' | 'access' | 'refresh';

/** The state of a presented token. */
export interface TokenReading {
  readonly state: 'live' | 'expired' | 'spent' | 'revoked';
  readonly grant: Grant;
  /** Values bound to the token when it was issued, such as the redirect URI or the code challenge. */
  readonly details: Readonly<Record<string, string>>;
}

/** Options for a new token. Without a lifetime, the token does not expire. */
export interface IssueOptions {
  lifetimeSeconds?: number;
  details?: Record<string, string>;
  /**
   * The vendor's token prefix, such as `ya29.` or `1//`. Must be empty or end in a character outside
   * base64url.
   */
  prefix?: string;
}

/**
 * Issues and validates one vendor's tokens. Tokens are self-contained and signed with a key derived from the
 * seed, so they stay valid when the sandbox restarts. Spent and revoked tokens are recorded in memory.
 */
export interface TokenStore {
  issue(kind: TokenKind, grant: Grant, options?: IssueOptions): string;
  /** Decodes a token; returns undefined if this sandbox did not issue it as this kind. */
  read(kind: TokenKind, token: string): TokenReading | undefined;
  /** Marks a single-use token as spent; returns true only the first time. */
  spend(token: string): boolean;
  /** Revokes one token. */
  revoke(token: string): void;
  /** Revokes all tokens issued so far for the account or for all accounts, and to this app or to all apps. */
  revokeAccount(account?: string, clientId?: string): void;
  /** Expires all access tokens issued so far; refresh tokens stay valid. */
  expireAccessTokens(): void;
}

interface Content {
  readonly kind: TokenKind;
  readonly grant: Grant;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly details: Record<string, string>;
}

/** Creates a vendor's token store with a signing key derived from the seed. */
export function createTokenStore(vendor: string, seed: string, clock: Clock): TokenStore {
  const key = createHmac('sha256', 'connector-auth sandbox').update(`${seed}\0${vendor}`).digest();
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const spent = new Set<string>();
  const revokedTokens = new Set<string>();
  const accountsRevokedAt = new Map<string | undefined, number>();
  let accessExpiredUntil = -1;
  let lastIssuedAt = 0;

  const isRevoked = (token: string, { grant, issuedAt }: Content): boolean =>
    revokedTokens.has(token) ||
    [`${grant.account} ${grant.clientId}`, grant.account, undefined].some(
      key => issuedAt <= (accountsRevokedAt.get(key) ?? -1),
    );

  const stateOf = (token: string, content: Content): TokenReading['state'] => {
    if (isRevoked(token, content)) return 'revoked';
    if (spent.has(token)) return 'spent';
    if (content.expiresAt !== null && content.expiresAt <= clock.now()) return 'expired';
    return content.kind === 'access' && content.issuedAt <= accessExpiredUntil ? 'expired' : 'live';
  };

  return {
    issue: (kind, grant, { lifetimeSeconds, details = {}, prefix = '' } = {}) => {
      // Strictly increasing, so that "issued so far" never includes the next token.
      lastIssuedAt = Math.max(clock.now(), lastIssuedAt + 1);
      const expiresAt = lifetimeSeconds === undefined ? null : clock.now() + lifetimeSeconds * 1000;
      const content: Content = { kind, grant, issuedAt: lastIssuedAt, expiresAt, details };
      const unsigned = prefix + Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${unsigned}.${sign(unsigned)}`;
    },
    read: (kind, token) => {
      const content = open(token, sign);
      if (content?.kind !== kind) return undefined;
      return { state: stateOf(token, content), grant: content.grant, details: content.details };
    },
    spend: token => {
      const isFirst = !spent.has(token);
      spent.add(token);
      return isFirst;
    },
    revoke: token => void revokedTokens.add(token),
    revokeAccount: (account, clientId) =>
      void accountsRevokedAt.set(clientId ? `${account} ${clientId}` : account, lastIssuedAt),
    expireAccessTokens: () => {
      accessExpiredUntil = lastIssuedAt;
    },
  };
}

function open(token: string, sign: (text: string) => string): Content | undefined {
  const [, unsigned, payload, signature] = /^((?:.*[^\w-])?([\w-]+))\.([\w-]+)$/.exec(token) ?? [];
  if (unsigned === undefined || payload === undefined || signature === undefined) return undefined;
  const expected = Buffer.from(sign(unsigned));
  const presented = Buffer.from(signature);
  if (expected.length !== presented.length || !timingSafeEqual(expected, presented)) return undefined;
  // The signature guarantees that `issue` wrote this text, so it has the shape of Content.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Content;
}
