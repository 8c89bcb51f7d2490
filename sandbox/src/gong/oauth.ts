import { json, Router, urlencoded, type Request, type Response } from 'express';
import { nameOperation } from '../request-log/record-request.ts';
import type { ConsentAccount } from '../simulator/consent-page.ts';
import { consentRoutes, redirectTo, type AuthorizeRequest } from '../simulator/consent.ts';
import { isAllowedRedirect, readBasicAuth, type OAuthApp } from '../simulator/oauth-apps.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import { GONG_ACCOUNTS, GONG_SCOPES, gongAccount } from './accounts.ts';

const CODE_LIFETIME_SECONDS = 600;
/** The JWT header that Gong's tokens start with. */
const TOKEN_PREFIX = 'eyJhbGciOiJIUzI1NiJ9.';
/** The option on the consent page that simulates a user who cannot consent: one who is not a tech admin. */
const NOT_AN_ADMIN = 'not-an-admin';

/** Serves `app.gong.io/oauth2`: the consent page and the token endpoint. */
export function oauthRoutes(context: VendorContext): Router {
  const router = Router();
  router.use(
    consentRoutes({
      vendorName: 'Gong',
      path: '/oauth2/authorize',
      settings: context.settings,
      read: query => readAuthorizeRequest(query, context),
    }),
  );
  router.post('/oauth2/generate-customer-token', urlencoded(), json(), (request, response) => {
    sendReply(response, exchange(request, response, context));
  });
  return router;
}

function readAuthorizeRequest(
  query: Readonly<Record<string, string>>,
  context: VendorContext,
): AuthorizeRequest {
  const { client_id: clientId, redirect_uri: redirectUri, response_type: responseType, scope, state } = query;
  const app = context.apps.find(clientId);
  if (!app) return { problem: 'No app is registered with this client_id.' };
  if (!isAllowedRedirect(app, redirectUri))
    return { problem: 'The redirect_uri is not registered for this app.' };

  const back = (parameters: Record<string, string>): string =>
    redirectTo(redirectUri, { ...parameters, state });
  const scopes = (scope ?? '').split(' ').filter(Boolean);
  if (responseType !== 'code') return { problem: 'The response_type must be code.' };
  if (scopes.length === 0) return { problem: 'The request has no scope.' };
  const unknown = scopes.filter(each => !(each in GONG_SCOPES));
  if (unknown.length > 0) return { problem: `Unknown scope: ${unknown.join(', ')}.` };
  return {
    view: {
      appName: app.name,
      accounts: consentAccounts(),
      permissions: scopes.map(each => GONG_SCOPES[each] ?? each),
    },
    allow: ([account = '']) => {
      if (account === NOT_AN_ADMIN) {
        return back({ error: 'access_denied', error_description: 'Only a tech admin can allow an app' });
      }
      const grant = { account, clientId: app.clientId, scopes, resources: [] };
      const details = { redirectUri };
      return back({
        code: context.tokens.issue('code', grant, { lifetimeSeconds: CODE_LIFETIME_SECONDS, details }),
      });
    },
    deny: () => back({ error: 'access_denied' }),
  };
}

function consentAccounts(): ConsentAccount[] {
  return [
    ...GONG_ACCOUNTS.map(({ id, company, userCount, business }) => ({
      id,
      business: business?.id,
      title: company,
      description: `Tech admin · ${userCount} users`,
    })),
    { id: NOT_AN_ADMIN, title: 'Sales rep without admin rights', description: 'Can’t allow apps' },
  ];
}

/** Issues a token pair in Gong's response format. */
export function issueTokens(
  { tokens, settings }: Pick<VendorContext, 'tokens' | 'settings'>,
  grant: Grant,
): Record<string, string | number> {
  const lifetimeSeconds = settings.number('accessTokenLifetimeSeconds');
  return {
    access_token: tokens.issue('access', grant, { lifetimeSeconds, prefix: TOKEN_PREFIX }),
    refresh_token: tokens.issue('refresh', grant, { prefix: TOKEN_PREFIX }),
    expires_in: lifetimeSeconds,
    token_type: 'bearer',
    scope: grant.scopes.join(' '),
    api_base_url_for_customer: `https://${gongAccount(grant.account).apiHost}`,
  };
}

function exchange(request: Request, response: Response, context: VendorContext): Reply {
  const basic = readBasicAuth(request.get('authorization'));
  const app = context.apps.authenticate(basic?.user, basic?.password);
  const parameters = readParameters(request);
  const grantType = parameters.get('grant_type');
  if (grantType === 'authorization_code') nameOperation(response, 'exchange code');
  if (grantType === 'refresh_token') nameOperation(response, 'refresh token');

  if (!app) return oauthError(401, 'invalid_client', 'Client authentication failed');
  switch (grantType) {
    case 'authorization_code':
      return redeem('code', parameters, app, context);
    case 'refresh_token':
      return redeem('refresh', parameters, app, context);
    case undefined:
      return oauthError(400, 'invalid_request', 'grant_type is missing');
    default:
      return oauthError(
        400,
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      );
  }
}

/** Exchanges a code or a refresh token, both of which work once, for a new token pair. */
function redeem(
  kind: 'code' | 'refresh',
  parameters: ReadonlyMap<string, string>,
  app: OAuthApp,
  context: VendorContext,
): Reply {
  const isCode = kind === 'code';
  const name = isCode ? 'Code' : 'Refresh token';
  const token = parameters.get(isCode ? 'code' : 'refresh_token') ?? '';
  const reading = context.tokens.read(kind, token);
  const isBound =
    reading?.grant.clientId === app.clientId &&
    (!isCode || reading.details['redirectUri'] === parameters.get('redirect_uri'));
  if (!reading || !isBound || reading.state === 'expired' || reading.state === 'revoked') {
    return oauthError(400, 'invalid_grant', `${name} is not valid`);
  }
  if (!context.tokens.spend(token)) {
    return oauthError(400, 'invalid_grant', `${name} has already been used`);
  }
  const body = issueTokens(context, reading.grant);
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
}

/** Creates an OAuth error response. Gong does not publish its format, so this one follows RFC 6749. */
function oauthError(status: number, error: string, description: string): Reply {
  return { status, body: { error, error_description: description } };
}

/**
 * Reads parameters from the query and the body, preferring the query. Sources disagree on where Gong expects
 * them.
 */
function readParameters(request: Request): Map<string, string> {
  const body: unknown = request.body;
  const entries = [...Object.entries(Object(body)), ...Object.entries(request.query)];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
