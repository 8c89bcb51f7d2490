import { parseJson, stringifyJson } from '@connector-auth/api';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { isAlive } from '../processes/liveness.ts';
import { free, nextSliceAt, now, ofConnector } from '../repositories/sync-state.ts';

/** An end-customer whose connectors are synchronised. */
export interface Customer {
  readonly organizationId: string;
  readonly customerId: string;
}

/** An entity of a connector whose turn it is. Whoever has the lease alone may write its records, until the lease ends. */
export interface EntityLease {
  readonly organizationId: string;
  readonly customerId: string;
  readonly connectorId: string;
  /** Key of the kind. */
  readonly kind: string;
  readonly entity: string;
  /** Names this turn; another turn has another. */
  readonly turn: string;
  readonly walk: SyncRun;
  /** How many turns failed since the last good page. */
  readonly failures: number;
  /** Whether a walk was finished before. */
  readonly isSynced: boolean;
}

/** A walk and where it goes on. */
export interface SyncRun {
  /** Null when it sees everything. */
  readonly since: string | null;
  readonly position: unknown;
  readonly generation: number;
}

/** What a lease is made with. */
export interface LeaseOptions {
  readonly leaseSeconds: number;
  /** For organizations that have no interval of their own. */
  readonly intervalMinutes: number;
  /** How old the last full walk may become. */
  readonly fullWalkHours: number;
  /** The entities this process can walk, as `kind/entity`, and whether each can be walked for changes alone. */
  readonly entities: ReadonlyMap<string, { readonly isIncremental: boolean }>;
}

/** Customers with an entity whose turn could be now, who waits longest first; at most a thousand. */
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
 * Claims the entity of a customer whose last turn is longest ago, and begins its walk if none is under way; null when none may have a
 * turn now. Of each connector one entity at a time is walked.
 */
export async function acquireEntityLease(
  db: Transaction<Tables>,
  { organizationId, customerId }: Customer,
  turn: { readonly id: string; readonly holder: number | null },
  options: LeaseOptions,
): Promise<EntityLease | null> {
  const row = await waitingEntities(db, options.entities)
    .where('connectors.organization_id', '=', organizationId)
    .where('connectors.customer_id', '=', customerId)
    .selectAll('synced_entities')
    .select([
      'connectors.kind',
      sql<boolean>`coalesce(full_walk_at < now() - make_interval(hours => ${options.fullWalkHours}), true)`.as(
        'is_full_due',
      ),
    ])
    .orderBy('synced_entities.served_at', order => order.asc().nullsFirst())
    .orderBy('synced_entities.entity')
    .limit(1)
    .forUpdate('synced_entities')
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { connector_id: connectorId, entity, kind } = row;
  const lease = { organizationId, customerId, connectorId, entity, kind, turn: turn.id };
  const isIncremental = options.entities.get(`${kind}/${entity}`)?.isIncremental === true;
  const isFull = !isIncremental || row.since === null || row.is_full_due;
  const isBeginning = row.resume_at === null;
  const walk = isBeginning
    ? { since: isFull ? null : row.since, position: null, generation: row.generation + (isFull ? 1 : 0) }
    : { since: row.walk_since, position: readPosition(row.position), generation: row.generation };
  await ofEntity(db, lease)
    .set({
      turn: turn.id,
      holder: turn.holder,
      served_at: now,
      lease_until: inSeconds(options.leaseSeconds),
      ...(isBeginning && {
        resume_at: now,
        walk_since: walk.since,
        walk_records: 0,
        position: null,
        generation: walk.generation,
        due_at: sql<Date>`now() + make_interval(mins => coalesce(
          (select sync_interval_minutes from organizations where id = ${organizationId}), ${options.intervalMinutes}))`,
      }),
      ...(isBeginning && isFull && { full_walk_at: now }),
    })
    .execute();
  return { ...lease, walk, failures: row.failures, isSynced: row.last_synced_at !== null };
}

/** Lets a lease last longer; false when the turn is another's by now, or the connector is gone. */
export async function extendLease(
  db: Kysely<Tables>,
  lease: EntityLease,
  leaseSeconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofTurn(db, lease)
    .set({ lease_until: inSeconds(leaseSeconds) })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Notes that a page was written, in the page's transaction: the walk goes on after it, whatever happens.
 * @returns false when the turn is another's by now: the page must be rolled back.
 */
export async function savePosition(
  db: Transaction<Tables>,
  lease: EntityLease,
  position: unknown,
  written: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofTurn(db, lease)
    .set({
      position: position === null || position === undefined ? null : stringifyJson(position),
      walk_records: sql<number>`walk_records + ${written}`,
      records: sql<number>`greatest(records, walk_records + ${written})`,
      failures: 0,
      last_error: null,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a finished walk and its turn. */
export async function finishRun(
  db: Kysely<Tables>,
  lease: EntityLease,
  { since, records }: { readonly since: string | null; readonly records: number | null },
): Promise<void> {
  await ofTurn(db, lease)
    .set({
      ...free,
      resume_at: null,
      position: null,
      since,
      last_synced_at: now,
      last_error: null,
      failures: 0,
      ...(records === null ? {} : { records }),
    })
    .execute();
}

/** Ends a turn whose walk goes on later. */
export async function pauseRun(
  db: Kysely<Tables>,
  lease: EntityLease,
  pause: {
    readonly seconds: number;
    /** Why the turn failed; null when it did not. */
    readonly error: string | null;
    /** Begins the walk anew instead of where it stopped. */
    readonly isRestart?: boolean;
  },
): Promise<void> {
  await ofTurn(db, lease)
    .set({
      ...free,
      resume_at: inSeconds(pause.seconds),
      ...(pause.error !== null && { failures: sql<number>`failures + 1`, last_error: pause.error }),
      ...(pause.isRestart === true && { position: null, walk_records: 0 }),
    })
    .execute();
}

/** Frees what the turns of a process that died still hold. Only for a database that no other process uses. */
export async function releaseAllLeases(db: Kysely<Tables>): Promise<void> {
  await db.updateTable('synced_entities').set(free).where('turn', 'is not', null).execute();
}

/** Frees the turns of processes that are no longer connected to the database. They may write nothing any more, if they still live. */
export async function releaseAbandonedLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('synced_entities')
    .set(free)
    .where('turn', 'is not', null)
    .where('holder', 'is not', null)
    .where(sql<boolean>`not ${isAlive(sql`holder`)}`)
    .execute();
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
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
    .where(
      sql<boolean>`connectors.kind || '/' || synced_entities.entity = any(${[...entities.keys()]}::text[])`,
    )
    .where(
      sql<boolean>`not exists (select from synced_entities as other
        where other.organization_id = synced_entities.organization_id
          and other.connector_id = synced_entities.connector_id and other.lease_until > now())`,
    );
}

function ofEntity(db: Kysely<Tables>, lease: Pick<EntityLease, 'organizationId' | 'connectorId' | 'entity'>) {
  return ofConnector(db, { organizationId: lease.organizationId, id: lease.connectorId }).where(
    'entity',
    '=',
    lease.entity,
  );
}

function ofTurn(db: Kysely<Tables>, lease: EntityLease) {
  return ofEntity(db, lease).where('turn', '=', lease.turn);
}

/** A position is JSON that the walk gave. */
function readPosition(position: string | null): unknown {
  return position === null ? null : parseJson(position);
}
