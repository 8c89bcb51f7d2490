import { consentUrl, readStandardCallback, readTokenError, type Consent } from '../kind/consent.ts';
import { vendorError } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { requestTokens } from '../rest/auth.ts';
import { accessState } from '../rest/tokens.ts';
import { tokenUrl } from './auth.ts';
import { en } from './messages/en.ts';

const scope = 'https://www.googleapis.com/auth/adwords';

/**
 * OAuth flow in which a Google user gives consent. Without `access_type=offline` Google returns no refresh
 * token; without `prompt=consent` it returns one only the first time. Uses PKCE in addition to the client
 * secret.
 */
export const consent: Consent = {
  usesPkce: true,
  issuer: 'https://accounts.google.com',
  // Google has no narrower scope. Its page says "See, edit, create and delete your Google Ads accounts and data".
  scopes: [{ name: scope, says: en.consentSays }],
  url: ({ app, redirectUri, state, codeChallenge }) =>
    consentUrl('https://accounts.google.com/o/oauth2/v2/auth', {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      access_type: 'offline',
      prompt: 'consent',
      state,
      ...(codeChallenge === null ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    }),
  readCallback: query => readStandardCallback(query),
  // RFC 6749, section 4.1.3, and RFC 7636, section 4.5.
  exchange: ({ app, redirectUri, code, codeVerifier }) =>
    requestTokens(tokenUrl, 'body', app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier === null ? {} : { code_verifier: codeVerifier }),
    }),
  readTokens,
};

function readTokens(response: VendorResponse, nowMs: number): Pick<Grant, 'credentials' | 'state'> {
  const { access_token, refresh_token, expires_in, scope: granted } = asObject(response.body);
  if (response.status !== 200 || typeof access_token !== 'string') {
    throw vendorError('Google Ads', response.status, readTokenError(response, nowMs));
  }
  // Google lets users deselect a requested scope, and then returns the others (RFC 6749, section 5.1).
  if (typeof granted === 'string' && !granted.split(' ').includes(scope)) {
    const message = 'Google Ads was not selected on the consent page';
    throw vendorError('Google Ads', response.status, { kind: 'permission', message });
  }
  const refreshToken = asString(refresh_token);
  if (refreshToken === null) {
    const message = 'the response has no refresh token';
    throw vendorError('Google Ads', response.status, { kind: 'vendor', message });
  }
  const credentials = { refresh_token: refreshToken };
  return { credentials, state: accessState(access_token, expires_in, refreshToken, nowMs) };
}
