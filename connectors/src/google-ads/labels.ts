import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { en } from './messages/en.ts';
import { mutate, mutateParams, mutation } from './mutate.ts';

const description = z.string().max(200).optional();

const label = z.strictObject({
  name: z.string().min(1).max(80).describe('Name, unique among labels'),
  description: description.describe('What the label is for'),
  textLabel: z
    .strictObject({
      backgroundColor: z
        .string()
        .regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'Use a hex color such as #1E8E3E')
        .optional()
        .describe('Hex color such as `#1E8E3E`'),
      description: description.describe("Takes precedence over the label's own description"),
    })
    .optional(),
});

export const labels = {
  ...en.labels,
  description: 'Labels for campaigns, ad groups and ads',
  actions: {
    create: defineAction({
      summary: 'Create a label',
      params: mutateParams('create', z.strictObject({ create: label.optional() })),
      record: mutation,
      run: ({ customer_id, operations }, vendor) =>
        mutate(vendor, customer_id, 'labels', operations.map(toLabel)),
    }),
  },
} as const satisfies Entity;

/** Converts a label to Google's format, in which the description is part of the text label. */
function toLabel({ create }: { create?: z.output<typeof label> | undefined }) {
  if (create === undefined) return {};
  const { name, description, textLabel } = create;
  if (description === undefined) return { create };
  return {
    create: { name, textLabel: { ...textLabel, description: textLabel?.description ?? description } },
  };
}
