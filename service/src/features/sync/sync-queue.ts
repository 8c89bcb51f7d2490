/*
 * The queue of customers that wait for a time slice: a row of `sync_queue` for each customer and connector kind. The
 * triggers of migration 0031 change the rows in the transactions that change what is due.
 *
 * | state     | `due_at`  | becomes                                                                                 |
 * | --------- | --------- | --------------------------------------------------------------------------------------- |
 * | `absent`  | no row    | `later` or `waiting` when one of the customer's connectors of the kind can be synced    |
 * | `later`   | in future | `waiting` at that time, `absent` when none can be synced                                |
 * | `waiting` | past      | `taken` by a worker, `later` or `absent` when something else ends the wait              |
 * | `taken`   | infinity  | `waiting` at the end of the queue, `later` or `absent`, before its transaction commits  |
 *
 * A customer has one turn in the queue, whatever the number of its kinds and connectors: taking it for one kind moves
 * its other kinds to the end, too.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';
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
  /** The kinds that this process can sync. */
  readonly kinds: KindRegistry;
  /** The version up to which this process knows the columns of the record tables. */
  readonly columnsVersion: number;
  readonly leaseSeconds: number;
  /** The default sync interval for organizations that do not set one. */
  readonly intervalMinutes: number;
  /** The number of hours from the start of one full run until a full run is due again. */
  readonly fullSyncHours: number;
}

/** The organizations and kinds that must not get another time slice of this process. */
export interface AtLimit {
  readonly organizations: readonly string[];
  readonly kinds: readonly string[];
}

/** Who waits longest of a kind and, if an organization is at its limit, of an organization. */
interface Head {
  readonly kind: string;
  readonly organizationId: string | null;
  readonly dueAt: Date;
}

interface QueueKey {
  readonly organizationId: string;
  readonly customerId: string;
  readonly kind: string;
}

/**
 * Returns who waits longest in each part of the queue, in the order in which they get time slices. Reads one row for each
 * kind or, if an organization is at its limit, for each pair of organization and kind in the queue, regardless of how many
 * wait.
 */
export async function findHeads(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  atLimit: AtLimit = { organizations: [], kinds: [] },
): Promise<readonly Head[]> {
  const allowed = syncedKinds(kinds).filter(kind => !atLimit.kinds.includes(kind));
  const heads = atLimit.organizations.length > 0 ? headsOfPairs(allowed, atLimit) : headsOfKinds(allowed);
  return (await heads.execute(db)).rows;
}

function headsOfKinds(kinds: readonly string[]): RawBuilder<Head> {
  return sql<Head>`
    select kind, null as "organizationId", due_at as "dueAt"
    from unnest(${kinds}::text[]) as known
      cross join lateral (
        select kind, due_at from sync_queue where kind = known and due_at <= now() order by due_at limit 1
      ) as head
    order by due_at`;
}

function headsOfPairs(kinds: readonly string[], { organizations }: AtLimit): RawBuilder<Head> {
  // Each step finds the next pair by index, because `distinct` would read the whole queue.
  return sql<Head>`
    with recursive pairs as (
      (select organization_id, kind from sync_queue order by organization_id, kind limit 1)
      union all
      select next.* from pairs cross join lateral (
        select organization_id, kind from sync_queue
        where (organization_id, kind) > (pairs.organization_id, pairs.kind)
        order by organization_id, kind limit 1
      ) as next
    )
    select kind, organization_id as "organizationId", due_at as "dueAt"
    from pairs cross join lateral (
      select due_at from sync_queue
      where organization_id = pairs.organization_id and kind = pairs.kind and due_at <= now()
      order by due_at limit 1
    ) as head
    where kind = any(${kinds}::text[]) and organization_id <> all(${organizations}::uuid[])
    order by due_at`;
}

/**
 * Takes the customer that has waited longest from a part of the queue, and leases one of its entities. Another process
 * takes others meanwhile.
 * @returns `none` if other processes take all who wait there, and `not_due` if the customer had nothing to sync.
 */
