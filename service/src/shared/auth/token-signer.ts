import { createSecretKey, hkdfSync, randomUUID, type KeyObject } from 'node:crypto';
import {
  actionNames,
  applicationTokenLifetimeSeconds,
  ConnectorAuthError,
  customerTokenLifetimeSeconds,
  dataRights,
  managementRights,
  // oxlint-disable-next-line no-restricted-imports -- reads claims that this service signed
  parseJson,
  stringifyJson,
  type AccessLevel,
  type Clock,
  type TokenKind,
} from '@connector-auth/api';
import { compactDecrypt, CompactEncrypt, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { KeyRing } from '../../platform/crypto/key-ring.ts';
import type { GrantedRights, ReplicationDefaults } from './rights.ts';

/**
 * The content of a token. An application token lists all organizations of its application, and each request
 * selects one.
 */
export type TokenContent = ApplicationContent | ScopedContent | WidgetContent;

export interface ApplicationContent extends TokenIdentity, Pick<GrantedRights, 'allowedData'> {
  readonly kind: 'application';
  readonly organizationIds: readonly [string, ...string[]];
}

export interface ScopedContent extends CustomerContent {
  readonly kind: 'scoped';
}

export interface WidgetContent extends CustomerContent {
  readonly kind: 'widget';
  readonly allowedOrigin: string;
  /** The connect link that the page belongs to. */
  readonly linkId: string | null;
}

interface CustomerContent extends TokenIdentity, GrantedRights {
  readonly organizationId: string;
  readonly customer: { readonly id: string; readonly name: string };
  /** The access of the connectors that the token creates or reconnects. */
  readonly access: AccessLevel;
  readonly replicationDefaults: ReplicationDefaults;
}

export interface TokenIdentity {
  readonly applicationId: string;
  /** Identifies the token in the audit log. */
  readonly tokenId: string;
  /** When the token was issued, by the database's clock, in microseconds since the Unix epoch. */
  readonly issuedAtUs: number;
}

/** The content of a token that has no id yet. */
export type NewTokenContent = WithoutId<TokenContent>;
type WithoutId<Content> = Content extends TokenContent ? Omit<Content, 'tokenId'> : never;

export interface SignedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly expiresInSeconds: number;
}

/** Signs and verifies tokens without accessing the database. */
export interface TokenSigner {
  /** @param maxSeconds the maximum lifetime, if it is shorter than usual. */
  sign(content: NewTokenContent, maxSeconds?: number): Promise<SignedToken>;
  /**
   * Verifies a token. Throws `token_expired` if the token has expired, and `token_invalid` for any other
   * defect.
   */
  verify(token: string): Promise<TokenContent>;
}

const algorithm = 'HS256';
const issuer = 'connector-auth';
const audience = 'connector-auth/api';

const maxCachedTokens = 2000;

/** The `typ` header for each kind of token, which prevents one kind from being accepted as another (RFC 8725, section 3.11). */
const types: Record<TokenKind, string> = {
  application: 'application+jwt',
  scoped: 'scoped+jwt',
  widget: 'widget+jwt',
};

/** The header of widget tokens that belong to a connect link. Earlier versions, which ignore the link, reject them. */
const linkType = 'link+jwt';

const lifetimes: Record<TokenKind, number> = {
  application: applicationTokenLifetimeSeconds,
  scoped: customerTokenLifetimeSeconds,
  widget: customerTokenLifetimeSeconds,
};

/**
 * Creates a signer of JWTs that uses one fixed algorithm (RFC 8725, section 3.1). Signs with the first key, and verifies
 * with the key that the `kid` header specifies (RFC 7515, section 4.1.4). Tokens are valid only for the installation
 * with this id, which is one of their audiences (RFC 7519, section 4.1.3).
 */
export function createTokenSigner(
  keys: KeyRing,
  clock: Pick<Clock, 'now'>,
  installationId: string,
): TokenSigner {
  const keysById = new Map<string, TokenKeys>(keys.map(({ id, secret }) => [id, tokenKeys(secret.reveal())]));
  const active = keys[0].id;
  const keysOf = (kid: string | undefined): TokenKeys => {
    const found = kid === undefined ? undefined : keysById.get(kid);
    if (found === undefined) throw invalid();
    return found;
  };

  // Clients send the same token repeatedly. Caching verified tokens until they expire saves 0.1 ms per
  // request.
  const verified = new LRUCache<string, { content: TokenContent; expiresAtMs: number }>({
    max: maxCachedTokens,
  });

  return {
    sign: async (content, maxSeconds = Infinity) => {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresInSeconds = Math.min(lifetimes[content.kind], maxSeconds);
      const tokenId = randomUUID();
      const { signing, encryption } = keysOf(active);
      const token = await new SignJWT(await toClaims(content, encryption))
        .setProtectedHeader({ alg: algorithm, typ: typeOf(content), kid: active })
        .setIssuer(issuer)
        .setAudience([audience, installationId])
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(signing);
      return { token, tokenId, expiresInSeconds };
    },

    verify: async token => {
      const cached = verified.get(token);
      if (cached !== undefined && clock.now() < cached.expiresAtMs) return cached.content;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keysOf(kid).signing, {
          algorithms: [algorithm],
          issuer,
          audience: installationId,
          currentDate: new Date(clock.now()),
          requiredClaims: ['exp', 'iat', 'sub'],
        });
        const claims = await withOpenSettings(payload, keysOf(protectedHeader.kid).encryption);
        const content = fromClaims(protectedHeader.typ, claims);
        // The options above require `exp`.
        verified.set(token, { content, expiresAtMs: (payload.exp ?? 0) * 1000 });
        return content;
      } catch (cause) {
        if (cause instanceof errors.JWTExpired) {
          throw new ConnectorAuthError('token_expired', 'The bearer token has expired: request a new one', {
            cause,
          });
        }
        throw invalid(cause);
      }
    },
  };
}

