import { z } from 'zod';
import type { AuthMethod } from '../kind/kind.ts';
import { consent } from './consent.ts';
import { apiUrlOf, basic, refresh } from './tokens.ts';
import { genericApiUrl } from './wire.ts';

// All of these values are sent in a header or a query, and none of them contains spaces.
const secret = (name: string, characters = /^[\x21-\x7e]+$/) =>
  z
    .string(`Paste the ${name}`)
    .trim()
    .min(1, `Paste the ${name}`)
    .max(5000, `The ${name} is too long`)
    .regex(characters, `The ${name} can't contain spaces or special characters`);

/** Gong's API cannot revoke tokens and keys: a technical admin does so under Settings → Ecosystem → API. */
const revocation = { pageUrl: 'https://help.gong.io/docs/receive-access-to-the-api' };

/** OAuth tokens for the whole company, for which a Gong technical admin gives consent. */
export const oauth = {
  id: 'oauth',
  type: 'oauth',
  title: 'Sign in with Gong',
  description: 'A Gong technical admin signs in and allows access for the whole company.',
  instead: 'Sign in with Gong instead',
  helpUrl: 'https://help.gong.io/docs/create-an-app-for-gong',
  fields: z
    .strictObject({
      refresh_token: secret('refresh token').meta({
        title: 'Refresh token',
        description: 'Works only once, so paste the newest one',
        writeOnly: true,
      }),
      access_token: secret('access token').optional().meta({
        title: 'Access token',
        description: 'Optional. Created from the refresh token if left empty.',
        writeOnly: true,
      }),
      client_id: secret('client ID').optional().meta({
        title: 'Client ID',
        description: 'From your own Gong OAuth app. Enter its client secret too.',
      }),
      client_secret: secret('client secret')
        .optional()
        .meta({ title: 'Client secret', description: 'From your own Gong OAuth app', writeOnly: true }),
    })
    .refine(({ client_id, client_secret }) => (client_id === undefined) === (client_secret === undefined), {
      path: ['client_secret'],
      message: 'Enter both the client ID and the client secret, or neither',
    }),
  rejectedField: 'refresh_token',
  authorize: (request, grant) => ({
    ...request,
    // Gong's generic host rejects customer tokens.
    url: request.url.replace(genericApiUrl, apiUrlOf(grant)),
    headers: { ...request.headers, authorization: `Bearer ${String(grant.credentials['access_token'])}` },
  }),
  refresh,
  consent,
  revocation,
} satisfies AuthMethod;

/**
 * An extension for open source mode: an access token that the caller obtains elsewhere, without the means to refresh
 * it. Pass the API address from Gong's token response as `state.api_base_url_for_customer`.
 */
export const accessToken = {
  id: 'access_token',
  type: 'credentials',
  title: 'Access token only (extension, open source mode)',
  description:
    "Your code renews the token, which works for a day. Pass the API address from Gong's token response as `state: { api_base_url_for_customer }`, because most tokens only work there. The service does not store such a token.",
  helpUrl: oauth.helpUrl,
  fields: z.strictObject({
    access_token: secret('access token').meta({ title: 'Access token', writeOnly: true }),
  }),
  rejectedField: 'access_token',
  authorize: oauth.authorize,
  isOpenSourceOnly: true,
  revocation,
} satisfies AuthMethod;

/** An API key pair created by a Gong technical admin. Gong can restrict it to certain IP addresses. */
export const accessKey = {
  id: 'access_key',
  type: 'credentials',
  title: 'Access key',
  description:
    'A Gong technical admin creates the key under Admin center → Settings → Ecosystem → API. If the key is restricted to IP addresses, add the addresses of this service.',
  helpUrl: 'https://help.gong.io/docs/receive-access-to-the-api',
  instead: 'Use an access key instead',
  guide: {
    steps: [
      'In Gong, open Admin center → Settings, and select API under Ecosystem.',
      'Select Get API key and give the key a name.',
      'Copy the access key and its secret. Gong shows the secret only once.',
      'Paste both here.',
    ],
    url: 'https://app.gong.io/company/api',
    who: 'A Gong technical admin, on any plan.',
  },
  fields: z.strictObject({
    // In HTTP Basic, a colon would end the user name.
    access_key: secret('access key', /^[!-9;-~]+$/).meta({
      title: 'Access key',
      description: 'Shown when the key is created',
    }),
    access_key_secret: secret('access key secret').meta({
      title: 'Access key secret',
      description: 'Shown only once, next to the access key',
      writeOnly: true,
    }),
  }),
  rejectedField: 'access_key_secret',
  authorize: (request, { credentials }) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: basic(String(credentials['access_key']), String(credentials['access_key_secret'])),
    },
  }),
  revocation,
} satisfies AuthMethod;
