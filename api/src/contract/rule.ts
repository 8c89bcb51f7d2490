import { connectorType, uuid } from './names.ts';

/**
 * How a rule over several members of an object is told, for zod's `refine`: together with everything else that is wrong, where zod by
 * itself would first ask for all members to be right.
 * @param member whose fault it is; the object's own when absent.
 */
export function rule(message: string, member?: string) {
  return {
    message,
    ...(member === undefined ? {} : { path: [member] }),
    when: ({ value }: { readonly value: unknown }) =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  };
}

/** The members that name a kind of connector: one of them is enough. */
export const kindNames = {
  connector_type: connectorType.optional().meta({ description: 'Required unless `definition_id` is given' }),
  definition_id: uuid.optional(),
};

/** The rule of what names a kind of connector by `connector_type` or by `definition_id`. */
export const namesKind = [
  (body: { readonly connector_type?: unknown; readonly definition_id?: unknown }) =>
    body.connector_type !== undefined || body.definition_id !== undefined,
  rule('Provide connector_type or definition_id', 'connector_type'),
] as const;