export async function takeFirst(
  db: Transaction<Tables>,
  head: Pick<Head, 'kind' | 'organizationId'>,
  holder: number | null,
  options: LeaseOptions,
): Promise<EntityLease | 'none' | 'not_due'> {
  const [taken] = (await takeRow(head).execute(db)).rows;
  if (taken === undefined) return 'none';
  const lease = await acquireEntityLease(db, taken, holder, options);
  if (lease === null) {
    // Entities that only another version can sync do not count. Its processes queue them again.
    await refresh(db, taken, entitiesOf(options.kinds, taken.kind));
    return 'not_due';
  }
  await moveOthersToEnd(db, taken);
  return lease;
}

function takeRow({ kind, organizationId }: Pick<Head, 'kind' | 'organizationId'>): RawBuilder<QueueKey> {
  const isInPart =
    organizationId === null
      ? sql`kind = ${kind}`
      : sql`organization_id = ${organizationId} and kind = ${kind}`;
  return sql<QueueKey>`
    with first as materialized (
      select organization_id, customer_id, kind from sync_queue
      where ${isInPart} and due_at <= now() order by due_at limit 1 for update skip locked
    )
    update sync_queue set due_at = 'infinity' from first
    where sync_queue.organization_id = first.organization_id and sync_queue.customer_id = first.customer_id
      and sync_queue.kind = first.kind
    returning sync_queue.organization_id as "organizationId", sync_queue.customer_id as "customerId", sync_queue.kind`;
}

/** Skips rows that are locked, because their customers are being taken or refreshed. */
async function moveOthersToEnd(db: Transaction<Tables>, taken: QueueKey): Promise<void> {
  const { organizationId, customerId, kind } = taken;
  await sql`
    with others as materialized (
      select kind from sync_queue
      where organization_id = ${organizationId} and customer_id = ${customerId} and kind <> ${kind} and due_at < now()
      for update skip locked
    )
    update sync_queue set due_at = now() from others
    where organization_id = ${organizationId} and customer_id = ${customerId} and sync_queue.kind = others.kind`.execute(
    db,
  );
}

/**
 * Recomputes a row of the queue, of which nothing could be leased. Only the given entities count. If one of them is due, for example
 * because another transaction has locked it, the customer waits for a second.
 */
async function refresh(
  db: Transaction<Tables>,
  { organizationId, customerId, kind }: QueueKey,
  entities: readonly string[],
): Promise<void> {
  await sql`select refresh_sync_queue(${organizationId}, ${customerId}, ${kind}, ${entities}::text[])`.execute(
    db,
  );
  await sql`update sync_queue set due_at = greatest(due_at, now() + interval '1 s')
    where organization_id = ${organizationId} and customer_id = ${customerId} and kind = ${kind}`.execute(db);
}

/**
 * Leases the entity of the customer's connectors of a kind that can be leased now and had its last time slice longest ago,
 * and starts a run if none is in progress.
 * @returns null if no entity can be leased now.
 */
