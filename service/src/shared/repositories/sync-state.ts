/*
 * Stores the sync state of each of a connector's entities as a row of `synced_entities`. Only this module
 * reads and changes the sync state.
 *
 * - `idle`: no run is under way. The next one begins at `due_at`.
 * - `running`: a worker has the lease and runs a time slice. Only that worker can write records, until the
 *   lease expires. An expired lease reads as `paused` or `failed`, so any worker can resume the run.
 * - `paused`: the run is between two time slices and can be resumed at once.
 * - `limited`: the run waits until `resume_at` because of the vendor's rate limit.
 * - `failed`: the last slice failed. The run is retried at `resume_at`. Saving a page clears the error. A
 *   slice that ends without saving a page leaves the run `failed`, even where the table says otherwise.
 *
 * | transition               | from                               | to                                     |
 * | ------------------------ | ---------------------------------- | -------------------------------------- |
 * | `addEntities`            | no row                             | `idle`, due now                        |
 * | `beginRun`               | `idle` and due                     | `running`                              |
 * | `resumeRun`              | `paused`; `limited` and `failed` at `resume_at` | `running`                 |
 * | `extendLease`            | `running`                          | `running`, with a longer lease         |
 * | `savePage`               | `running`                          | `running`, without an error            |
 * | `finishRun`              | `running`                          | `idle`, due after the sync interval    |
 * | `pauseRun`               | `running`                          | `paused`                               |
 * | `limitRun`               | `running`                          | `limited`                              |
 * | `failRun`                | `running`                          | `failed`                               |
 * | `releaseAllLeases`       | `running`                          | `paused`                               |
 * | `releaseAbandonedLeases` | `running`, by a dead process       | `paused`                               |
 * | `makeDue`                | `idle`                             | `idle`, due now                        |
 * |                          | `failed`                           | `failed`, retried now, then due again  |
 * |                          | others                             | the same, due again after the run      |
 * | `shortenSyncInterval`    | any                                | the same, due at the new time or before |
 * | `restartSync`            | any                                | `idle`, due now for a full run         |
 * | `resetSync`              | any                                | the same, without records              |
 *
 * A worker specifies its lease for every transition of a leased run. The transition has no effect if another
 * worker has leased the entity in the meantime, or if a restart has ended the run. Workers lease no entity of a
 * connector that an operator has disabled or an incident has frozen, and cannot extend its leases or save its pages.
 */
// oxlint-disable-next-line no-restricted-imports -- reads a position that this service stored
import { parseJson, stringifyJson, type ConnectorStatus, type ProblemCode } from '@connector-auth/api';
import type { ActiveState } from '@connector-auth/api/admin';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { isAlive } from '../../platform/notifications/liveness.ts';
import { derivedStatus, isSyncAllowed, type ConnectorRef } from './connectors.ts';

export type EntityState =
  | { readonly name: 'idle'; readonly isDue: boolean }
  /** `lastError` is the error from the previous time slice, until the current one saves a page. */
  | { readonly name: 'running'; readonly lastError: string | null }
  | { readonly name: 'paused' }
  | { readonly name: 'limited' }
  | { readonly name: 'failed'; readonly lastError: string };

type SyncRow = Selectable<Tables['synced_entities']>;

/** The columns that determine the state, and the time according to the database's clock. */
type StateColumns = Pick<SyncRow, 'due_at' | 'resume_at' | 'lease_until' | 'last_error'> & {
  readonly read_at: Date;
};

/** The time according to the database's clock, rounded to the precision of stored times. */
export const readAt = sql<Date>`now()::timestamptz(3)`.as('read_at');

/** Derives an entity's state from its row. */
export function readState(row: StateColumns): EntityState {
  const { due_at, resume_at, lease_until, last_error: lastError, read_at } = row;
  if (lease_until !== null && lease_until > read_at) return { name: 'running', lastError };
  if (lastError !== null) return { name: 'failed', lastError };
  if (resume_at === null) return { name: 'idle', isDue: due_at <= read_at };
  return { name: resume_at <= read_at ? 'paused' : 'limited' };
}

/** The state that `connectionState` in the contract derives for an active connector, for filters. */
export const activeState = sql<ActiveState>`(
  select case when count(*) = 0 then 'connected'
    when bool_and(state = 'failing') then 'failing'
    when bool_or(state = 'failing') then 'partly_failing'
    when bool_or(state = 'syncing') then 'syncing'
    when bool_or(state = 'limited') then 'limited'
    else 'current' end
  from (
    select case when last_error is not null then 'failing'
      when lease_until > now()::timestamptz(3) then 'syncing'
      when resume_at > now()::timestamptz(3) then 'limited'
      when resume_at is not null or due_at <= now()::timestamptz(3) or last_synced_at is null then 'syncing'
      else 'current' end as state
    from synced_entities
    where synced_entities.organization_id = connectors.organization_id
      and synced_entities.connector_id = connectors.id
  ) as entities)`;

