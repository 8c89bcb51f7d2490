import { maxAccounts } from '@connector-auth/api';
import { z } from 'zod';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import type { AuthMethod } from '../kind/kind.ts';
import { asObject } from '../kind/record.ts';
import type { VendorRequest } from '../kind/vendor.ts';
import { consent } from './consent.ts';
import { advertiserId, date } from './params.ts';
import { request } from './wire.ts';

const pageUrl = 'https://business-api.tiktok.com/portal/docs?id=1738373141733378';

/** An access token. It does not expire, but the advertiser or the app can revoke it. */
export const accessToken = {
  id: 'access_token',
  type: 'credentials',
  title: 'Access token',
  description:
    'A long-term access token of your TikTok API for Business app. TikTok issues it when an advertiser authorizes the app.',
  helpUrl: 'https://business-api.tiktok.com/portal/docs',
  instead: 'Use an access token instead',
  guide: {
    steps: [
      'In TikTok API for Business, open My Apps and choose your app.',
      "Open the app's authorization link, sign in, and choose the ad accounts to share.",
      'TikTok redirects to your app with an authorization code. Exchange it for an access token.',
      'Paste the access token here. It works until you or the app revoke it.',
    ],
    url: 'https://business-api.tiktok.com/portal/apps',
    who: 'A developer of a TikTok API for Business app.',
  },
  fields: z.strictObject({
    access_token: z
      .string('Paste the access token')
      .trim()
      .min(1, 'Paste the access token')
      .max(2000, 'The access token is too long')
      // Sent in a header.
      .regex(/^[\x21-\x7e]+$/, "An access token can't contain spaces or special characters")
      .meta({
        title: 'Access token',
        description: 'TikTok returns it once, in exchange for the authorization code',
        writeOnly: true,
        examples: ['0f9b2e1c7d6a…'],
      }),
  }),
  rejectedField: 'access_token',
  // TikTok does not support the `Authorization` header.
  authorize: (request, { credentials }) => ({
    ...request,
    headers: { ...request.headers, 'access-token': String(credentials['access_token']) },
  }),
  // Only the app that a token was issued to can revoke it, and the app of a pasted token is unknown.
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
  title: 'Sign in with TikTok',
  description: 'Choose the ad accounts to share in TikTok for Business.',
  instead: 'Sign in with TikTok instead',
  helpUrl: null,
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
    .array(advertiserId, 'Enter a list of advertiser IDs')
    .min(1, 'Enter at least one advertiser ID')
    .max(maxAccounts, 'Enter at most 2,000 advertiser IDs')
    .optional()
    .meta({
      title: 'Advertisers',
      description: 'IDs of the TikTok ad accounts to sync. Leave empty to sync every account you shared.',
      'x-audience': 'customer',
    }),
  start_date: date.optional().meta({
    title: 'Start date',
    description: 'First day of reports to sync. Leave empty to start when each ad account was created.',
    examples: ['2026-01-01'],
    'x-audience': 'customer',
  }),
});
