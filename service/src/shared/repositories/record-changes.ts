/**
 * The SQL for the log of the change feed, to which `records/store.ts` adds what a sync changes, and for the state of the feed.
 *
 * The order of the log is the order of transaction ids, which is not the order in which the transactions end. Readers therefore read
 * only below the horizon: all transactions below it have ended, and are on disk.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ConnectorRef } from './connectors.ts';

/** A position in the log: everything before it has been read. */
export interface LogPosition {
  /** A transaction id. */
  readonly xid: bigint;
  readonly sequence: number;
}

export interface FeedState {
  /** Positions of another epoch mean nothing. */
  readonly epoch: string;
  /** The transaction id below which readers read. */
  readonly horizon: bigint;
  /** How long the horizon has not moved. */
  readonly horizonAgeSeconds: number;
  /** No transaction has this id yet. */
  readonly nextXid: bigint;
  /** The database's time. */
  readonly readAt: Date;
  /** Changes from before have been deleted. Null if none have. */
  readonly deletedBefore: Date | null;
  /** Whether the transaction ids are those of this server, because the database was neither restored nor moved. */
  readonly fits: boolean;
}

interface StateRow extends Omit<FeedState, 'horizon' | 'nextXid'> {
  readonly horizon: string;
  readonly nextXid: string;
}

