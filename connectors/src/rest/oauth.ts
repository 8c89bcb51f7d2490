import { z } from 'zod';
import { consentUrl, readStandardCallback, readTokenError, type Scope } from '../kind/consent.ts';
import { vendorError } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import type { AuthMethod } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import type { Api, Values } from './api.ts';
import { requestTokens, withAccess, type AuthTexts, type ClientAuthentication } from './auth.ts';
import { accessOf, accessState, isAccessDue, readGrantError } from './tokens.ts';

export interface OAuthOptions extends AuthTexts {
  /** The vendor's consent page. */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Names of the scopes, or scopes with what the consent page says about them. */
  readonly scopes: readonly (string | Scope)[];
  /** Between scopes. Default: a space, as in RFC 6749. */
  readonly scopeSeparator?: string;
  /** Whether the vendor supports PKCE with S256 (RFC 7636). Default: true. */
  readonly usesPkce?: boolean;
  /** See `Consent.issuer`. */
  readonly issuer?: string;
  /** Other parameters of the consent page, such as `access_type: 'offline'`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Default: `body`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** Returns what to keep of a token response, such as the account or the address of its API. It is in `grant.state`. */
  readonly readState?: (tokens: Values) => Grant['state'];
  /** The endpoint that revokes tokens (RFC 7009). Default: only a person can revoke the grant. */
  readonly revocationUrl?: string;
}

/**
 * OAuth 2 with a code (RFC 6749, section 4.1). Refresh tokens can be used once or repeatedly: a new one in a response replaces the
 * stored one. Without a refresh token, the access token is used until the vendor rejects it.
 */
export function oauth(
  api: Api,
  options: OAuthOptions,
): AuthMethod & { readonly type: 'oauth'; readonly isConsentOnly: true } {
  const { authorizeUrl, tokenUrl, usesPkce = true, issuer, parameters, readState, revocationUrl } = options;
  const { clientAuthentication = 'body', scopeSeparator = ' ', description, instead, helpUrl } = options;
  const scopes = options.scopes.map(scope => (typeof scope === 'string' ? { name: scope } : scope));

  /** Reads the tokens of a successful response; null for any other. */
  function readTokens({ status, body }: VendorResponse, previous: Grant['credentials'], nowMs: number) {
    const tokens = asObject(body);
    const access = asString(tokens['access_token']);
    // Some vendors send errors with status 200.
    if (status !== 200 || access === null || access === '') return null;
    const refresh = asString(tokens['refresh_token']) ?? previous['refresh_token'];
    const credentials = refresh === undefined ? { access_token: access } : { refresh_token: refresh };
    const state = refresh === undefined ? {} : accessState(access, tokens['expires_in'], refresh, nowMs);
    return { credentials, state: { ...state, ...readState?.(tokens) } };
  }

  return {
    id: options.id ?? 'oauth',
    type: 'oauth',
    title: options.title ?? `Sign in with ${api.name}`,
    description,
    ...(instead !== undefined && { instead }),
    helpUrl,
    isConsentOnly: true,
    fields: z.strictObject({ refresh_token: z.string().optional(), access_token: z.string().optional() }),
    rejectedField: 'refresh_token',
    authorize: (request, grant) => withAccess(request, tokenOf(grant)),
    consent: {
      usesPkce,
      ...(issuer !== undefined && { issuer }),
      scopes,
      url: ({ app, redirectUri, state, codeChallenge }) =>
        consentUrl(authorizeUrl, {
          response_type: 'code',
          client_id: app.clientId,
          redirect_uri: redirectUri,
          ...(scopes.length > 0 && { scope: scopes.map(({ name }) => name).join(scopeSeparator) }),
          state,
          ...(codeChallenge !== null && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
          ...parameters,
        }),
      readCallback: query => readStandardCallback(query),
      exchange: ({ app, redirectUri, code, codeVerifier }) =>
        requestTokens(tokenUrl, clientAuthentication, app, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          ...(codeVerifier !== null && { code_verifier: codeVerifier }),
        }),
      readTokens: (response, nowMs) => {
        const tokens = readTokens(response, {}, nowMs);
        if (tokens !== null) return tokens;
        throw vendorError(api.name, response.status, readTokenError(response, nowMs));
      },
    },
    refresh: {
      isDue: (grant, nowMs) => {
        const { refresh_token } = grant.credentials;
        return refresh_token !== undefined && isAccessDue(grant, refresh_token, nowMs);
      },
      request: ({ credentials }, app) => {
        const { refresh_token } = credentials;
        if (typeof refresh_token !== 'string') throw vendorError(api.name, null, { kind: 'credentials' });
        const client = app ?? { clientId: '', clientSecret: '' };
        return requestTokens(tokenUrl, clientAuthentication, client, {
          grant_type: 'refresh_token',
          refresh_token,
        });
      },
      read: (response, grant, nowMs) => {
        const tokens = readTokens(response, grant.credentials, nowMs);
        if (tokens !== null) return { ...grant, ...tokens, state: { ...grant.state, ...tokens.state } };
        const message = `${api.name} no longer accepts the sign-in`;
        const failure = readGrantError(response, nowMs, {
          grant: { field: 'refresh_token', message },
          client: null,
        });
        throw vendorError(api.name, response.status, failure);
      },
    },
    revocation: {
      pageUrl: options.revokeUrl ?? helpUrl,
      ...(revocationUrl !== undefined && {
        request: (grant, app) =>
          app &&
          requestTokens(revocationUrl, clientAuthentication, app, {
            token: asString(grant.credentials['refresh_token']) ?? tokenOf(grant) ?? '',
          }),
      }),
    },
  };
}

function tokenOf(grant: Grant): string | undefined {
  const { refresh_token, access_token } = grant.credentials;
  return accessOf(grant, refresh_token)?.token ?? asString(access_token) ?? undefined;
}
