import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { isSyncAllowed } from '../../shared/repositories/connectors.ts';
import {
  beginRun,
  nextSliceAt,
  now,
  readAt,
  readState,
  resumeRun,
  type LeaseKey,
  type SyncRun,
} from '../../shared/repositories/sync-state.ts';

/** A customer whose connectors are synced. */
export interface Customer {
  readonly organizationId: string;
  readonly customerId: string;
}

/** An entity that a worker has leased for one time slice. */
export interface EntityLease extends LeaseKey {
  readonly customerId: string;
  /** The key of the connector kind. */
  readonly kind: string;
  readonly run: SyncRun;
  /** The number of time slices that failed since the last page was saved. */
  readonly failures: number;
  /** Whether a previous run has finished. */
  readonly isSynced: boolean;
  /** How many records were stored when the entity was leased. */
  readonly records: number;
}

export interface LeaseOptions {
  readonly leaseSeconds: number;
  /** The default sync interval for organizations that do not set one. */
  readonly intervalMinutes: number;
  /** The number of hours from the start of one full run until a full run is due again. */
  readonly fullRunHours: number;
  /**
   * The entities that this process can sync, keyed by `kind/entity`, and whether each supports incremental
   * runs. See `fullSyncCallsPerHour` of a connector kind.
   */
  readonly entities: ReadonlyMap<
    string,
    { readonly isIncremental: boolean; readonly fullSyncCallsPerHour: number }
  >;
}

/**
 * Returns up to 1,000 customers with an entity that can be leased now. The longest-waiting customers come
 * first.
 */
export async function findWaitingCustomers(
  db: Kysely<Tables>,
  { entities }: Pick<LeaseOptions, 'entities'>,
  only: Customer | null = null,
): Promise<Customer[]> {
  return waitingEntities(db, entities)
    .$if(only !== null, query => query.where('connectors.customer_id', '=', only?.customerId ?? ''))
    .select(['connectors.organization_id as organizationId', 'connectors.customer_id as customerId'])
    .groupBy(['connectors.organization_id', 'connectors.customer_id'])
    .orderBy(sql`min(${nextSliceAt})`)
    .limit(1_000)
    .execute();
}

/**
 * Leases the customer's waiting entity that had its last time slice longest ago, and starts a run if none is
 * in progress. Leases at most one entity per connector at a time.
 * @returns null if no entity of the customer can be leased now.
 */
export async function acquireEntityLease(
  db: Transaction<Tables>,
  { organizationId, customerId }: Customer,
  { leaseId, holder }: { readonly leaseId: string; readonly holder: number | null },
  options: LeaseOptions,
): Promise<EntityLease | null> {
  const row = await waitingEntities(db, options.entities)
    .where('connectors.organization_id', '=', organizationId)
    .where('connectors.customer_id', '=', customerId)
    .selectAll('synced_entities')
    .select([
      'connectors.kind',
      readAt,
      sql<boolean>`coalesce(full_run_at < now() - make_interval(hours => ${options.fullRunHours}), true)`.as(
        'is_full_due',
      ),
      sql<number>`coalesce(
        (select sync_interval_minutes from organizations where id = ${organizationId}), ${options.intervalMinutes}::integer)`.as(
        'interval_minutes',
      ),
    ])
    .orderBy('synced_entities.slice_started_at', order => order.asc().nullsFirst())
    .orderBy('synced_entities.entity')
    .limit(1)
    .forUpdate('synced_entities')
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { connector_id: connectorId, entity, kind } = row;
  const key = { organizationId, connectorId, entity, leaseId };
  const lease = { key, holder, leaseSeconds: options.leaseSeconds };
  const state = readState(row);
  const begin = (): Promise<SyncRun> => {
    const { isIncremental = false, fullSyncCallsPerHour = 0 } =
      options.entities.get(`${kind}/${entity}`) ?? {};
    const maxCalls = (fullSyncCallsPerHour * row.interval_minutes) / 60;
    const isFullCheap = fullSyncCallsPerHour > 0 && (row.full_run_calls ?? Infinity) <= maxCalls;
    const since = isIncremental && !row.is_full_due && !isFullCheap ? row.since : null;
    return beginRun(db, lease, { since, intervalMinutes: options.intervalMinutes });
  };
  const run = state.name === 'idle' ? await begin() : await resumeRun(db, lease, row);
  const isSynced = row.last_synced_at !== null;
  return { ...key, customerId, kind, run, failures: row.failures, isSynced, records: row.records };
}

function waitingEntities(db: Kysely<Tables>, entities: LeaseOptions['entities']) {
  return db
    .selectFrom('synced_entities')
    .innerJoin('connectors', join =>
      join
        .onRef('connectors.organization_id', '=', 'synced_entities.organization_id')
        .onRef('connectors.id', '=', 'synced_entities.connector_id'),
    )
    .where(nextSliceAt, '<=', now)
    .where('connectors.status', '=', 'active')
    .where(isSyncAllowed)
    .where(
      sql<boolean>`connectors.kind || '/' || synced_entities.entity = any(${[...entities.keys()]}::text[])`,
    )
    .where(
      sql<boolean>`not exists (select from synced_entities as other
        where other.organization_id = synced_entities.organization_id
          and other.connector_id = synced_entities.connector_id and other.lease_until > now())`,
    );
}
