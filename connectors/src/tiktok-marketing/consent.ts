import {
  consentUrl,
  readStandardCallback,
  readTokenError,
  type CodeExchange,
  type Consent,
} from '../kind/consent.ts';
import { vendorError } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asArray, asString } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { readFailure } from './failure.ts';
import { dataOf, host, request } from './wire.ts';

/**
 * OAuth flow in which an advertiser authorizes an app for some of their ad accounts. TikTok calls the client
 * `app_id`, accepts no scope (permissions belong to the app), returns the code as `auth_code`, expects JSON,
 * and returns the accounts together with the token, which does not expire.
 */
export const consent: Consent = {
  usesPkce: false,
  // Names of the permissions that the app needs. TikTok assigns them to the app, so a request does not name
  // them.
  scopes: [
    { name: 'Ad account management' },
    { name: 'Ads management' },
    { name: 'Reporting' },
    { name: 'Creative management' },
    { name: 'Audience management' },
  ],
  url: ({ app, redirectUri, state }) =>
    consentUrl(`https://${host}/portal/auth`, {
      app_id: app.clientId,
      state,
      redirect_uri: redirectUri,
    }),
  readCallback: query => readStandardCallback(query, 'auth_code'),
  exchange: requestToken,
  readTokens,
};

function requestToken({ app, code }: CodeExchange): VendorRequest {
  return {
    ...request('/oauth2/access_token/'),
    method: 'POST',
    body: { app_id: app.clientId, secret: app.clientSecret, auth_code: code },
  };
}

function readTokens(response: VendorResponse, nowMs: number): Pick<Grant, 'credentials' | 'state'> {
  const failure = readFailure(response, nowMs);
  // TikTok reports a used code with the same error code as an expired token, but no token exists yet.
  if (failure !== null) {
    const kind = failure.kind === 'credentials' ? 'request' : failure.kind;
    throw vendorError('TikTok Marketing', response.status, { ...failure, kind });
  }
  const { access_token, advertiser_ids } = dataOf(response);
  if (asString(access_token) === null || access_token === '') {
    throw vendorError('TikTok Marketing', response.status, readTokenError(response, nowMs));
  }
  // Ids are strings of up to 19 digits. If TikTok sends numbers, they are parsed without loss of precision.
  return { credentials: { access_token }, state: { advertiser_ids: asArray(advertiser_ids).map(String) } };
}