/** When the next time slice of an entity may start. */
export const nextSliceAt = sql<Date>`coalesce(synced_entities.resume_at, synced_entities.due_at)`;
/** The current time according to the database's clock. */
export const now = sql<Date>`now()`;

/** The progress of an entity's sync. */
export type Progress = Readonly<ReturnType<typeof toProgress>>;

/** A connector's status and the progress of each of its entities, as of one moment. */
export interface ConnectorSync {
  readonly status: ConnectorStatus;
  readonly entities: readonly Progress[];
}

/** Reads the sync of connectors, of any organization, in one statement. Those that were deleted are missing. */
export async function readSync(
  db: Kysely<Tables>,
  connectors: readonly ConnectorRef[],
): Promise<ReadonlyMap<string, ConnectorSync>> {
  if (connectors.length === 0) return new Map();
  const rows = await db
    .selectFrom('connectors')
    .leftJoin('synced_entities', join =>
      join
        .onRef('synced_entities.organization_id', '=', 'connectors.organization_id')
        .onRef('synced_entities.connector_id', '=', 'connectors.id'),
    )
    .select(['connectors.id', derivedStatus.as('status'), readAt])
    .select(['entity', 'due_at', 'resume_at', 'lease_until', 'last_error', 'last_error_code'])
    .select(['records', 'last_synced_at', 'slice_started_at', 'failures', 'columns_version'])
    .where(
      sql<boolean>`(connectors.organization_id, connectors.id) in (select * from unnest(
        ${connectors.map(({ organizationId }) => organizationId)}::uuid[], ${connectors.map(({ id }) => id)}::uuid[]))`,
    )
    .orderBy('entity')
    .execute();
  const found = new Map<string, { readonly status: ConnectorStatus; readonly entities: Progress[] }>();
  for (const row of rows) {
    const sync = found.get(row.id) ?? { status: row.status, entities: [] };
    found.set(row.id, sync);
    // The row of a connector without entities has only nulls. Every other one has what no entity is without.
    if (row.entity !== null) sync.entities.push(toProgress(row as ProgressRow));
  }
  return found;
}

type ProgressRow = StateColumns &
  Pick<
    SyncRow,
    | 'entity'
    | 'records'
    | 'last_synced_at'
    | 'slice_started_at'
    | 'last_error_code'
    | 'failures'
    | 'columns_version'
  >;

function toProgress(row: ProgressRow) {
  const state = readState(row);
  return {
    entity: row.entity,
    state,
    // How many records `search` finds: every transaction that changes the records changes this number, too.
    records: row.records,
    // When the last run finished, or null if no run has finished yet.
    lastSyncedAt: row.last_synced_at,
    // When the next time slice may start or, during a run, when the next run begins.
    nextSyncAt: state.name === 'running' ? row.due_at : (row.resume_at ?? row.due_at),
    // When the next run begins, if no run is under way or once the current one has finished.
    nextRunAt: row.due_at,
    // When an interrupted run continues. Null between runs.
    resumeAt: row.resume_at,
    // When the last time slice started, or null if none has.
    sliceStartedAt: row.slice_started_at,
    // The code of the last error; null if there is none, or if an earlier version of the service recorded it.
    lastErrorCode: row.last_error === null ? null : row.last_error_code,
    // The number of time slices that failed since the last page was saved.
    failures: row.failures,
    // Every stored record has the columns up to this version.
    columnsVersion: row.columns_version,
  };
}

