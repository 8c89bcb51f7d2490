import { z } from 'zod';

export const executeRequest = z.strictObject({
  entity: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'Entity of the connector kind; `*` for the `check` action' }),
  action: z.string().min(1).max(100).meta({ description: 'list, get, search, update, create or check' }),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type ExecuteRequest = z.input<typeof executeRequest>;

/**
 * The result of an action: an array of records for `list`, one record for `get`, `{data, meta}` for `search`,
 * or `{results}` for `update` and `create`. `connector_metadata` contains the paging of a list and is null
 * for results without paging.
 */
export const executeResponse = z.object({
  result: z.unknown().meta({
    description:
      'An array of records for list; one record for get; `{data, meta}` for search, with the records in `data`; `{results}` for update and create',
  }),
  connector_metadata: z.record(z.string(), z.unknown()).nullable(),
});
export interface ExecuteResponse<Result = unknown, Metadata = Record<string, unknown> | null> {
  result: Result;
  connector_metadata: Metadata;
}
