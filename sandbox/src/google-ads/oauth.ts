import { createHash } from 'node:crypto';
import { Router, urlencoded, type Request, type Response } from 'express';
import { nameOperation } from '../request-log/record-request.ts';
import { consentRoutes, redirectTo, type AuthorizeRequest } from '../simulator/consent.ts';
import { isAllowedRedirect, type OAuthApp } from '../simulator/oauth-apps.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';
import type { TokenReading } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import { ADWORDS_SCOPE } from './access.ts';
import { USERS } from './customers.ts';

/** The default setting for the lifetime of access tokens. */
export const OAUTH_SETTINGS = { accessTokenLifetimeSeconds: 3599 };

/** The issuer in every redirect (RFC 9207). */
const ISSUER = 'https://accounts.google.com';
const CODE_SECONDS = 600;
const KNOWN_SCOPES = [ADWORDS_SCOPE, 'openid', 'email', 'profile'];

/** Serves Google's OAuth endpoints for consent, tokens (with reusable refresh tokens) and revocation. */
export function oauthRoutes(context: VendorContext): Router {
  const router = Router();
  /**
   * The pairs of a user and an app for which the user has given consent. Without `prompt=consent`, only the
   * first consent returns a refresh token.
   */
  const consented = new Set<string>();
  router.use(
    consentRoutes({
      vendorName: 'Google',
      path: '/o/oauth2/v2/auth',
      settings: context.settings,
      read: query => readAuthorize(context, consented, query),
    }),
  );
  router.post('/token', urlencoded(), (request, response) => {
    sendReply(response, replyToTokenRequest(context, request, response));
  });
  router.post('/revoke', urlencoded(), (request, response) => {
    nameOperation(response, 'revoke token');
    const token = readForm(request)('token') ?? '';
    const { tokens } = context;
    const reading = tokens.read('refresh', token) ?? tokens.read('access', token);
    if (reading?.state !== 'live') {
      return sendReply(response, oauthError(400, 'invalid_token', 'Token expired or revoked'));
    }
    // Google ends everything that the user has allowed the app.
    tokens.revokeAccount(reading.grant.account, reading.grant.clientId);
    consented.delete(`${reading.grant.account} ${reading.grant.clientId}`);
    return sendReply(response, { status: 200, body: {} });
  });
  return router;
}

function readAuthorize(
  { apps, tokens }: VendorContext,
  consented: Set<string>,
  query: Readonly<Record<string, string>>,
): AuthorizeRequest {
  const { client_id: clientId, redirect_uri: redirectUri, state, scope = '', login_hint: hint } = query;
  const app = apps.find(clientId);
  if (!app) return { problem: 'Error 401: invalid_client. The OAuth client was not found.' };
  if (!isAllowedRedirect(app, redirectUri)) {
    return { problem: 'Error 400: redirect_uri_mismatch. This redirect URI is not registered for the app.' };
  }
  if (query['response_type'] !== 'code') {
    return { problem: 'Error 400: unsupported_response_type. Only response_type=code is simulated.' };
  }
  const scopes = scope.split(' ').filter(Boolean);
  if (scopes.length === 0)
    return { problem: 'Error 400: invalid_request. Missing required parameter: scope' };
  const unknown = scopes.filter(one => !KNOWN_SCOPES.includes(one));
  if (unknown.length > 0) return { problem: `Error 400: invalid_scope. ${unknown.join(' ')}` };
  const { code_challenge: challenge = '', code_challenge_method: method } = query;
  if (challenge !== '' && method !== 'S256') {
    return { problem: 'Error 400: invalid_request. Only code_challenge_method=S256 is simulated.' };
  }
  const users = USERS.toSorted((a, b) => Number(b.email === hint) - Number(a.email === hint));
  return {
    view: {
      appName: app.name,
      accounts: users.map(({ email, description, business }) => ({
        id: email,
        business,
        title: email,
        description,
      })),
      permissions: ['See, edit, create and delete your Google Ads accounts and data'],
    },
    allow: ([email = '']) => {
      const grant = { account: email, clientId: app.clientId, scopes, resources: [] };
      const key = `${email} ${app.clientId}`;
      const isPrompted = (query['prompt'] ?? '').split(' ').includes('consent');
      const isOffline = query['access_type'] === 'offline' && (isPrompted || !consented.has(key));
      consented.add(key);
      const details = { redirectUri, offline: String(isOffline), challenge };
      const code = tokens.issue('code', grant, { lifetimeSeconds: CODE_SECONDS, details, prefix: '4/' });
      return redirectTo(redirectUri, { state, iss: ISSUER, code, scope: scopes.join(' ') });
    },
    deny: () => redirectTo(redirectUri, { error: 'access_denied', state, iss: ISSUER }),
  };
}

