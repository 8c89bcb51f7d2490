import { z } from 'zod';
import { uuid } from './names.ts';

/** How often an organization's connectors may be synchronised: every five minutes to every thirty days. */
export const syncIntervalMinutes = { min: 5, max: 30 * 24 * 60 } as const;

/** The organization that a token acts for, and its settings. */
export const organization = z.object({
  id: uuid,
  name: z.string(),
  sync_interval_minutes: z.int().nullable().meta({
    description: 'Minutes between two synchronisations of a connector; null: the default',
  }),
  default_sync_interval_minutes: z
    .int()
    .meta({ description: "The operator's setting, for organizations that have none" }),
});
export type Organization = z.infer<typeof organization>;

export const updateOrganizationRequest = z.strictObject({
  // Out of bounds is told as 422: the number has the right shape.
  sync_interval_minutes: z
    .int()
    .nullable()
    .meta({
      description: 'Minutes between two synchronisations of a connector; null for the default',
      minimum: syncIntervalMinutes.min,
      maximum: syncIntervalMinutes.max,
      examples: [15],
    }),
});
export type UpdateOrganizationRequest = z.input<typeof updateOrganizationRequest>;
