import { z } from 'zod';
import { connectorType, timestamp, uuid } from '../names.ts';
import { pageMeta, pageQuery } from '../paging.ts';
import { reference } from './lists.ts';

const syncJobStates = ['waiting', 'running', 'retrying', 'failing'] as const;

/** The sync of one entity of one connector. */
const syncJob = z.object({
  connector: reference,
  organization: reference,
  customer: reference,
  connector_type: z.string(),
  entity: z.string(),
  state: z
    .enum(syncJobStates)
    .meta({ description: '`failing` after three failed attempts in a row, `retrying` before' }),
  records: z.int(),
  due_at: timestamp,
  running_since: timestamp.nullable(),
  last_synced_at: timestamp.nullable(),
  failures: z.int(),
  last_error: z.string().nullable(),
});
export type SyncJob = z.infer<typeof syncJob>;

export const listSyncJobsQuery = z.strictObject({
  organization_id: uuid.optional(),
  connector_type: connectorType.optional(),
  state: z.enum(syncJobStates).optional(),
  ...pageQuery,
});
export const syncJobPage = z.object({ data: z.array(syncJob), meta: pageMeta });

/** The use of one of a vendor's daily quotas. */
const vendorQuota = z.object({
  connector_type: z.string(),
  name: z.string().meta({ description: 'What shares the quota, such as `company` and a hash of its id' }),
  limit: z.int().nullable(),
  used: z.int(),
  window_ends_at: timestamp.nullable(),
  customers: z
    .array(z.object({ organization: reference, customer: reference, used: z.int(), last_used_at: timestamp }))
    .meta({ description: 'The ten customers that used most' }),
});
export type VendorQuota = z.infer<typeof vendorQuota>;
export const vendorQuotaList = z.object({ data: z.array(vendorQuota) });

/** The state of the installation at a glance. */
export const overview = z.object({
  version: z.string(),
  database: z.enum(['postgresql', 'pglite']),
  time: timestamp.meta({ description: "The database's time" }),
  organizations: z.int(),
  applications: z.int(),
  customers: z.int(),
  connectors: z.object({
    active: z.int(),
    needs_reauth: z.int(),
    disabled: z.int(),
    frozen: z.int(),
  }),
  failing_sync_jobs: z.int(),
  open_incidents: z.int(),
  default_sync_interval_minutes: z.int(),
  kinds: z.array(z.object({ key: z.string(), name: z.string() })),
  audit: z.object({
    is_writable: z.boolean(),
    waiting_entries: z.int().meta({ description: 'Entries that this process has not written yet' }),
    oldest_at: timestamp.nullable(),
  }),
  warnings: z.array(z.string()).meta({ description: 'What the operator should change, and where' }),
});
export type Overview = z.infer<typeof overview>;

export const getHealthQuery = z.strictObject({ organization_id: uuid.optional() });

const uses = { succeeded: z.int(), failed: z.int() };

/** How the connectors of a kind work. */
const sourceHealth = z.object({
  connector_type: z.string(),
  connectors: z.int().meta({ description: 'Without those that are disabled or frozen' }),
  last_day: z.object(uses).meta({ description: 'Calls and syncs of the last 24 hours' }),
  days: z
    .array(z.object({ day: z.iso.date(), ...uses }))
    .meta({ description: 'The last 30 days (UTC) that have calls or syncs' }),
  sync_delay_seconds: z
    .int()
    .meta({ description: 'How long the sync that is most overdue has been waiting' }),
  affected_customers: z.int().meta({ description: 'Customers with a problem' }),
  affected_since: timestamp.nullable(),
});
export type SourceHealth = z.infer<typeof sourceHealth>;

/** Connectors that have the same problem. */
const healthProblem = z.object({
  problem: z.enum(['needs_reauth', 'failing_sync']),
  connector_type: z.string(),
  cause: z.string().meta({
    description:
      '`sign_in_expired` or `credentials_rejected` if the connectors need reconnecting, otherwise the problem code of the sync',
  }),
  title: z.string().meta({ description: 'The cause in words' }),
  connectors: z.int(),
  customers: z.int(),
  since: timestamp,
});
export type HealthProblem = z.infer<typeof healthProblem>;

/** What works and what does not, per source and per cause. */
export const health = z.object({ sources: z.array(sourceHealth), problems: z.array(healthProblem) });
export type Health = z.infer<typeof health>;
