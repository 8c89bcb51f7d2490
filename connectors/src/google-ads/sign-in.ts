import { z } from 'zod';
import type { AuthMethod } from '../kind/kind.ts';
import { ownApp } from './auth.ts';
import { consent } from './consent.ts';
import { en } from './messages/en.ts';

const { guide: _, ...withoutGuide } = ownApp;

/**
 * Auth method in which a Google user signs in with the platform's or organization's OAuth app, which includes
 * the developer token.
 */
export const signIn: AuthMethod = {
  ...withoutGuide,
  id: 'oauth',
  type: 'oauth',
  ...en.signIn,
  helpUrl: null,
  fields: z.strictObject({ refresh_token: z.string() }),
  isConsentOnly: true,
  consent,
};

/**
 * Values that the OAuth app needs besides the client id and secret: `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN` and
 * `OAUTH_GOOGLE_ADS_ACCESS_LEVEL`.
 */
export const appExtras = z.strictObject({
  developer_token: z
    .string('Enter the developer token')
    .regex(/^[\x21-\x7e]{1,200}$/, "A developer token can't contain spaces or special characters")
    .meta({
      title: 'Developer token',
      description: 'Google Ads manager account → Admin → API Center (22 characters)',
      writeOnly: true,
    }),
  access_level: z.enum(['basic', 'standard'], 'Use "basic" or "standard"').optional().meta({
    title: 'Access level',
    description:
      'Access level of the developer token: basic allows 15,000 operations per day, standard has no daily limit',
  }),
});
