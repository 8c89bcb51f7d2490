import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import {
  agentScopeNames,
  agentTokenLifetimeSeconds,
  defaultAgentScopes,
  // oxlint-disable-next-line no-restricted-imports -- reads and writes keys of clients, not data of connectors
  parseJson,
  // oxlint-disable-next-line no-restricted-imports -- as above
  stringifyJson,
  type Clock,
} from '@connector-auth/api';
import type { Request as ServiceRequest, Response } from 'express';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  Provider,
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { addressKey, limitPerMinute, type RateLimit } from '../../../platform/concurrency/rate-limit.ts';
import type { KeyRing } from '../../../platform/crypto/key-ring.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Outbound, OutboundResponse } from '../../../platform/outbound/outbound.ts';
import { findSignInOrganization } from '../../../shared/repositories/agents.ts';
import { createAdapter } from './adapter.ts';
import {
  acceptedKeys,
  applyClientRules,
  isClientId,
  isKeySet,
  maxMetadataBytes,
  requireShortAssertion,
  supportedGrantTypes,
} from './client-metadata.ts';
import { sendErrorPage } from './error-page.ts';

export interface ProviderContext {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  readonly signingKeys: KeyRing;
  readonly outbound: Pick<Outbound, 'get'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The origin of the service: the issuer. */
  readonly publicUrl: string;
}

const signInLifetimeSeconds = 30 * 60;
const maxRefreshLifetimeSeconds = 30 * 24 * 60 * 60;
const maxStateLength = 2_048;

/**
 * Configures the authorization server: OAuth 2.1 with codes, PKCE, refresh tokens that rotate, and resources. Tokens are
 * opaque. Nothing of OpenID Connect is supported.
 */
export function createProvider(context: ProviderContext): Provider {
  const { publicUrl, log } = context;
  const provider = new Provider(publicUrl, configure(context));
  // All URLs are those of PUBLIC_URL, and so is whether cookies are secure: the connection can be that of a proxy.
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  const isSecure = publicUrl.startsWith('https:');
  provider.use(async (ctx, next) => {
    Object.defineProperty(ctx, 'secure', { value: isSecure });
    ctx.cookies.secure = isSecure;
    if (ctx.path === '/agents/authorize') ctx.query = knownParameters(ctx.query);
    await next();
    if (ctx.path.startsWith('/.well-known/') && ctx.method === 'GET')
      ctx.body = knownMetadata(ctx.body as Metadata);
  });
  logErrors(provider, log);
  reportUnreadDocuments(provider);
  return provider;
}

/** The document of a client, or its keys, cannot be read for now. */
class DocumentUnread extends Error {
  override readonly name = 'DocumentUnread';
}

/** The library calls such a client unknown. It would give up its tokens, although its host may only be down for a moment. */
function reportUnreadDocuments(events: EventEmitter): void {
  events.on('grant.error', (ctx: KoaContextWithOIDC, error: Error) => {
    if (!(error.cause instanceof DocumentUnread)) return;
    ctx.status = 503;
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'the client metadata document cannot be read: try again later',
    };
  });
}

