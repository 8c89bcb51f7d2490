import { z } from 'zod';
import { accessLevel, connectorName, connectorType, customerName, timestamp, uuid } from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { kindNames, namesKind, rule } from './rule.ts';
import { wholeNumber } from './whole-number.ts';

/** Sync progress of one entity. */
export const entitySync = z.object({
  // Earlier versions of the service send no title and no times.
  title: z.string().optional().meta({ description: 'The name for users, such as `Daily ad reports`' }),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  records: z.number().int().meta({ description: 'How many records `search` finds' }),
  last_synced_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  last_error_code: z.string().nullable().optional().meta({
    description: 'The error code of `last_error`, such as `vendor_failed`; null if there is none',
  }),
  dates: z.object({ from: timestamp, to: timestamp }).nullable().optional().meta({
    description:
      'The times of the oldest and the newest record; null if records have none. Only in the response with one connector',
  }),
  latest: z
    .array(z.object({ title: z.string(), at: timestamp }))
    .optional()
    .meta({
      description:
        'Up to three newest records, if they have a time. Only for tokens that may search, in the same response',
    }),
  retry_at: timestamp.nullable().optional().meta({
    description: "When a sync that failed, or that waits for the vendor's rate limit, continues",
  }),
});
export type EntitySync = z.infer<typeof entitySync>;

const syncState = z.object({
  status: z.enum(['none', 'building', 'preview', 'ready']),
  entities: z.record(z.string(), entitySync),
  progress: z.number().min(0).max(1).nullable().optional().meta({
    description:
      'The share of the entities whose first sync is done; null if all are, or the connector is not active',
  }),
  next_sync_at: timestamp.nullable().optional().meta({ description: 'When the next sync begins' }),
});
export type SyncState = z.infer<typeof syncState>;

/**
 * `disabled` by an operator, or `frozen` by an incident; in both cases the connector cannot be used until an operator
 * allows it. `unavailable` while its kind is not loaded.
 */
export const connectorStatus = z.enum(['active', 'needs_reauth', 'disabled', 'frozen', 'unavailable']);
export type ConnectorStatus = z.infer<typeof connectorStatus>;

const settings = z.record(z.string(), z.unknown());

/** A customer's stored connection. Never contains credentials, not even masked ones. */
export const connector = z.object({
  id: uuid,
  name: z.string(),
  customer_name: z.string(),
  connector_type: z.string(),
  definition_id: uuid,
  auth_method: z.string(),
  status: connectorStatus,
  // Earlier versions of the service send none.
  replication_config: settings
    .nullable()
    .default(null)
    .meta({ description: 'The settings with their defaults; null if the kind has no settings' }),
  access: accessLevel
    .optional()
    .meta({ description: 'With `read`, `create` and `update` are rejected. Changes only by reconnecting' }),
  sync: syncState,
  created_at: timestamp,
  updated_at: timestamp,
});
export type Connector = z.infer<typeof connector>;

const credentials = z.record(z.string(), z.unknown()).meta({
  writeOnly: true,
  description: "Must match the `schema` of one of the definition's `auth_methods`",
});

const secretId = z.string().min(1).max(200).meta({
  writeOnly: true,
  description: 'The `secret_id` from server-side OAuth, instead of `credentials`',
});

export const createConnectorRequest = z
  .strictObject({
    customer_name: customerName.optional().meta({ description: 'Required with an application token' }),
    ...kindNames,
    name: connectorName,
    credentials: credentials.optional().meta({
      description: 'Required unless `server_side_oauth_secret_id` is set',
    }),
    server_side_oauth_secret_id: secretId.optional(),
    replication_config: settings.optional().meta({ description: "Must match the definition's `settings`" }),
  })
  .refine(...namesKind)
  .refine(
    body => body.credentials !== undefined || body.server_side_oauth_secret_id !== undefined,
    rule('Provide credentials or server_side_oauth_secret_id', 'credentials'),
  )
  .refine(
    body => body.credentials === undefined || body.server_side_oauth_secret_id === undefined,
    rule('Provide credentials or server_side_oauth_secret_id, not both', 'credentials'),
  );
