import { z } from 'zod';
import { connectionTones, type ConnectionStateName } from '../connection-state.ts';
import { connectorStatus, entitySync } from '../connectors.ts';
import { connectorType, customerName, timestamp, uuid } from '../names.ts';
import { pageMeta } from '../paging.ts';
import { listQuery, reference } from './lists.ts';

export const adminCustomerParams = z.strictObject({ customer_id: uuid });
export const adminConnectorParams = z.strictObject({ connector_id: uuid });

export const adminCustomer = z.object({
  id: uuid,
  name: z.string(),
  organization: reference,
  connectors: z.int(),
  created_at: timestamp,
});
export type AdminCustomer = z.infer<typeof adminCustomer>;

export const listAllCustomersQuery = z.strictObject({
  organization_id: uuid.optional(),
  ...listQuery(['name', 'created_at']),
});
export const adminCustomerPage = z.object({ data: z.array(adminCustomer), meta: pageMeta });

const adminConnector = z.object({
  id: uuid,
  name: z.string(),
  organization: reference,
  customer: reference,
  connector_type: z.string(),
  auth_method: z.string(),
  status: connectorStatus,
  state: z.enum(Object.keys(connectionTones) as ConnectionStateName[]).meta({
    description: 'The state that users see, derived from the status and the sync of all entities',
  }),
  disabled_at: timestamp.nullable(),
  incident_id: uuid.nullable().meta({ description: 'The incident that froze the connector' }),
  last_error: z.string().nullable().meta({ description: 'The most recent sync error of any entity' }),
  last_synced_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type AdminConnector = z.infer<typeof adminConnector>;

/** The states of an active connector, which has no other status. */
const { expired: _expired, paused: _paused, unavailable: _unavailable, ...activeStates } = connectionTones;
export type ActiveState = keyof typeof activeStates;

export const listAllConnectorsQuery = z.strictObject({
  organization_id: uuid.optional(),
  customer_id: uuid.optional(),
  customer_name: customerName.optional(),
  connector_type: connectorType.optional(),
  status: z
    .enum([...connectorStatus.options, ...(Object.keys(activeStates) as ActiveState[])])
    .optional()
    .meta({ description: 'A status, or a state that only active connectors have' }),
  ...listQuery(['name', 'created_at', 'updated_at']),
});
export const adminConnectorPage = z.object({ data: z.array(adminConnector), meta: pageMeta });

export const adminConnectorDetail = adminConnector.extend({
  entities: z.record(
    z.string(),
    entitySync.extend({
      next_sync_at: timestamp.nullable(),
      failures: z.int().meta({ description: 'Consecutive failed attempts' }),
    }),
  ),
});
export type AdminConnectorDetail = z.infer<typeof adminConnectorDetail>;