interface TokenKeys {
  readonly signing: KeyObject;
  /** Encrypts what the holder of a token must not read. */
  readonly encryption: KeyObject;
}

function tokenKeys(secret: Buffer): TokenKeys {
  const encryption = Buffer.from(hkdfSync('sha256', secret, '', 'token settings', 32));
  return { signing: createSecretKey(secret), encryption: createSecretKey(encryption) };
}

/** RFC 7518, sections 4.5 and 5.3. */
const encryptionAlgorithms = { alg: 'dir', enc: 'A256GCM' };

function encrypt(text: string, key: KeyObject): Promise<string> {
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(encryptionAlgorithms).encrypt(key);
}

/** Decrypts the default settings of a token, if it has any. */
async function withOpenSettings(payload: JWTPayload, key: KeyObject): Promise<JWTPayload> {
  const { settings } = payload;
  // Earlier versions sign the JSON itself.
  if (typeof settings !== 'string' || settings.startsWith('{')) return payload;
  const { alg, enc } = encryptionAlgorithms;
  const { plaintext } = await compactDecrypt(settings, key, {
    keyManagementAlgorithms: [alg],
    contentEncryptionAlgorithms: [enc],
  });
  return { ...payload, settings: Buffer.from(plaintext).toString() };
}

function invalid(cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The bearer token was not issued by this service', {
    cause,
  });
}

const commonClaims = z.object({
  sub: z.uuid(),
  /** The issue time of the database's clock in microseconds. */
  iat_us: z.int(),
  jti: z.string(),
  /** Missing in tokens without these rights. */
  data: z.array(z.enum(dataRights)).optional(),
});
const applicationClaims = commonClaims.extend({ orgs: z.tuple([z.uuid()], z.uuid()) });
const scopedClaims = commonClaims.extend({
  app: z.uuid(),
  org: z.uuid(),
  customer: z.string(),
  sources: z.array(z.string()).optional(),
  actions: z.array(z.enum(actionNames)),
  management: z.array(z.enum(managementRights)),
  /** Missing in tokens whose connectors may change data. */
  access: z.literal('read').optional(),
  /** The default settings as lossless JSON, which is encrypted in the token. Missing in tokens without any. */
  settings: z.string().optional(),
});
const settingsByKind = z.record(z.string(), z.record(z.string(), z.unknown()));
const widgetClaims = scopedClaims.extend({ origin: z.string() });
const linkClaims = widgetClaims.extend({ link: z.uuid() });

function typeOf(content: NewTokenContent): string {
  return content.kind === 'widget' && content.linkId !== null ? linkType : types[content.kind];
}

async function toClaims(content: NewTokenContent, encryption: KeyObject): Promise<JWTPayload> {
  const { issuedAtUs: iat_us } = content;
  const data = content.allowedData.length === 0 ? {} : { data: content.allowedData };
  if (content.kind === 'application')
    return { sub: content.applicationId, iat_us, orgs: content.organizationIds, ...data };
  return {
    sub: content.customer.id,
    iat_us,
    app: content.applicationId,
    org: content.organizationId,
    customer: content.customer.name,
    ...(content.allowedSources === null ? {} : { sources: content.allowedSources }),
    actions: content.allowedActions,
    management: content.allowedManagement,
    ...data,
    ...(content.access === 'read' ? { access: content.access } : {}),
    ...(Object.keys(content.replicationDefaults).length === 0
      ? {}
      : { settings: await encrypt(stringifyJson(content.replicationDefaults), encryption) }),
    ...(content.kind === 'widget' ? { origin: content.allowedOrigin } : {}),
    ...(content.kind === 'widget' && content.linkId !== null ? { link: content.linkId } : {}),
  };
}

function fromClaims(type: string | undefined, payload: unknown): TokenContent {
  if (type === types.application) {
    const claims = applicationClaims.parse(payload);
    return {
      kind: 'application',
      applicationId: claims.sub,
      organizationIds: claims.orgs,
      tokenId: claims.jti,
      issuedAtUs: claims.iat_us,
      allowedData: claims.data ?? [],
    };
  }
  if (type === types.scoped) return { kind: 'scoped', ...customerContent(scopedClaims.parse(payload)) };
  if (type === types.widget) {
    const claims = widgetClaims.parse(payload);
    return { kind: 'widget', ...customerContent(claims), allowedOrigin: claims.origin, linkId: null };
  }
  if (type === linkType) {
    const claims = linkClaims.parse(payload);
    return { kind: 'widget', ...customerContent(claims), allowedOrigin: claims.origin, linkId: claims.link };
  }
  throw invalid();
}

function customerContent(claims: z.infer<typeof scopedClaims>): CustomerContent {
  return {
    applicationId: claims.app,
    organizationId: claims.org,
    tokenId: claims.jti,
    issuedAtUs: claims.iat_us,
    customer: { id: claims.sub, name: claims.customer },
    allowedSources: claims.sources ?? null,
    allowedActions: claims.actions,
    allowedManagement: claims.management,
    allowedData: claims.data ?? [],
    access: claims.access ?? 'write',
    replicationDefaults:
      claims.settings === undefined ? {} : settingsByKind.parse(parseJson(claims.settings)),
  };
}
