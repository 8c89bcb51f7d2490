import { z } from 'zod';
import { uuid } from './names.ts';

/** Minimum and maximum of an organization's sync interval. */
export const syncIntervalMinutes = { min: 5, max: 30 * 24 * 60 } as const;

/** The organization that a token belongs to, and its settings. */
export const organization = z.object({
  id: uuid,
  name: z.string(),
  sync_interval_minutes: z.int().nullable().meta({
    description: 'Minutes between two syncs of a connector; null means the default',
  }),
  default_sync_interval_minutes: z
    .int()
    .meta({ description: "The operator's default, used when `sync_interval_minutes` is null" }),
});
export type Organization = z.infer<typeof organization>;

export const updateOrganizationRequest = z.strictObject({
  // A number out of bounds is a 422, not a 400, so the schema does not enforce the bounds.
  sync_interval_minutes: z
    .int()
    .nullable()
    .meta({
      description: 'Minutes between two syncs of a connector; null restores the default',
      minimum: syncIntervalMinutes.min,
      maximum: syncIntervalMinutes.max,
      examples: [15],
    }),
});
export type UpdateOrganizationRequest = z.input<typeof updateOrganizationRequest>;
