import { json, Router, urlencoded, type ErrorRequestHandler, type Request } from 'express';
import { nameOperation } from '../request-log/record-request.ts';
import { consentRoutes, redirectTo } from '../simulator/consent.ts';
import { isAllowedRedirect, type OAuthApp } from '../simulator/oauth-apps.ts';
import { sendReply } from '../simulator/reply.ts';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import type { Accounts } from './account.ts';
import { OWNERS } from './advertisers.ts';
import { badParameter, CODES, endpoint, envelope, TikTokError } from './envelope.ts';

/** The lifetime of the single-use code. Sources say ten minutes or an hour; this is the shorter one. */
const AUTH_CODE_SECONDS = 600;
/** The ids of the permissions that every app has. */
const SCOPES = ['4', '1', '2'];

/** Grants an app access to these ad accounts, on behalf of the owner of the first one. */
export function grantAccess(accounts: Accounts, app: OAuthApp, advertiserIds: readonly string[]): Grant {
  const owner = accounts.advertisers().find(({ id }) => id === advertiserIds[0])?.owner ?? 'unknown';
  return { account: owner, clientId: app.clientId, scopes: SCOPES, resources: advertiserIds };
}

/** Serves the consent page and the endpoints that exchange a code and revoke a token. */
export function oauthRoutes(context: VendorContext, accounts: Accounts, requestId: () => string): Router {
  const { apps, tokens } = context;
  const router = Router({ strict: true });

  router.use(
    consentRoutes({
      vendorName: 'TikTok for Business',
      path: '/portal/auth',
      settings: context.settings,
      read: ({ app_id: appId, redirect_uri: redirectUri, state }) => {
        const app = apps.find(appId);
        if (!app) return { problem: 'Unknown app: app_id is missing or not registered.' };
        if (!isAllowedRedirect(app, redirectUri)) {
          return { problem: 'The redirect_uri is not registered for this app.' };
        }
        return {
          view: {
            appName: app.name,
            accounts: accounts.advertisers().map(({ id, name, owner, currency, business }) => ({
              id,
              business: business?.id,
              title: name,
              description: `${id} · ${currency} · ${owner}`,
              isChecked: owner === OWNERS.marketing,
            })),
            isMultiple: true,
            permissions: [
              'Read ad accounts, campaigns, ad groups and ads',
              'Read reports',
              'Read creatives and audiences',
            ],
          },
          allow: advertiserIds => {
            const grant = grantAccess(accounts, app, advertiserIds);
            const code = tokens.issue('code', grant, { lifetimeSeconds: AUTH_CODE_SECONDS });
            return redirectTo(redirectUri, { auth_code: code, code, state });
          },
          // TikTok's response to a denial is not documented; this follows the OAuth standard.
          deny: () =>
            redirectTo(redirectUri, {
              error: 'access_denied',
              error_description: 'The advertiser declined the authorization.',
              state,
            }),
        };
      },
    }),
  );

  const bodies = [json(), urlencoded()];
  router.post(
    '/open_api/v1.3/oauth2/access_token/',
    bodies,
    endpoint(requestId, (request, response) => {
      nameOperation(response, 'exchange code');
      const body = readBody(request);
      const [appId, secret, code = ''] = ['app_id', 'secret', 'auth_code'].map(body);
      const app = apps.authenticate(appId, secret);
      if (!app) throw new TikTokError(CODES.badApp, 'App id or secret is incorrect.');
      const reading = tokens.read('code', code);
      const isGood =
        reading?.state === 'live' && reading.grant.clientId === app.clientId && tokens.spend(code);
      if (!reading || !isGood)
        throw new TikTokError(CODES.badAuthCode, 'Auth_code is expired or already used');
      const { grant } = reading;
      return {
        access_token: tokens.issue('access', grant),
        advertiser_ids: grant.resources,
        scope: grant.scopes.map(Number),
      };
    }),
  );

  router.post(
    '/open_api/v1.3/oauth2/revoke_token/',
    bodies,
    endpoint(requestId, (request, response) => {
      nameOperation(response, 'revoke token');
      const body = readBody(request);
      const app = apps.authenticate(body('app_id'), body('secret'));
      if (!app) throw new TikTokError(CODES.badApp, 'App id or secret is incorrect.');
      const token = body('access_token');
      const reading = tokens.read('access', token);
      if (reading?.state !== 'live' || reading.grant.clientId !== app.clientId) throw badToken();
      tokens.revoke(token);
      return { app_id: app.clientId, advertiser_ids: reading.grant.resources };
    }),
  );

  const onBadBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (!(error instanceof SyntaxError)) return next(error);
    sendReply(response, envelope(CODES.badParameter, 'Request body is not a valid JSON.', {}, requestId()));
  };
  router.use(onBadBody);
  return router;
}

/** Reads the grant from the `Access-Token` header; ignores the `Authorization` header. */
export function readGrant({ tokens }: VendorContext, request: Request): Grant {
  const token = request.get('access-token');
  if (!token) throw new TikTokError(CODES.noToken, 'Access token is empty.');
  const reading = tokens.read('access', token);
  if (reading?.state !== 'live') throw badToken();
  return reading.grant;
}

function badToken(): TikTokError {
  return new TikTokError(CODES.badToken, 'Access token is incorrect or has been revoked.');
}

/** Returns a function that reads a required string from a JSON or form body. */
function readBody(request: Request): (name: string) => string {
  const body = Object(request.body) as Record<string, unknown>;
  return name => {
    const value = body[name];
    if (typeof value !== 'string' || value === '')
      throw badParameter(`${name}: Missing data for required field.`);
    return value;
  };
}
