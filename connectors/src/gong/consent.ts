import {
  consentUrl,
  readStandardCallback,
  readTokenError,
  type CodeExchange,
  type Consent,
} from '../kind/consent.ts';
import { vendorError } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { basicAuthorization } from '../rest/tokens.ts';
import { asApiUrl, expiryState, tokenUrl } from './tokens.ts';

/** Scopes that the entities need. They must also be selected in the app registration at Gong. */
const scopes = [
  'api:calls:read:basic',
  'api:calls:read:extensive',
  'api:calls:read:transcript',
  'api:calls:read:media-url',
  'api:users:read',
  'api:workspaces:read',
];

/**
 * OAuth flow in which a Gong technical admin gives consent for the whole company. Gong does not support PKCE,
 * authenticates the client with HTTP Basic and expects the parameters in the query. Gong has no revocation
 * endpoint: an admin removes the app in Gong's settings.
 */
export const consent: Consent = {
  usesPkce: false,
  scopes: scopes.map(name => ({ name })),
  url: ({ app, redirectUri, state }) =>
    consentUrl('https://app.gong.io/oauth2/authorize', {
      client_id: app.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
    }),
  readCallback: query => readStandardCallback(query),
  exchange: requestTokens,
  readTokens,
};

function requestTokens({ app, redirectUri, code }: CodeExchange): VendorRequest {
  return {
    method: 'POST',
    url: tokenUrl,
    query: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: app.clientId,
    },
    headers: { authorization: basicAuthorization(app.clientId, app.clientSecret) },
  };
}

/**
 * Parses the tokens and rejects an API host outside gong.io. Unlike a rejected refresh response, this does
 * not lose a token that works only once.
 */
function readTokens(response: VendorResponse, nowMs: number): Pick<Grant, 'credentials' | 'state'> {
  const { access_token, refresh_token, expires_in, api_base_url_for_customer } = asObject(response.body);
  if (response.status !== 200 || asString(access_token) === null || asString(refresh_token) === null) {
    throw vendorError('Gong', response.status, readTokenError(response, nowMs));
  }
  const apiUrl = asApiUrl(api_base_url_for_customer);
  if (apiUrl === null) {
    const message = 'the response names an API address outside gong.io';
    throw vendorError('Gong', response.status, { kind: 'vendor', message });
  }
  return {
    credentials: { access_token, refresh_token },
    state: { api_base_url_for_customer: apiUrl, ...expiryState(expires_in, nowMs) },
  };
}
