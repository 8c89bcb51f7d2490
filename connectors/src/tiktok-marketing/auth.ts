import { maxAccounts } from '@connector-auth/api';
import { z } from 'zod';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { AuthMethod } from '../kind/kind.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest } from '../kind/vendor.ts';
import { pasted } from '../rest/auth.ts';
import { consent } from './consent.ts';
import { en } from './messages/en.ts';
import { advertiserId, date } from './params.ts';
import { request } from './wire.ts';

const words = en.accessToken;
const pageUrl = 'https://business-api.tiktok.com/portal/docs?id=1738373141733378';

const token = pasted(words, { max: 2000 }).meta({
  title: words.title,
  description: words.hint,
  writeOnly: true,
  examples: ['0f9b2e1c7d6a…'],
});

/** An access token. It does not expire, but the advertiser or the app can revoke it. */
export const accessToken = {
  id: 'access_token',
  type: 'credentials',
  title: words.title,
  description: words.description,
  helpUrl: 'https://business-api.tiktok.com/portal/docs',
  instead: words.instead,
  guide: {
    steps: words.steps,
    url: 'https://business-api.tiktok.com/portal/apps',
    who: words.who,
  },
  fields: z
    .strictObject({
      access_token: token,
      // An extension: TikTok lists the advertisers of a token only for the app that issued it.
      app_id: z
        .string(words.appId.digits)
        .trim()
        .regex(/^\d{1,32}$/, words.appId.digits)
        .optional()
        .meta({ title: words.appId.title, description: words.appId.hint }),
      secret: z
        .string(words.secret.invalid)
        .trim()
        .regex(/^[\x21-\x7e]{1,200}$/, words.secret.invalid)
        .optional()
        .meta({ title: words.secret.title, description: words.secret.hint, writeOnly: true }),
    })
    .refine(({ app_id, secret }) => (app_id === undefined) === (secret === undefined), {
      path: ['secret'],
      message: words.secret.both,
    }),
  rejectedField: 'access_token',
  // TikTok does not support the `Authorization` header.
  authorize: (request, { credentials }) => ({
    ...request,
    headers: { ...request.headers, 'access-token': String(credentials['access_token']) },
  }),
  // Only the app that a token was issued to can revoke it, and the app of a pasted token is often unknown.
  revocation: { pageUrl },
} satisfies AuthMethod;

const { guide: _, ...withoutGuide } = accessToken;

/**
 * Auth method in which an advertiser authorizes the platform's app. The resulting token is used like a pasted
 * token.
 */
export const authorization = {
  ...withoutGuide,
  id: 'oauth',
  type: 'oauth',
  ...en.signIn,
  helpUrl: null,
  fields: z.strictObject({ access_token: token }),
  isConsentOnly: true,
  consent,
  revocation: {
    pageUrl,
    request: requestRevocation,
    isAlreadyRevoked: ({ body }) => revokedTokenCodes.has(Number(asObject(body)['code'])),
  },
} satisfies AuthMethod;

/** The codes for a token that expired, or is wrong or revoked. */
const revokedTokenCodes = new Set([40102, 40105]);

function requestRevocation({ credentials }: Grant, app: OAuthApp | null): VendorRequest | null {
  if (app === null) return null;
  const accessToken = String(credentials['access_token']);
  return {
    ...request('/oauth2/revoke_token/'),
    method: 'POST',
    headers: { 'access-token': accessToken },
    body: { app_id: app.clientId, secret: app.clientSecret, access_token: accessToken },
  };
}

export const settings = z.strictObject({
  advertiser_ids: z
    .array(advertiserId, en.advertiserIds.notAList)
    .min(1, en.advertiserIds.none)
    .max(maxAccounts, en.advertiserIds.tooMany)
    .optional()
    .meta({
      title: en.advertiserIds.title,
      description: en.advertiserIds.hint,
      'x-audience': 'customer',
    }),
  start_date: date.optional().meta({
    title: en.startDate.title,
    description: en.startDate.hint,
    examples: ['2026-01-01'],
    'x-audience': 'customer',
  }),
});