const systemIdentifier = sql`(select system_identifier::text from pg_control_system())`;
/** `pg_control_checkpoint` reports the previous timeline for a while after a failover. */
const timeline = sql`left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;
const nextXid = sql`pg_snapshot_xmax(pg_current_snapshot())`;
const fits = sql`(system_identifier = ${systemIdentifier} and timeline = ${timeline} and horizon <= ${nextXid})`;

const stateColumns = sql`epoch, horizon::text as horizon, ${nextXid}::text as "nextXid", now()::timestamptz(3) as "readAt",
  extract(epoch from greatest(now() - horizon_at, interval '0'))::float8 as "horizonAgeSeconds",
  nullif(deleted_before, '-infinity') as "deletedBefore"`;

function toState(rows: readonly StateRow[]): FeedState {
  const [row] = rows;
  if (row === undefined) throw new Error('The table change_feed has no row');
  return { ...row, horizon: BigInt(row.horizon), nextXid: BigInt(row.nextXid) };
}

export async function readFeedState(db: Kysely<Tables>): Promise<FeedState> {
  const { rows } = await sql<StateRow>`select ${stateColumns}, ${fits} as fits from change_feed`.execute(db);
  return toState(rows);
}

/**
 * Moves the horizon, and returns when all that was visible before is on disk. Begins a new epoch if the database was restored or
 * moved.
 */
export function advanceHorizon(db: Kysely<Tables>): Promise<FeedState> {
  return db.transaction().execute(async transaction => {
    // Pages are committed before they are on disk. This commit also writes all earlier ones.
    await sql`set local synchronous_commit = on`.execute(transaction);
    // The snapshot of the update is taken with the lock, and so after the one that determined the stored horizon.
    await sql`select from change_feed for update`.execute(transaction);
    const xmin = sql`pg_snapshot_xmin(pg_current_snapshot())`;
    const { rows } = await sql<StateRow>`
      update change_feed set
        epoch = case when ${fits} then epoch else gen_random_uuid() end,
        horizon_at = case when ${fits} and ${xmin} <= horizon then horizon_at else now() end,
        horizon = case when ${fits} then greatest(horizon, ${xmin}) else ${xmin} end,
        system_identifier = ${systemIdentifier},
        timeline = ${timeline}
      returning ${stateColumns}, true as fits`.execute(transaction);
    return toState(rows);
  });
}

/** Invalidates all positions, because transaction ids may have been used for something else. */
export async function endEpoch(db: Kysely<Tables>): Promise<void> {
  await sql`update change_feed set epoch = gen_random_uuid()`.execute(db);
}

/** The changes of an entity that a reader has skipped, because the process had not loaded the entity. */
export interface SkippedChanges {
  readonly kind: string;
  readonly entity: string;
  /** The transaction id of the first one. */
  readonly since: string;
}

/** Notes what a reader has skipped, so that {@link reportSkipped} reports it again. */
export async function noteSkipped(
  db: Kysely<Tables>,
  organizationId: string,
  skipped: readonly SkippedChanges[],
): Promise<void> {
  if (skipped.length === 0) return;
  const [kinds, entities, since] = [
    skipped.map(({ kind }) => kind),
    skipped.map(({ entity }) => entity),
    skipped.map(change => change.since),
  ];
  await sql`
    insert into skipped_changes (organization_id, kind, entity, since)
    select ${organizationId}::uuid, kind, entity, min(since)
    from unnest(${kinds}::text[], ${entities}::text[], ${since}::xid8[]) as skipped (kind, entity, since)
    group by kind, entity order by kind, entity
    on conflict (organization_id, kind, entity) do update set since = excluded.since
    where skipped_changes.since > excluded.since`.execute(db);
}

/**
 * Gives the skipped changes of these entities new positions, at which their readers get them. Several processes can run it
 * concurrently.
 */
export async function reportSkipped(
  db: Kysely<Tables>,
  entities: readonly { readonly kind: string; readonly entity: string }[],
): Promise<void> {
  const [kinds, names] = [entities.map(({ kind }) => kind), entities.map(({ entity }) => entity)];
  // The positions of the entries are taken after the note is locked. A reader that skips them later notes that again.
  for (let isComplete = false; !isComplete;) {
    isComplete = await db.transaction().execute(async transaction => {
      const { rows } = await sql<SkippedChanges & { organizationId: string }>`
        delete from skipped_changes where (organization_id, kind, entity) in (
          select organization_id, kind, entity from skipped_changes
          where (kind, entity) in (select * from unnest(${kinds}::text[], ${names}::text[]))
          limit 1 for update skip locked)
        returning organization_id as "organizationId", kind, entity, since::text as since`.execute(
        transaction,
      );
      const [skipped] = rows;
      if (skipped === undefined) return true;
      await sql`
        update record_changes set xid = pg_current_xact_id(), sequence = default, changed_at = now()
        where organization_id = ${skipped.organizationId} and xid >= ${skipped.since}::xid8
          and kind = ${skipped.kind} and entity = ${skipped.entity}`.execute(transaction);
      return false;
    });
  }
}

/** Returns the condition for the entries at or after a position. An index can answer it. */
export function isAfter({ xid, sequence }: LogPosition) {
  return sql<boolean>`(xid, sequence) >= (${String(xid)}::xid8, ${sequence}::bigint)`;
}

/**
 * How long a transaction may have run when it ends, and a margin. The time of a change is that of its transaction's start, so a change
 * that was not visible at a time can be older by this much.
 */
export const maxTransactionHours = 1;

/** Small enough that a step takes a few milliseconds. */
const rowsPerStep = 1_000;

/** Deletes the changes of the records of a deleted connector. That it was disconnected stays. */
export async function deleteChangesOf(
  db: Kysely<Tables>,
  { organizationId, id }: ConnectorRef,
): Promise<void> {
  for (let isComplete = false; !isComplete;) {
    const { numAffectedRows = 0n } = await sql`
      delete from record_changes where organization_id = ${organizationId} and (xid, sequence) in (
        select xid, sequence from record_changes
        where organization_id = ${organizationId} and connector_id = ${id} and entity is not null
        limit ${rowsPerStep})`.execute(db);
    isComplete = numAffectedRows === 0n;
  }
}

/**
 * Deletes the changes that are older than a number of days, except those that readers have skipped: of connectors that cannot be
 * searched now, and of kinds that were not loaded. Can be interrupted at any time, and several processes can run it concurrently.
 */
export async function deleteOldChanges(db: Kysely<Tables>, days: number, signal: AbortSignal): Promise<void> {
  const limit = sql`now() - make_interval(days => ${days}, hours => ${maxTransactionHours})`;
  await sql`update change_feed set deleted_before = ${limit} where deleted_before < ${limit}`.execute(db);
  for (let isComplete = false; !isComplete && !signal.aborted;) {
    isComplete = await db.transaction().execute(transaction => deleteStep(transaction));
  }
}

async function deleteStep(transaction: Transaction<Tables>): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from record_changes where (organization_id, xid, sequence) in (
      select organization_id, xid, sequence from record_changes
      where changed_at < (select deleted_before from change_feed) and not exists (
        select from connectors
        where connectors.organization_id = record_changes.organization_id and connectors.id = connector_id
          and (disabled_at is not null or incident_id is not null or delete_at is not null))
        and not exists (
          select from skipped_changes as skipped
          where skipped.organization_id = record_changes.organization_id and skipped.kind = record_changes.kind
            and skipped.entity = record_changes.entity and record_changes.xid >= since)
      limit ${rowsPerStep} for update skip locked)`.execute(transaction);
  return numAffectedRows < rowsPerStep;
}
