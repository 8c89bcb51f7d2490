import { z } from 'zod';
import { vendorError } from '../kind/failure.ts';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { AuthMethod, Refresh } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { pasted, requestTokens, type PastedMessages } from '../rest/auth.ts';
import { accessOf, accessState, isAccessDue, readGrantError } from '../rest/tokens.ts';
import { en } from './messages/en.ts';

/** Endpoint that exchanges codes and refresh tokens for access tokens. */
export const tokenUrl = 'https://oauth2.googleapis.com/token';

const secret = (words: PastedMessages & { readonly title: string; readonly hint: string }) =>
  pasted(words, { max: 2000 }).meta({ title: words.title, description: words.hint });

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
    headers: {
      ...request.headers,
      authorization: `Bearer ${accessOf(grant, refreshTokenOf(grant))?.token ?? ''}`,
    },
  }),
  refresh: {
    isDue: (grant, nowMs) => isAccessDue(grant, refreshTokenOf(grant), nowMs),
    request: requestAccess,
    read: readAccess,
  },
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

function refreshTokenOf({ credentials }: Pick<Grant, 'credentials'>): unknown {
  return credentials['refresh_token'];
}

/** Requests an access token with the refresh token (RFC 6749, section 6). */
function requestAccess({ credentials }: Grant, app: OAuthApp | null): ReturnType<Refresh['request']> {
  const client = {
    clientId: asString(credentials['client_id']) ?? app?.clientId ?? '',
    clientSecret: asString(credentials['client_secret']) ?? app?.clientSecret ?? '',
  };
  return requestTokens(tokenUrl, 'body', client, {
    grant_type: 'refresh_token',
    refresh_token: String(credentials['refresh_token']),
  });
}

/**
 * Returns the grant with the new access token. The refresh token stays valid unless Google returns a new one
 * (RFC 6749, section 6).
 */
function readAccess(response: VendorResponse, grant: Grant, nowMs: number): Grant {
  const { access_token, expires_in, refresh_token } = asObject(response.body);
  if (response.status !== 200 || typeof access_token !== 'string') {
    const own = { field: 'client_secret', message: words.clientSecret.rejected };
    const failure = readGrantError(response, nowMs, {
      grant: { field: 'refresh_token', message: words.refreshToken.rejected },
      client: grant.method === ownAppId ? own : null,
    });
    throw vendorError('Google Ads', response.status, failure);
  }
  const credentials =
    typeof refresh_token === 'string' ? { ...grant.credentials, refresh_token } : grant.credentials;
  return {
    ...grant,
    credentials,
    state: {
      ...grant.state,
      ...accessState(access_token, expires_in, refreshTokenOf({ credentials }), nowMs),
    },
  };
}
