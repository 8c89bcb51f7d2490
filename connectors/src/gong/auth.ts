import { z } from 'zod';
import type { AuthMethod } from '../kind/kind.ts';
import { pasted, pastedMessages } from '../rest/auth.ts';
import { basicAuthorization } from '../rest/tokens.ts';
import { consent } from './consent.ts';
import { en } from './messages/en.ts';
import { apiUrlOf, refresh } from './tokens.ts';
import { genericApiUrl } from './wire.ts';

/** Gong's API cannot revoke tokens and keys: a technical admin does so under Settings → Ecosystem → API. */
const revocation = { pageUrl: 'https://help.gong.io/docs/receive-access-to-the-api' };

/** OAuth tokens for the whole company, for which a Gong technical admin gives consent. */
export const oauth = {
  id: 'oauth',
  type: 'oauth',
  ...en.signIn,
  helpUrl: 'https://help.gong.io/docs/create-an-app-for-gong',
  fields: z
    .strictObject({
      refresh_token: pasted(pastedMessages('refresh token')).meta({
        title: 'Refresh token',
        description: 'Works only once, so paste the newest one',
        writeOnly: true,
      }),
      access_token: pasted(pastedMessages('access token')).optional().meta({
        title: 'Access token',
        description: 'Optional. Created from the refresh token if left empty.',
        writeOnly: true,
      }),
      client_id: pasted(pastedMessages('client ID')).optional().meta({
        title: 'Client ID',
        description: 'From your own Gong OAuth app. Enter its client secret too.',
      }),
      client_secret: pasted(pastedMessages('client secret'))
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
    access_token: pasted(pastedMessages('access token')).meta({ title: 'Access token', writeOnly: true }),
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
  title: en.accessKey.title,
  description: en.accessKey.description,
  helpUrl: 'https://help.gong.io/docs/receive-access-to-the-api',
  instead: en.accessKey.instead,
  guide: {
    steps: en.accessKey.steps,
    url: 'https://app.gong.io/company/api',
    who: en.accessKey.who,
  },
  fields: z.strictObject({
    // In HTTP Basic, a colon would end the user name.
    access_key: pasted(en.accessKey.key, { characters: /^[!-9;-~]+$/ }).meta({
      title: en.accessKey.title,
      description: en.accessKey.key.hint,
    }),
    access_key_secret: pasted(en.accessKey.secret).meta({
      title: en.accessKey.secret.title,
      description: en.accessKey.secret.hint,
      writeOnly: true,
    }),
  }),
  rejectedField: 'access_key_secret',
  authorize: (request, { credentials }) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: basicAuthorization(
        String(credentials['access_key']),
        String(credentials['access_key_secret']),
      ),
    },
  }),
  revocation,
} satisfies AuthMethod;
