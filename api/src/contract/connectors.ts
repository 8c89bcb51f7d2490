import { z } from 'zod';
import { connectorName, connectorType, customerName, timestamp, uuid } from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { kindNames, namesKind, rule } from './rule.ts';

/** Sync progress of one entity. */
export const entitySync = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  records: z.number().int(),
  last_synced_at: timestamp.nullable(),
  last_error: z.string().nullable(),
});

const syncState = z.object({
  status: z.enum(['none', 'building', 'preview', 'ready']),
  entities: z.record(z.string(), entitySync),
});
export type SyncState = z.infer<typeof syncState>;

/**
 * `disabled` by an operator, or `frozen` by an incident; in both cases the connector cannot be used until an operator
 * allows it.
 */
export const connectorStatus = z.enum(['active', 'needs_reauth', 'disabled', 'frozen']);
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
        'Replaces all settings; an omitted setting gets its default. Verified with the vendor. If the new settings change what is synced, a full sync starts',
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
  ...pageQuery,
});
export const listConnectorsResponse = z.object({ data: z.array(connector), meta: pageMeta });
export type ListConnectorsResponse = z.infer<typeof listConnectorsResponse>;

/** Whether the vendor currently accepts the stored credentials. */
export const checkResponse = z.object({
  status: z.enum(['healthy', 'unhealthy']),
  error: z.string().nullable(),
  checked_entity: z.string(),
  checked_action: z.string(),
});
export type CheckResponse = z.infer<typeof checkResponse>;