function logErrors(events: EventEmitter, log: Log): void {
  events.on('error', (error: unknown) => log.error('authorization_server_failed', { error }));
  events.on('server_error', ({ path }: KoaContextWithOIDC, error: unknown) =>
    log.error('authorization_server_failed', { error, path }),
  );
  for (const event of ['authorization', 'grant', 'registration_create', 'revocation']) {
    events.on(`${event}.error`, ({ path, oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
      log.info('agent_request_rejected', {
        path,
        client_id: oidc.client?.clientId ?? null,
        error: error.error,
        reason: error.error_detail ?? error.error_description ?? null,
      }),
    );
  }
}

function configure(context: ProviderContext): Configuration {
  const { db, sealer, signingKeys, publicUrl, clock } = context;
  const off = { enabled: false };
  const recent: RecentDocuments = new LRUCache({ max: 100, ttl: 30_000 });
  const documents = limitPerMinute('agent-documents', 20, clock);
  // Strangers choose their URLs.
  const allDocuments = limitPerMinute('agent-documents-total', 300, clock);
  return {
    adapter: createAdapter({ db, sealer }),
    // The library wants a key for ID tokens, which it does not issue here. No client sees it.
    jwks: { keys: [generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })] },
    clientDefaults: {
      grant_types: supportedGrantTypes,
      id_token_signed_response_alg: 'EdDSA',
      token_endpoint_auth_method: 'none',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    // Those of the keys that are supported.
    enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256'] },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) => requireShortAssertion(claims),
    extraClientMetadata: {
      properties: ['application_type'],
      validator: (_ctx, _name, _value, metadata) => applyClientRules(metadata),
    },
    // Nothing here depends on cookies but the pages of the service itself.
    clientBasedCORS: () => true,
    cookies: {
      names: { interaction: 'agent_sign_in', resume: 'agent_sign_in_resume', session: 'agent_session' },
      // Nothing is stored for the cookie of the library's session.
      long: { path: '/agents/authorize' },
      keys: signingKeys.map(({ secret }) =>
        Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'agent sign-in cookie', 32)),
      ),
    },
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // Called if the document is not cached. The pages of sign-ins, which have a limit themselves, have no context.
        allowFetch: (ctx: KoaContextWithOIDC | undefined, clientId) => {
          if (!isClientId(clientId)) return false;
          if (ctx === undefined || recent.has(clientId)) return true;
          // Express has created the request.
          const address = addressKey((ctx.req as ServiceRequest).ip ?? '');
          const message = 'too many client metadata documents: try again later';
          if (documents.usage(address).remaining === 0) throw new errors.TemporarilyUnavailable(message);
          documents.take(address);
          // Reading fails if no more is allowed, and a client would then give up its tokens, as if it were unknown.
          if (allDocuments.usage('').remaining === 0) throw new errors.TemporarilyUnavailable(message);
          return true;
        },
      },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => {
          if (oneOf === undefined) throw new errors.InvalidTarget('resource is required');
          return oneOf;
        },
        // Called if a token request names none.
        useGrantedResource: (_ctx, { kind }) => {
          if (kind === 'AuthorizationCode') throw new errors.InvalidTarget('resource is required');
          return true;
        },
        getResourceServerInfo: async (ctx, resource) => {
          if (Array.isArray(ctx.oidc.params?.['resource'])) {
            throw new errors.InvalidTarget('only one resource can be requested');
          }
          if ((await findSignInOrganization(db, publicUrl, resource)) === null) {
            throw new errors.InvalidTarget('no MCP server has this URL');
          }
          return { scope: agentScopeNames.join(' '), audience: resource, accessTokenFormat: 'opaque' };
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, { clientId }, token) => token.clientId === clientId,
      },
      rpInitiatedLogout: off,
      userinfo: off,
    },
    // The id of the grant: it says who has allowed it.
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      policy: [
        new interactionPolicy.Prompt(
          { name: 'login' },
          new interactionPolicy.Check(
            'undecided',
            'A person must decide',
            ({ oidc: { result } }) => result?.consent === undefined,
          ),
        ),
      ],
      url: (_ctx, { uid }) => `${publicUrl}/agents/sign-in/${uid}`,
    },
    loadExistingGrant: async ctx => {
      const { grantId } = ctx.oidc.result?.consent ?? {};
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    pkce: { required: () => true },
    extraParams: {
      state: (_ctx, value) => {
        if (value !== undefined && value.length > maxStateLength) {
          throw new errors.InvalidRequest(`state must have at most ${maxStateLength} characters`);
        }
      },
    },
    responseTypes: ['code'],
    scopes: [],
    routes: {
      authorization: '/agents/authorize',
      token: '/agents/token',
      registration: '/agents/register',
      revocation: '/agents/revoke',
    },
    ttl: {
      AccessToken: agentTokenLifetimeSeconds,
      AuthorizationCode: 60,
      Interaction: signInLifetimeSeconds,
      // Not stored.
      Session: signInLifetimeSeconds,
      RefreshToken: ({ oidc }) => {
        const agentEnds = oidc.entities.Grant?.exp ?? 0;
        return Math.max(1, Math.min(maxRefreshLifetimeSeconds, agentEnds - Math.floor(Date.now() / 1000)));
      },
    },
    renderError: (ctx, _out, error) => {
      // Express has created it, and sends the page.
      sendErrorPage(ctx.res as ServerResponse & Response, ctx.status, reasonOf(error));
      ctx.respond = false;
    },
    fetch: createFetch(context.outbound, recent, allDocuments),
    // The default limit of a metadata document is the same.
    fetchResponseBodyLimits: { jwks_uri: maxMetadataBytes },
  };
}

