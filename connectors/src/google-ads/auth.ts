import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readRetryAfter, vendorError, type VendorFailure } from '../kind/failure.ts';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { AuthMethod, Refresh } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { en } from './messages/en.ts';

/** Endpoint that exchanges codes and refresh tokens for access tokens. */
export const tokenUrl = 'https://oauth2.googleapis.com/token';

// Some of these values are sent in a header, and none of them contains spaces.
const secret = ({ title, hint, missing, tooLong, characters }: FieldWords) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(2000, tooLong)
    .regex(/^[\x21-\x7e]+$/, characters)
    .meta({ title, description: hint });

type FieldWords = Readonly<Record<'title' | 'hint' | 'missing' | 'tooLong' | 'characters', string>>;

const words = en.ownClient;

export const ownAppId = 'credentials';

/**
 * The customer's own OAuth app and developer token, with a refresh token for a Google user who can access the
 * accounts.
 */
export const ownApp = {
  id: ownAppId,
  type: 'credentials',
  title: words.title,
  description: words.description,
  helpUrl: 'https://developers.google.com/google-ads/api/docs/get-started/introduction',
  instead: words.instead,
  guide: {
    steps: words.steps,
    url: 'https://console.cloud.google.com/apis/credentials',
    who: words.who,
  },
  fields: z.strictObject({
    client_id: secret(words.clientId).meta({
      examples: ['1234567890-abc.apps.googleusercontent.com'],
    }),
    client_secret: secret(words.clientSecret).meta({
      writeOnly: true,
      examples: ['GOCSPX-…'],
    }),
    refresh_token: secret(words.refreshToken).meta({
      writeOnly: true,
      examples: ['1//0g…'],
    }),
    developer_token: secret(words.developerToken).meta({ writeOnly: true }),
  }),
  rejectedField: 'refresh_token',
  authorize: (request, grant) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${accessOf(grant)?.token ?? ''}` },
  }),
  refresh: { isDue, request: requestAccess, read: readAccess },
  revocation: {
    pageUrl: 'https://myaccount.google.com/connections',
    // RFC 7009, section 2.1. Also revokes the other tokens that the user has given to the same OAuth app.
    request: ({ credentials }) => ({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/revoke',
      form: { token: String(credentials['refresh_token']) },
    }),
    isAlreadyRevoked: ({ status, body }) => status === 400 && asObject(body)['error'] === 'invalid_token',
  },
} satisfies AuthMethod;

/**
 * An access token. It is stored in the connector's state because it changes far more often than the refresh
 * token.
 */
interface Access {
  readonly token: string;
  /** Time at which the token expires, in milliseconds since the epoch. */
  readonly endsAt: number;
  /**
   * Fingerprint of the refresh token that the access token was created with, so that the access token is not
   * used after another user has given consent.
   */
  readonly from: string;
}

function accessOf({ state, credentials }: Grant): Access | null {
  const { token, endsAt, from } = asObject(state['access']);
  if (typeof token !== 'string' || typeof endsAt !== 'number' || from !== fingerprint(credentials)) {
    return null;
  }
  return { token, endsAt, from };
}

function fingerprint(credentials: Grant['credentials']): string {
  return createHash('sha256').update(String(credentials['refresh_token'])).digest('base64url').slice(0, 22);
}

const marginMs = 60_000;

function isDue(grant: Grant, nowMs: number): boolean {
  const access = accessOf(grant);
  return access === null || access.endsAt - nowMs < marginMs;
}

/** Requests an access token with the refresh token (RFC 6749, section 6). */
function requestAccess({ credentials }: Grant, app: OAuthApp | null): ReturnType<Refresh['request']> {
  return {
    method: 'POST',
    url: tokenUrl,
    form: {
      grant_type: 'refresh_token',
      refresh_token: String(credentials['refresh_token']),
      client_id: asString(credentials['client_id']) ?? app?.clientId ?? '',
      client_secret: asString(credentials['client_secret']) ?? app?.clientSecret ?? '',
    },
  };
}

/**
 * Returns the grant with the new access token. The refresh token stays valid unless Google returns a new one
 * (RFC 6749, section 6).
 */
function readAccess(response: VendorResponse, grant: Grant, nowMs: number): Grant {
  const { access_token, expires_in, refresh_token } = asObject(response.body);
  if (response.status !== 200 || typeof access_token !== 'string') {
    throw vendorError('Google Ads', response.status, readTokenFailure(response, grant, nowMs));
  }
  const credentials =
    typeof refresh_token === 'string' ? { ...grant.credentials, refresh_token } : grant.credentials;
  return {
    ...grant,
    credentials,
    state: { ...grant.state, ...accessState(access_token, expires_in, credentials, nowMs) },
  };
}

/** Returns state that contains an access token, bound to its refresh token. */
export function accessState(
  token: string,
  expiresIn: unknown,
  credentials: Grant['credentials'],
  nowMs: number,
): Grant['state'] {
  const lifetimeMs = typeof expiresIn === 'number' ? expiresIn * 1000 : 3_600_000;
  const access: Access = { token, endsAt: nowMs + lifetimeMs, from: fingerprint(credentials) };
  return { access };
}

/**
 * Classifies an error defined in RFC 6749, section 5.2. The customer must fix `invalid_grant`; the owner of
 * the OAuth app must fix `invalid_client`.
 */
function readTokenFailure(
  { status, headers, body }: VendorResponse,
  grant: Grant,
  nowMs: number,
): VendorFailure {
  const { error, error_description } = asObject(body);
  const details = { code: asString(error), message: asString(error_description) ?? asString(error) };
  if (error === 'invalid_grant') {
    return {
      kind: 'credentials',
      ...details,
      issues: [{ path: 'credentials.refresh_token', message: words.refreshToken.rejected }],
    };
  }
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    if (grant.method !== ownAppId) return { kind: 'operator', ...details };
    const message = words.clientSecret.rejected;
    return { kind: 'credentials', ...details, issues: [{ path: 'credentials.client_secret', message }] };
  }
  if (status === 429) {
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], nowMs);
    return { kind: 'rate_limit', ...details, retryAfterSeconds };
  }
  return {
    kind: 'vendor',
    code: details.code,
    message: details.message ?? 'the response has no access token',
  };
}
