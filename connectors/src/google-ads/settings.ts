import { maxAccounts } from '@connector-auth/api';
import { z } from 'zod';
import type { Grant } from '../kind/grants.ts';
import { newestVersion } from './api-version.ts';
import { en } from './messages/en.ts';

export const customerId = z.string().regex(/^\d{10}$/, en.customerIds.digits);

export const settings = z.strictObject({
  customer_id: z
    // Users paste ids as 123-456-7890, and separate several ids with commas.
    .preprocess(
      value =>
        (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]).map(id =>
          typeof id === 'string' ? id.trim().replaceAll('-', '') : id,
        ),
      z.array(customerId).min(1, en.customerIds.none).max(maxAccounts, en.customerIds.tooMany),
    )
    .optional()
    .meta({
      title: en.customerIds.title,
      description: en.customerIds.hint,
      examples: [['6120459183']],
      'x-audience': 'customer',
    }),
  start_date: z.iso
    .date(en.startDate.format)
    .optional()
    .meta({
      title: en.startDate.title,
      description: en.startDate.hint,
      examples: ['2026-01-01'],
      'x-audience': 'customer',
    }),
  conversion_window_days: z.int('Enter a whole number of days').min(0).max(90).default(14).meta({
    title: 'Conversion window',
    description: 'Number of past days to sync again each time, because Google Ads reports conversions late',
    'x-audience': 'integrator',
  }),
  // A default would be stored, and would pin every connector to a version that Google removes within a year.
  api_version: z
    .string()
    .regex(/^v(2\d|[3-9]\d)$/, 'Enter v20 or later')
    .optional()
    .meta({
      title: 'API version',
      description: `Major version of the Google Ads API. Leave empty to use ${newestVersion}.`,
      examples: [newestVersion],
      'x-audience': 'integrator',
    }),
  access_level: z.enum(['basic', 'standard'], 'Use "basic" or "standard"').default('basic').meta({
    title: 'Access level',
    description:
      'Access level of the developer token: basic allows 15,000 operations per day, standard has no daily limit',
    'x-audience': 'integrator',
  }),
});
export type Settings = z.output<typeof settings>;

/** Returns a connector's settings with defaults applied. */
export function settingsOf(grant: Grant): Settings {
  return settings.parse(grant.settings);
}
