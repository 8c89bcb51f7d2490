import { ConnectorAuthError } from '@connector-auth/api';
import { readRetryAfter, vendorError, type VendorFailure } from '../kind/failure.ts';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { Refresh } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import { isAllowedHost } from '../kind/transport.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { readErrorMessage } from './failure.ts';
import { genericApiUrl } from './wire.ts';

/** Turns codes and refresh tokens into token pairs. */
export const tokenUrl = 'https://app.gong.io/oauth2/generate-customer-token';

/** Gong's API hosts: the generic one, and one for each customer. */
export const apiHosts = ['api.gong.io', '*.api.gong.io'];

/** An access token that ends within this time is renewed first. */
const marginMs = 60_000;

/** The access token lives a day; the refresh token is dead after its first use, so renewing is never tried in advance. */
export const refresh: Refresh = {
  isDue: ({ credentials, state }, nowMs) => {
    if (asString(credentials['access_token']) === null) return true;
    const expiresAt = asString(state['access_token_expires_at']);
    // A token that came without its end is used until Gong refuses it.
    return expiresAt !== null && Date.parse(expiresAt) - nowMs < marginMs;
  },
  request: (grant, app) => requestTokens(grant, app),
  read: readTokens,
};

/** Where the tokens of a grant work: the host that Gong told at consent, otherwise the generic one. */
export function apiUrlOf({ state }: Grant): string {
  return asApiUrl(state['api_base_url_for_customer']) ?? genericApiUrl;
}

/** Client authentication is HTTP Basic; the parameters stand in the query, the body is empty. */
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
    headers: { authorization: basic(clientId, clientSecret) },
  };
}

/** The value of an `Authorization` header, RFC 7617. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * The grant with the new pair. The old refresh token is dead by now, so nothing but a missing token may fail here: a
 * base URL that is none of Gong's is passed over rather than losing the pair.
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

/** When an access token ends, as a member of the state; none when Gong does not tell. */
export function expiryState(expiresIn: unknown, nowMs: number): Grant['state'] {
  if (typeof expiresIn !== 'number') return {};
  return { access_token_expires_at: new Date(nowMs + expiresIn * 1000).toISOString() };
}

/** The origin of an address, if it is one of Gong's and https; else null. */
export function asApiUrl(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, host, origin, username, password } = new URL(value);
  const isPlain = protocol === 'https:' && username === '' && password === '';
  return isPlain && isAllowedHost(host, apiHosts) ? origin : null;
}

const revokedTokenMessage =
  'Gong no longer accepts this refresh token. It works only once, and stops working when the app is removed.';

/**
 * What a refusal of the token endpoint means. Its bodies are not published: as in RFC 6749, else as in the API. Only a
 * refusal of the grant is the customer's to mend; a wrong client is whose app it is.
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