async function acquireEntityLease(
  db: Transaction<Tables>,
  { organizationId, customerId, kind: key }: QueueKey,
  holder: number | null,
  { kinds, columnsVersion, leaseSeconds, intervalMinutes, fullSyncHours }: LeaseOptions,
): Promise<EntityLease | null> {
  const known = sql`${entitiesOf(kinds, key)}::text[]`;
  const row = await db
    .selectFrom('synced_entities')
    .innerJoin('connectors', join =>
      join
        .onRef('connectors.organization_id', '=', 'synced_entities.organization_id')
        .onRef('connectors.id', '=', 'synced_entities.connector_id'),
    )
    .where('connectors.organization_id', '=', organizationId)
    .where('connectors.customer_id', '=', customerId)
    .where('connectors.kind', '=', key)
    .where('connectors.status', '=', 'active')
    .where(isSyncAllowed)
    // Also limits how many entities of a connector are synced at once.
    .where(sql<boolean>`next_slice_of(connectors.organization_id, connectors.id, ${known}) <= now()`)
    .where(nextSliceAt, '<=', now)
    .where(sql<boolean>`coalesce(synced_entities.lease_until <= now(), true)`)
    .where(sql<boolean>`synced_entities.entity = any(${known})`)
    .selectAll('synced_entities')
    .select([
      readAt,
      sql<boolean>`coalesce(full_run_at < now() - make_interval(hours => ${fullSyncHours}), true)`.as(
        'is_full_due',
      ),
      sql<number>`coalesce(
        (select sync_interval_minutes from organizations where id = ${organizationId}), ${intervalMinutes}::integer)`.as(
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
  const kind = kinds.byKey(key);
  const { connector_id: connectorId, entity } = row;
  const leaseKey = { organizationId, connectorId, entity, leaseId: randomUUID() };
  const lease = { key: leaseKey, holder, columnsVersion, leaseSeconds };
  const begin = (): Promise<SyncRun> => {
    const isIncremental = kind?.entities[entity]?.search?.sync.incremental ?? false;
    const fullSyncCallsPerHour = kind?.fullSyncCallsPerHour ?? 0;
    const maxCalls = (fullSyncCallsPerHour * row.interval_minutes) / 60;
    const isFullCheap = fullSyncCallsPerHour > 0 && (row.full_run_calls ?? Infinity) <= maxCalls;
    const since = isIncremental && !row.is_full_due && !isFullCheap ? row.since : null;
    return beginRun(db, lease, { since, intervalMinutes });
  };
  const run = readState(row).name === 'idle' ? await begin() : await resumeRun(db, lease, row);
  const { failures, records, last_synced_at: lastSyncedAt } = row;
  return { ...leaseKey, customerId, kind: key, run, failures, isSynced: lastSyncedAt !== null, records };
}

/** The connector that a reconciliation continues after. */
type Position = { readonly organizationId: string; readonly id: string };

const firstPosition: Position = {
  organizationId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Queues those of the next connectors that are due and missing from the queue. The triggers leave none out, but a restored
 * table or an entity that another version could not sync can be missing.
 * @returns where the next call continues. After the last connector, it starts again with the first.
 */
export async function reconcileQueue(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  count: number,
  after: Position = firstPosition,
): Promise<Position> {
  const known = syncedKinds(kinds).flatMap(kind =>
    entitiesOf(kinds, kind).map(entity => `${kind}/${entity}`),
  );
  const { rows } = await sql<Position>`
    with checked as materialized (
      select organization_id, id, customer_id, kind, status = 'active' and ${isSyncAllowed} as is_synced,
        row_number() over (order by organization_id, id)
      from connectors where (organization_id, id) > (${after.organizationId}::uuid, ${after.id}::uuid)
      order by organization_id, id limit ${count}
    ), missing as materialized (
      select distinct connectors.organization_id, customer_id, kind
      from checked as connectors join synced_entities
        on synced_entities.organization_id = connectors.organization_id and connector_id = id
      where is_synced and greatest(${nextSliceAt}, lease_until) <= now() and kind || '/' || entity = any(${known}::text[])
        and not exists (
          select from sync_queue where sync_queue.organization_id = connectors.organization_id
            and sync_queue.customer_id = connectors.customer_id and sync_queue.kind = connectors.kind and due_at <= now()
        )
    ), refreshed as materialized (
      select refresh_sync_queue(organization_id, customer_id, kind) from missing order by organization_id, customer_id, kind
    )
    select organization_id as "organizationId", id from checked
    where row_number = ${count} and (select count(*) from refreshed) >= 0`.execute(db);
  return rows[0] ?? firstPosition;
}

/** Returns the kinds with entities that are synced. */
function syncedKinds(kinds: KindRegistry): string[] {
  return kinds.all.filter(kind => searchableEntities(kind).length > 0).map(({ key }) => key);
}

function entitiesOf(kinds: KindRegistry, key: string): readonly string[] {
  const kind = kinds.byKey(key);
  return kind === null ? [] : searchableEntities(kind);
}
