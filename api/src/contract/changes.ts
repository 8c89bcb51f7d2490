import { z } from 'zod';
import { connectorType, customerName, timestamp, uuid } from './names.ts';
import { wholeNumber } from './whole-number.ts';

/** The maximum time in seconds for which a request waits for changes. */
const maxWaitSeconds = 30;

export const listChangesQuery = z.strictObject({
  cursor: z.string('Send `now`, or the cursor of the previous response').min(1).max(1000).meta({
    description: '`now` to start, then the `cursor` of the previous response',
  }),
  limit: wholeNumber(1, 1000).optional().meta({ description: 'Maximum number of changes, 1000 if omitted' }),
  wait_seconds: wholeNumber(0, maxWaitSeconds)
    .optional()
    .meta({ description: 'How long to wait for a change if there is none yet. Default: 0' }),
  connector_id: uuid.optional(),
  connector_type: connectorType.optional(),
  entity: z.string().min(1).max(100).optional().meta({
    description: 'The entity of the records. Disconnected connectors are reported all the same',
  }),
  customer_name: customerName.optional(),
});

export const changeOperation = z.enum(['upsert', 'delete', 'disconnect']);
export type ChangeOperation = z.infer<typeof changeOperation>;

const change = z.object({
  connector_id: uuid,
  customer_name: z.string().nullable().meta({ description: 'Null if the customer was deleted' }),
  connector_type: z.string(),
  entity: z.string().nullable().meta({ description: 'Null in a `disconnect`' }),
  id: z.string().nullable().meta({
    description:
      'The key of the record as text, such as `not_20260131`. If the key has several fields, a JSON array of their values. Null in a `disconnect`',
  }),
  operation: changeOperation.meta({
    description:
      '`upsert`: store the record. `delete`: delete it, if you have it. `disconnect`: delete all records of the connector',
  }),
  record: z.unknown().meta({
    description: 'The record as `search` returns it now; null in a `delete` and in a `disconnect`',
  }),
  changed_at: timestamp,
});

export const listChangesResponse = z.object({
  changes: z.array(change),
  cursor: z.string().meta({ description: 'Where the next request continues. Store it after the changes' }),
  has_more: z.boolean().meta({ description: 'Whether more changes can be read at once' }),
  horizon_age_seconds: z.number().meta({
    description:
      'How long no newer changes could be delivered, because an older transaction of the database server has not ended. Usually 0',
  }),
});
export type ListChangesResponse = z.infer<typeof listChangesResponse>;

/**
 * A change of a record, or the end of a connector.
 * @typeParam Records the types of records by entity.
 */
export type Change<Records extends object = Readonly<Record<string, unknown>>> =
  | { readonly [Entity in keyof Records & string]: RecordChange<Entity, Records[Entity]> }[keyof Records &
      string]
  | (ChangeOf<'disconnect'> & { readonly entity: null; readonly id: null; readonly record: null });

type RecordChange<Entity extends string, Of> = { readonly entity: Entity; readonly id: string } & (
  | (ChangeOf<'upsert'> & { readonly record: Of })
  | (ChangeOf<'delete'> & { readonly record: null })
);

interface ChangeOf<Operation extends ChangeOperation> extends Readonly<
  Pick<z.infer<typeof change>, 'connector_id' | 'customer_name' | 'connector_type' | 'changed_at'>
> {
  readonly operation: Operation;
}