/**
 * The last responses, by URL. The library reads a document again for each request if it is not valid, so they are remembered
 * for a short time.
 */
type RecentDocuments = LRUCache<string, Promise<OutboundResponse>>;

/** Creates the function that reads documents of clients. */
function createFetch(
  outbound: ProviderContext['outbound'],
  recent: RecentDocuments,
  total: RateLimit,
): NonNullable<Configuration['fetch']> {
  const read = async (url: string, signal: AbortSignal): Promise<OutboundResponse> => {
    const known = recent.get(url);
    if (known !== undefined) return known;
    total.take('');
    // One byte more, so that the library rejects what is too large.
    const limits = { timeoutMs: 5_000, maxBytes: maxMetadataBytes + 1, signal };
    const reading = outbound.get(url, { accept: 'application/json' }, limits);
    recent.set(url, reading);
    return reading;
  };
  return async (input, options) => {
    const url = typeof input === 'string' ? input : new Request(input).url;
    const signal = options?.signal ?? AbortSignal.timeout(5_000);
    const response = await read(url, signal).catch((cause: Error) => {
      throw new DocumentUnread(cause.message, { cause });
    });
    const { status, text, cacheControl, contentType } = response;
    if (status === 429 || status >= 500) throw new DocumentUnread(`unexpected response status ${status}`);
    if (status === 200 && !isJsonType(contentType)) throw new Error('the document is not served as JSON');
    return new Response(status === 200 ? withAcceptedKeys(text) : null, {
      status,
      headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl },
    });
  };
}

function isJsonType(contentType: string | undefined): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}

/** The library also reads the keys of clients, and does not say when. */
function withAcceptedKeys(text: string): string {
  if (Buffer.byteLength(text) > maxMetadataBytes) return text;
  const document = parseJson(text);
  return isKeySet(document) ? stringifyJson(acceptedKeys(document)) : text;
}

/**
 * Returns the parameters of an authorization request that are supported. Parameters of OpenID Connect, and scopes and prompts
 * that do not exist here, are ignored: clients send them to every server.
 */
function knownParameters({
  scope,
  prompt,
  response_mode: _mode,
  ...parameters
}: ParsedUrlQuery): ParsedUrlQuery {
  for (const name of openIdParameters) delete parameters[name];
  const asked = String(scope ?? '').split(' ');
  const scopes = agentScopeNames.filter(name => asked.includes(name));
  return {
    ...parameters,
    scope: (scopes.length > 0 ? scopes : defaultAgentScopes).join(' '),
    ...(prompt === 'none' && { prompt }),
  };
}

const openIdParameters = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

type Metadata = Readonly<Record<string, unknown>>;

/** Returns the server's metadata without that of OpenID Connect, which the library adds. */
function knownMetadata(metadata: Metadata): Metadata {
  return {
    ...Object.fromEntries(Object.entries(metadata).filter(([name]) => publishedMetadata.has(name))),
    response_modes_supported: ['query'],
    scopes_supported: agentScopeNames,
  };
}

const publishedMetadata = new Set([
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
]);

function reasonOf(error: Error & Partial<errors.OIDCProviderError>): string {
  return error.expose === true && error.error !== undefined
    ? [error.error, error.error_description].filter(Boolean).join(': ')
    : 'server_error';
}
