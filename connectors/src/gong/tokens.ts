import { ConnectorAuthError } from '@connector-auth/api';
import { readRetryAfter, vendorError, type VendorFailure } from '../kind/failure.ts';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { Refresh } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import { isAllowedHost } from '../kind/transport.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { basicAuthorization, marginMs } from '../rest/tokens.ts';
import { readErrorMessage } from './failure.ts';
import { genericApiUrl } from './wire.ts';

/** Endpoint that exchanges codes and refresh tokens for token pairs. */
export const tokenUrl = 'https://app.gong.io/oauth2/generate-customer-token';

/** Gong's API hosts: one generic host, and one for each customer. */
export const apiHosts = ['api.gong.io', '*.api.gong.io'];

/**
 * Access tokens are valid for a day. Refresh tokens work only once, so tokens are not refreshed ahead of
 * time.
 */
export const refresh: Refresh = {
  isDue: ({ credentials, state }, nowMs) => {
    if (asString(credentials['access_token']) === null) return true;
    const expiresAt = asString(state['access_token_expires_at']);
    // A token without an expiry is used until Gong rejects it.
    return expiresAt !== null && Date.parse(expiresAt) - nowMs < marginMs;
  },
  request: (grant, app) => requestTokens(grant, app),
  needsApp: ({ credentials }) => asString(credentials['client_id']) === null,
  read: readTokens,
};

/** Returns the API URL for a grant: the one that Gong returned with the tokens, otherwise the generic one. */
export function apiUrlOf({ state }: Grant): string {
  return asApiUrl(state['api_base_url_for_customer']) ?? genericApiUrl;
}

/**
 * Creates a refresh request (RFC 6749, section 6). The client authenticates with HTTP Basic; the parameters are in the
 * query and the body is empty.
 */
function requestTokens({ credentials }: Grant, app: OAuthApp | null): VendorRequest {
  const clientId = asString(credentials['client_id']) ?? app?.clientId;
  const clientSecret = asString(credentials['client_secret']) ?? app?.clientSecret;
  if (clientId === undefined || clientSecret === undefined) {
    const message =
      'Enter the client ID and client secret of your Gong OAuth app. Gong requires them to renew the access token.';
    throw ConnectorAuthError.invalid('invalid_credentials', [{ path: 'credentials.client_id', message }]);
  }
  return {
    method: 'POST',
    url: tokenUrl,
    query: { grant_type: 'refresh_token', refresh_token: String(credentials['refresh_token']) },
    headers: { authorization: basicAuthorization(clientId, clientSecret) },
  };
}

/**
 * Returns the grant with the new token pair. The previous refresh token is already used up, so only a missing
 * token is an error. An API host outside gong.io is ignored, because an error would lose the token pair.
 */
function readTokens(response: VendorResponse, grant: Grant, nowMs: number): Grant {
  const { access_token, refresh_token, expires_in, api_base_url_for_customer } = asObject(response.body);
  if (response.status !== 200 || typeof access_token !== 'string') {
    throw vendorError('Gong', response.status, readTokenFailure(response, grant, nowMs));
  }
  const apiUrl = asApiUrl(api_base_url_for_customer);
  const { access_token_expires_at: _, ...state } = grant.state;
  return {
    ...grant,
    credentials: {
      ...grant.credentials,
      access_token,
      ...(typeof refresh_token === 'string' ? { refresh_token } : {}),
    },
    state: {
      ...state,
      ...(apiUrl === null ? {} : { api_base_url_for_customer: apiUrl }),
      ...expiryState(expires_in, nowMs),
    },
  };
}

/** Returns state with the access token's expiry, or an empty object if Gong did not send one. */
export function expiryState(expiresIn: unknown, nowMs: number): Grant['state'] {
  if (typeof expiresIn !== 'number') return {};
  return { access_token_expires_at: new Date(nowMs + expiresIn * 1000).toISOString() };
}

/** Returns the origin of an https URL on one of Gong's hosts, or null for any other value. */
export function asApiUrl(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, host, origin, username, password } = new URL(value);
  const isPlain = protocol === 'https:' && username === '' && password === '';
  return isPlain && isAllowedHost(host, apiHosts) ? origin : null;
}

const revokedTokenMessage =
  'Gong no longer accepts this refresh token. It works only once, and stops working when the app is removed.';

/**
 * Classifies an error from the token endpoint. Gong does not document these errors: they follow RFC 6749, section 5.2, or
 * the format of API errors. The customer must fix a rejected grant; the owner of the OAuth app must fix a
 * rejected client.
 */
function readTokenFailure(
  { status, headers, body }: VendorResponse,
  grant: Grant,
  nowMs: number,
): VendorFailure {
  const { error, error_description } = asObject(body);
  const details = {
    code: asString(error),
    message: asString(error_description) ?? asString(error) ?? readErrorMessage(body),
  };
  if (status === 429) {
    return {
      kind: 'rate_limit',
      ...details,
      retryAfterSeconds: readRetryAfter(headers['retry-after'], nowMs),
    };
  }
  if (error === 'invalid_client' || error === 'unauthorized_client' || status === 401) {
    if (asString(grant.credentials['client_id']) === null) return { kind: 'operator', ...details };
    const message = "Gong didn't accept this client ID and client secret";
    return { kind: 'credentials', ...details, issues: [{ path: 'credentials.client_secret', message }] };
  }
  const isGrantRejected =
    error === 'invalid_grant' ||
    (status >= 400 && status < 500 && /refresh.?token/i.test(details.message ?? ''));
  if (isGrantRejected) {
    return {
      kind: 'credentials',
      ...details,
      issues: [{ path: 'credentials.refresh_token', message: revokedTokenMessage }],
    };
  }
  return {
    kind: 'vendor',
    code: details.code,
    message: details.message ?? 'the response has no access token',
  };
}