export type CreateConnectorRequest = z.input<typeof createConnectorRequest>;

export const updateConnectorRequest = z
  .strictObject({
    name: connectorName.optional(),
    credentials: credentials.optional().meta({ description: 'Re-authenticates the connector in place' }),
    server_side_oauth_secret_id: secretId.optional().meta({
      description: 'Re-authenticates the connector in place with the `secret_id` from server-side OAuth',
    }),
    replace_account: z.boolean().optional().meta({
      description:
        'Accept credentials of a different vendor account; deletes the records synced from the previous one',
    }),
    replication_config: settings.optional().meta({
      description:
        'Changes the named settings and keeps the others; null resets a setting to its default. Verified with the vendor. If the new settings change what is synced, a full sync starts',
    }),
  })
  .refine(
    body =>
      body.name !== undefined ||
      body.credentials !== undefined ||
      body.server_side_oauth_secret_id !== undefined ||
      body.replication_config !== undefined,
    rule('Provide name, credentials, server_side_oauth_secret_id or replication_config'),
  )
  .refine(
    body => body.credentials === undefined || body.server_side_oauth_secret_id === undefined,
    rule('Provide credentials or server_side_oauth_secret_id, not both'),
  );
export type UpdateConnectorRequest = z.input<typeof updateConnectorRequest>;

export const listConnectorsQuery = z.strictObject({
  customer_name: customerName.optional(),
  connector_type: connectorType.optional(),
  definition_id: uuid.optional(),
  status: connectorStatus.optional(),
  changed_since: timestamp.optional().meta({
    description:
      'Only connectors whose `updated_at` is not earlier: created, renamed, reconnected, stopped or allowed again since then',
  }),
  ...pageQuery,
});
/** The maximum time in seconds in which a deletion can be undone. */
const maxUndoSeconds = 60;

export const deleteConnectorQuery = z.strictObject({
  undo_seconds: wholeNumber(0, maxUndoSeconds)
    .optional()
    .meta({
      description:
        'Seconds in which the deletion can be undone: the connector can no longer be used, but is deleted and its grant revoked only afterwards. Default: 0. A request without it deletes at once, also within the time of an earlier one',
      examples: [30],
    }),
});

export const listConnectorsResponse = z.object({ data: z.array(connector), meta: pageMeta });
export type ListConnectorsResponse = z.infer<typeof listConnectorsResponse>;

/** An account that a grant can see, such as an advertiser or a workspace. */
const account = z.object({
  id: z.string(),
  name: z.string(),
  detail: z
    .string()
    .nullable()
    .meta({ description: 'More about it, such as `612-045-9183 · USD · Manager`' }),
  selectable: z.boolean(),
  reason: z.string().nullable().meta({ description: 'Why it cannot be selected' }),
});
export type Account = z.infer<typeof account>;

/** The maximum number of accounts in a response. */
export const maxAccounts = 2000;

export const listAccountsResponse = z.object({
  accounts: z.array(account).max(maxAccounts),
  is_complete: z.boolean().meta({ description: `Whether the grant sees at most ${maxAccounts} accounts` }),
  selected: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The ids of the chosen accounts; null if all of them are synced' }),
  daily_requests_per_account: z
    .int()
    .nullable()
    .meta({ description: 'Estimated requests per day that syncing one account takes; null if unknown' }),
});
export type ListAccountsResponse = z.infer<typeof listAccountsResponse>;

/** Whether the vendor currently accepts the stored credentials. */
export const checkResponse = z.object({
  status: z.enum(['healthy', 'unhealthy']),
  error: z.string().nullable(),
  checked_entity: z.string(),
  checked_action: z.string(),
});
export type CheckResponse = z.infer<typeof checkResponse>;
