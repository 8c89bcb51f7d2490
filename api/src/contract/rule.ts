import { connectorType, uuid } from './names.ts';

/**
 * Returns options for zod's `refine` that check a rule across several members even if some members are
 * invalid, so that all issues are reported together.
 * @param member the member that the issue points to; the object itself if omitted.
 */
export function rule(message: string, member?: string) {
  return {
    message,
    ...(member === undefined ? {} : { path: [member] }),
    when: ({ value }: { readonly value: unknown }) =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  };
}

/** The members that identify a connector kind; one of them is required. */
export const kindNames = {
  connector_type: connectorType.optional().meta({ description: 'Required unless `definition_id` is set' }),
  definition_id: uuid.optional(),
};

/** Arguments for `refine` that require `connector_type` or `definition_id`. */
export const namesKind = [
  (body: { readonly connector_type?: unknown; readonly definition_id?: unknown }) =>
    body.connector_type !== undefined || body.definition_id !== undefined,
  rule('Provide connector_type or definition_id', 'connector_type'),
] as const;