/** Schedules the first sync of those entities of a connector that are not synced yet. */
export async function addEntities(
  db: Kysely<Tables>,
  connector: ConnectorRef,
  entities: readonly string[],
): Promise<void> {
  if (entities.length === 0) return;
  await db
    .insertInto('synced_entities')
    .values(
      entities.map(entity => ({
        organization_id: connector.organizationId,
        connector_id: connector.id,
        entity,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/**
 * Adds the entities of kinds to their connectors, because connectors that were created before the kind declared an
 * entity do not have it yet.
 */
export async function addDeclaredEntities(
  db: Kysely<Tables>,
  entities: readonly { readonly kind: string; readonly entity: string }[],
): Promise<void> {
  const [keys, names] = [entities.map(({ kind }) => kind), entities.map(({ entity }) => entity)];
  await sql`
    insert into synced_entities (organization_id, connector_id, entity)
    select connectors.organization_id, connectors.id, declared.entity
    from unnest(${keys}::text[], ${names}::text[]) as declared (kind, entity)
    join connectors on connectors.kind = declared.kind
    where not exists (
      select from synced_entities
      where synced_entities.organization_id = connectors.organization_id
        and synced_entities.connector_id = connectors.id and synced_entities.entity = declared.entity
    )
    on conflict do nothing`.execute(db);
}

/** One pass over an entity. */
export interface SyncRun {
  /** Where an incremental run starts, or null for a full run. */
  readonly since: string | null;
  readonly position: unknown;
  /** Identifies the records that this full run has seen, which include those of all pages before `position`. */
  readonly seenRun: string | null;
}

/** Identifies one lease of an entity. */
export interface LeaseKey {
  readonly organizationId: string;
  readonly connectorId: string;
  readonly entity: string;
  readonly leaseId: string;
}

/** The lease that a worker requests for an entity. */
export interface NewLease {
  readonly key: LeaseKey;
  /** Liveness id of the process, or null if the process has none. */
  readonly holder: number | null;
  /** The version up to which the process knows the columns of the record tables. */
  readonly columnsVersion: number;
  readonly leaseSeconds: number;
}

/** Leases an idle entity and begins a run from its first page. */
export async function beginRun(
  db: Transaction<Tables>,
  lease: NewLease,
  run: {
    readonly since: string | null;
    /** Minutes until the next run, for organizations that have not set their own sync interval. */
    readonly intervalMinutes: number;
  },
): Promise<SyncRun> {
  const { since, intervalMinutes } = run;
  await ofEntity(db, lease.key)
    .set({
      ...leasedBy(lease),
      resume_at: now,
      run_since: since,
      run_calls: 0,
      run_changes: 0,
      position: null,
      due_at: sql<Date>`now() + make_interval(mins => coalesce(
        (select sync_interval_minutes from organizations where id = ${lease.key.organizationId}), ${intervalMinutes}))`,
      ...(since === null && firstPageOfFullRun(lease)),
    })
    .execute();
  return { since, position: null, seenRun: since === null ? lease.key.leaseId : null };
}

/**
 * Leases an entity with an unfinished run and returns the position where the run resumes. A full run starts over if
 * it is not known which records it has seen, because an older process has stored some of its pages.
 */
export async function resumeRun(
  db: Transaction<Tables>,
  lease: NewLease,
  row: Pick<SyncRow, 'run_since' | 'position' | 'seen_run'>,
): Promise<SyncRun> {
  const isFull = row.run_since === null;
  if (isFull && (row.position === null || row.seen_run === null)) {
    await ofEntity(db, lease.key)
      .set({ ...leasedBy(lease), ...firstPageOfFullRun(lease) })
      .execute();
    return { since: null, position: null, seenRun: lease.key.leaseId };
  }
  await ofEntity(db, lease.key)
    .set({
      ...leasedBy(lease),
      run_columns_version: sql<number>`least(run_columns_version, ${lease.columnsVersion}::integer)`,
    })
    .execute();
  const position = row.position === null ? null : parseJson(row.position);
  return { since: row.run_since, position, seenRun: isFull ? row.seen_run : null };
}

/** The columns of a full run that has stored no page yet. */
function firstPageOfFullRun({ key, columnsVersion }: NewLease) {
  return {
    position: null,
    run_columns_version: columnsVersion,
    run_calls: 0,
    seen_run: key.leaseId,
    seen_batches: 0,
    generation: sql<number>`-abs(generation)`,
    full_run_at: now,
  };
}

/** Extends a lease. Returns false if the lease was lost, or the connector was deleted or can no longer be synced. */
export async function extendLease(
  db: Kysely<Tables>,
  lease: LeaseKey,
  leaseSeconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofUsableLease(db, lease)
    .set({ lease_until: inSeconds(leaseSeconds) })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns the parts of the statement that stores a batch of records (`writePage`) that store the position after it. One statement
 * needs one round trip, and commits on its own.
 *
 * The lease is locked before anything is written, so nothing is written if it was lost or the connector can no longer be
 * synced. Deleting a connector acquires its locks in the same order.
 * @param calls the number of requests to the vendor since the previous batch.
 */
export function savePage(lease: LeaseKey, position: unknown, calls: number) {
  const { organizationId, connectorId, entity, leaseId } = lease;
  return {
    connector: sql`
      select connectors.organization_id, connectors.id, customer_id, kind from connectors, synced_entities
      where connectors.organization_id = ${organizationId} and connectors.id = ${connectorId} and ${isSyncAllowed}
        and synced_entities.organization_id = connectors.organization_id and connector_id = connectors.id
        and entity = ${entity} and lease_id = ${leaseId}
      for key share of connectors for no key update of synced_entities`,
    save: sql`
      update synced_entities
      set position = ${position === null || position === undefined ? null : stringifyJson(position)},
        run_calls = run_calls + ${calls}, seen_batches = seen_batches + 1, logged_pages = ${nextLoggedPage},
        records = records + added, run_changes = run_changes + written, failures = 0, last_error = null
      from connector, counts
      where synced_entities.organization_id = connector.organization_id and connector_id = connector.id and entity = ${entity}`,
  };
}

/**
 * Subtracts deleted records, in the transaction that deletes them. Those of a replaced account are not counted any more.
 * @returns false if the lease was lost, in which case the caller must roll back the transaction.
 */
export async function saveDeletion(
  db: Transaction<Tables>,
  lease: LeaseKey,
  deleted: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofLease(db, lease)
    .set({
      records: sql<number>`greatest(records - ${deleted}, 0)`,
      run_changes: sql<number>`run_changes + ${deleted}`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns whether every batch of a full run, from its first page to the last stored one, is in `seen_records`. If not, a
 * record that is missing there may still exist at the vendor.
 */
export async function hasSeenAllBatches(db: Kysely<Tables>, lease: LeaseKey): Promise<boolean> {
  const { organizationId, connectorId, entity, leaseId } = lease;
  const { rows } = await sql<{ isComplete: boolean }>`
    select seen_batches = (select count(*) from seen_records
      where seen_records.organization_id = synced_entities.organization_id
        and seen_records.connector_id = synced_entities.connector_id
        and seen_records.entity = synced_entities.entity and run = seen_run) as "isComplete"
    from synced_entities
    where organization_id = ${organizationId} and connector_id = ${connectorId} and entity = ${entity}
      and lease_id = ${leaseId} and seen_run is not null`.execute(db);
  return rows[0]?.isComplete === true;
}

/** Deletes what earlier runs have seen. */
export async function forgetSeenRecords(
  db: Kysely<Tables>,
  { organizationId, connectorId, entity }: Omit<LeaseKey, 'leaseId'>,
): Promise<void> {
  await sql`
    delete from seen_records
    where organization_id = ${organizationId} and connector_id = ${connectorId} and entity = ${entity}
      and run is distinct from (select seen_run from synced_entities
        where organization_id = ${organizationId} and connector_id = ${connectorId} and entity = ${entity})`.execute(
    db,
  );
}

/** Ends a run after its last page. */
export async function finishRun(
  db: Kysely<Tables>,
  lease: LeaseKey,
  /**
   * `since` is where the next incremental run starts. `records` is the new record count, or null if it did
   * not change. `calls` is the number of requests to the vendor since the last page of a full run, and null for an
   * incremental run.
   */
  run: {
    readonly since: string | null;
    readonly records: number | null;
    readonly calls: number | null;
  },
): Promise<void> {
  await ofLease(db, lease)
    .set({
      ...unleased,
      resume_at: null,
      position: null,
      seen_run: null,
      since: run.since,
      last_synced_at: now,
      last_error: null,
      failures: 0,
      logged_pages: nextLoggedPage,
      ...(run.calls !== null && {
        full_run_calls: sql<number>`run_calls + ${run.calls}`,
        fields_since: sql<Date>`coalesce(full_run_at, fields_since)`,
        columns_version: sql<number>`greatest(columns_version, run_columns_version)`,
      }),
      ...(run.records === null ? {} : { records: run.records }),
    })
    .execute();
}

/** Ends a time slice. The run can be resumed immediately. */
export async function pauseRun(db: Kysely<Tables>, lease: LeaseKey): Promise<void> {
  await limitRun(db, lease, 0);
}

/** Ends a time slice. The run can be resumed after `seconds`, when the vendor's rate limit allows it. */
export async function limitRun(db: Kysely<Tables>, lease: LeaseKey, seconds: number): Promise<void> {
  await ofLease(db, lease)
    .set({ ...unleased, resume_at: inSeconds(seconds) })
    .execute();
}

/** Ends a failed time slice. The run is retried after `retrySeconds`. Returns the number of consecutive failures. */
export async function failRun(
  db: Kysely<Tables>,
  lease: LeaseKey,
  failure: {
    /** The error message for developers. Users see a sentence for its code. */
    readonly error: string;
    readonly code: ProblemCode;
    readonly retrySeconds: number;
    /** Whether the retry starts from the first page instead of the stored position. */
    readonly startsOver: boolean;
  },
): Promise<number> {
  const row = await ofLease(db, lease)
    .set({
      ...unleased,
      resume_at: inSeconds(failure.retrySeconds),
      failures: sql<number>`failures + 1`,
      last_error: failure.error,
      last_error_code: failure.code,
      ...(failure.startsOver && { position: null, seen_run: null, run_calls: 0 }),
    })
    .returning('failures')
    .executeTakeFirst();
  return row?.failures ?? 0;
}

/**
 * Releases all leases that dead processes left behind. Safe only if one process at a time uses the database.
 */
export async function releaseAllLeases(db: Kysely<Tables>): Promise<void> {
  await db.updateTable('synced_entities').set(unleased).where('lease_id', 'is not', null).execute();
}

/**
 * Releases the leases of processes that are no longer connected to the database. A process that still runs
 * after losing its lease can no longer write.
 */
export async function releaseAbandonedLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('synced_entities')
    .set(unleased)
    .where('lease_id', 'is not', null)
    .where('lease_holder', 'is not', null)
    .where(sql<boolean>`not ${isAlive(sql`lease_holder`)}`)
    .execute();
}

/**
 * Schedules all entities of a connector to sync immediately. Retries failed runs immediately, but still
 * respects the vendor's rate limit.
 */
export async function makeDue(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector)
    .set({ due_at: now, resume_at: sql<Date>`case when last_error is null then resume_at else now() end` })
    .execute();
}

/** Reschedules an organization's entities to sync no later than one interval after their last time slice. */
export async function shortenSyncInterval(
  db: Kysely<Tables>,
  organizationId: string,
  intervalMinutes: number,
): Promise<void> {
  await db
    .updateTable('synced_entities')
    .set({
      due_at: sql<Date>`least(due_at, coalesce(slice_started_at, now()) + make_interval(mins => ${intervalMinutes}))`,
    })
    .where('organization_id', '=', organizationId)
    .execute();
}

/**
 * Ends a connector's current sync runs and schedules full syncs to start immediately. When a full sync
 * finishes, records it did not encounter are deleted.
 */
export async function restartSync(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector).set(neverRun).execute();
}

/**
 * Restarts the sync of a connector whose vendor account changed. Search no longer finds the previous
 * account's records.
 */
export async function resetSync(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector)
    .set({ ...neverRun, records: 0, last_synced_at: null })
    .execute();
}

/** Older processes do not change it, see migration 0041. */
const nextLoggedPage = sql<number>`logged_pages + 1`;

const unleased = { lease_id: null, lease_holder: null, lease_until: null } as const;

const neverRun = {
  ...unleased,
  resume_at: null,
  due_at: now,
  position: null,
  seen_run: null,
  since: null,
  full_run_at: null,
  last_error: null,
  failures: 0,
} as const;

function leasedBy({ key, holder, columnsVersion, leaseSeconds }: NewLease) {
  return {
    // What the process stores lacks the columns that it does not know.
    columns_version: sql<number>`least(columns_version, ${columnsVersion}::integer)`,
    lease_id: key.leaseId,
    lease_holder: holder,
    lease_until: inSeconds(leaseSeconds),
    slice_started_at: now,
  };
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

function ofConnector(db: Kysely<Tables>, { organizationId, id }: ConnectorRef) {
  return db
    .updateTable('synced_entities')
    .where('organization_id', '=', organizationId)
    .where('connector_id', '=', id);
}

function ofEntity(db: Kysely<Tables>, { organizationId, connectorId, entity }: LeaseKey) {
  return ofConnector(db, { organizationId, id: connectorId }).where('entity', '=', entity);
}

function ofLease(db: Kysely<Tables>, lease: LeaseKey) {
  return ofEntity(db, lease).where('lease_id', '=', lease.leaseId);
}

function ofUsableLease(db: Kysely<Tables>, lease: LeaseKey) {
  return ofLease(db, lease).where(
    sql<boolean>`exists (select from connectors
      where connectors.organization_id = synced_entities.organization_id
        and connectors.id = synced_entities.connector_id and ${isSyncAllowed})`,
  );
}