function replyToTokenRequest(context: VendorContext, request: Request, response: Response): Reply {
  const form = readForm(request);
  const grantType = form('grant_type');
  if (grantType === undefined)
    return oauthError(400, 'invalid_request', 'Missing required parameter: grant_type');
  const clientId = form('client_id');
  const app = context.apps.authenticate(clientId, form('client_secret'));
  if (!app) {
    const isKnown = context.apps.find(clientId) !== undefined;
    const why = isKnown ? 'The provided client secret is invalid.' : 'The OAuth client was not found.';
    return oauthError(401, 'invalid_client', why);
  }
  switch (grantType) {
    case 'authorization_code':
      nameOperation(response, 'exchange code');
      return exchangeCode(context, app, form);
    case 'refresh_token':
      nameOperation(response, 'refresh token');
      return refreshToken(context, app, form('refresh_token') ?? '');
    default:
      return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  }
}

type Form = (name: string) => string | undefined;

function exchangeCode({ tokens, settings }: VendorContext, app: OAuthApp, form: Form): Reply {
  const code = form('code') ?? '';
  const reading = tokens.read('code', code);
  if (reading?.state !== 'live' || reading.grant.clientId !== app.clientId) {
    return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  }
  const { redirectUri, offline, challenge = '' } = reading.details;
  if (form('redirect_uri') !== redirectUri) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (challenge !== '') {
    const verifier = form('code_verifier');
    if (verifier === undefined) return oauthError(400, 'invalid_grant', 'Missing code verifier.');
    if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
      return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  }
  if (!tokens.spend(code)) return oauthError(400, 'invalid_grant', 'Bad Request');
  const body = accessTokenBody({ tokens, settings }, reading);
  if (offline !== 'true') return { status: 200, body };
  const refreshToken = tokens.issue('refresh', reading.grant, { prefix: '1//' });
  return { status: 200, body: { ...body, refresh_token: refreshToken } };
}

function refreshToken({ tokens, settings }: VendorContext, app: OAuthApp, token: string): Reply {
  const reading = tokens.read('refresh', token);
  if (!reading) return oauthError(400, 'invalid_grant', 'Bad Request');
  if (reading.state !== 'live') return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  if (reading.grant.clientId !== app.clientId) return oauthError(401, 'unauthorized_client', 'Unauthorized');
  return { status: 200, body: accessTokenBody({ tokens, settings }, reading) };
}

function accessTokenBody(
  { tokens, settings }: Pick<VendorContext, 'tokens' | 'settings'>,
  { grant }: TokenReading,
): Record<string, unknown> {
  const seconds = settings.number('accessTokenLifetimeSeconds');
  return {
    access_token: tokens.issue('access', grant, { lifetimeSeconds: seconds, prefix: 'ya29.' }),
    expires_in: seconds,
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
  };
}

function oauthError(status: number, error: string, description: string): Reply {
  return { status, body: { error, error_description: description } };
}

function readForm(request: Request): Form {
  const body = Object(request.body) as Record<string, unknown>;
  return name => {
    const value = body[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}
