import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { ConnectorRef } from './connectors.ts';

/** When an entity wants its next turn. */
export const nextSliceAt = sql<Date>`coalesce(synced_entities.resume_at, synced_entities.due_at)`;
/** The present, by the clock of the database. */
export const now = sql<Date>`now()`;

/** Lets entities of connectors be synchronised, those that are not yet. They are due at once. */
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

/** The same for every connector of a kind: for connectors that are older than the kind's declaration of an entity. */
export async function addEntitiesOfKind(
  db: Kysely<Tables>,
  kind: string,
  entities: readonly string[],
): Promise<void> {
  await sql`
    insert into synced_entities (organization_id, connector_id, entity)
    select organization_id, id, entity from connectors cross join unnest(${[...entities]}::text[]) as entity
    where kind = ${kind}
    on conflict do nothing`.execute(db);
}

/**
 * Makes every entity of a connector due now. A walk that failed goes on now, and another follows it; one that waits because
 * the vendor asked to wait keeps waiting.
 */
export async function makeDue(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector)
    .set({ due_at: now, resume_at: sql<Date>`case when last_error is null then resume_at else now() end` })
    .execute();
}

/** Has a connector walked from nothing, now: a walk that is under way ends. What it no longer finds goes at the end. */
export async function restartSync(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector).set(fromNothing).execute();
}

/** The same, and forgets all progress: the records are another vendor account's, and not found any more. */
export async function resetSync(db: Kysely<Tables>, connector: ConnectorRef): Promise<void> {
  await ofConnector(db, connector)
    .set({ ...fromNothing, records: 0, last_synced_at: null })
    .execute();
}

/** How far an entity of a connector is. */
export interface Progress {
  readonly connectorId: string;
  readonly entity: string;
  readonly isLeased: boolean;
  readonly isWalking: boolean;
  /** Whether a turn is wanted now. */
  readonly isDue: boolean;
  readonly records: number;
  readonly lastSyncedAt: Date | null;
  readonly lastError: string | null;
}

/** Progress of connectors of an organization, by entity. */
export async function readProgress(
  db: Kysely<Tables>,
  organizationId: string,
  connectorIds: readonly string[],
): Promise<readonly Progress[]> {
  if (connectorIds.length === 0) return [];
  return db
    .selectFrom('synced_entities')
    .select([
      'connector_id as connectorId',
      'entity',
      sql<boolean>`coalesce(lease_until > now(), false)`.as('isLeased'),
      sql<boolean>`resume_at is not null`.as('isWalking'),
      sql<boolean>`${nextSliceAt} <= now()`.as('isDue'),
      'records',
      'last_synced_at as lastSyncedAt',
      'last_error as lastError',
    ])
    .where('organization_id', '=', organizationId)
    .where('connector_id', 'in', [...connectorIds])
    .orderBy('entity')
    .execute();
}

/** Makes what an organization's connectors wait for due no later than an interval after their last turn. */
export async function shortenSyncInterval(
  db: Kysely<Tables>,
  organizationId: string,
  intervalMinutes: number,
): Promise<void> {
  await db
    .updateTable('synced_entities')
    .set({
      due_at: sql<Date>`least(due_at, coalesce(served_at, now()) + make_interval(mins => ${intervalMinutes}))`,
    })
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Nobody's turn. */
export const free = { turn: null, holder: null, lease_until: null } as const;

const fromNothing = {
  ...free,
  resume_at: null,
  due_at: now,
  position: null,
  since: null,
  full_walk_at: null,
  last_error: null,
  failures: 0,
} as const;

/** Changes every entity of a connector. */
export function ofConnector(db: Kysely<Tables>, { organizationId, id }: ConnectorRef) {
  return db
    .updateTable('synced_entities')
    .where('organization_id', '=', organizationId)
    .where('connector_id', '=', id);
}
