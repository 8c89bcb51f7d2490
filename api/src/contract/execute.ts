import { z } from 'zod';

export const executeRequest = z.strictObject({
  entity: z.string().min(1).max(100).meta({ description: 'Entity of the kind; `*` for the action `check`' }),
  action: z.string().min(1).max(100).meta({ description: 'list, get, search, update, create or check' }),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type ExecuteRequest = z.input<typeof executeRequest>;

/**
 * What every action answers: for a list the records and their paging, for a get the record, for a search the envelope
 * of records and meta, for update and create `{results}`. `connector_metadata` is null where there is nothing to say.
 */
export const executeResponse = z.object({
  result: z.unknown(),
  connector_metadata: z.record(z.string(), z.unknown()).nullable(),
});
export interface ExecuteResponse<Result = unknown, Metadata = Record<string, unknown> | null> {
  result: Result;
  connector_metadata: Metadata;
}
