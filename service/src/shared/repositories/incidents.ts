import type { PageMeta } from '@connector-auth/api';
import type { Incident } from '@connector-auth/api/admin';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { decodeCursor, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';

/** What an incident is about. Null matches any value. */
export interface IncidentScope {
  readonly scope: Incident['scope'];
  readonly organizationId: string | null;
  readonly customerId: string | null;
  readonly kind: string | null;
  readonly applicationId: string | null;
  /** The name of what the incident is about. */
  readonly target: string;
}

/** What a connector or an OAuth session belongs to. */
export interface IncidentSubject {
  readonly organizationId: string;
  readonly customerId: string;
  readonly kind: string;
}

/**
 * Serializes declaring and undoing incidents until the transaction ends, and waits for transactions that hold
 * {@link holdOffIncidents}.
 */
export async function lockIncidents(transaction: Kysely<Tables>): Promise<void> {
  // An incident can freeze 100,000 connectors, and must not fail because that takes long.
  await sql`select set_config('statement_timeout', '600000', true)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${incidentLock})`.execute(transaction);
}

/** Prevents incidents from being declared until the transaction ends. */
export async function holdOffIncidents(transaction: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${incidentLock})`.execute(transaction);
}

/** The number is arbitrary but must never change. */
const incidentLock = 5_530_117_316;

/** Returns whether an open incident freezes everything that belongs to the subject. */
export async function isInOpenIncident(
  db: Kysely<Tables>,
  { organizationId, customerId, kind }: IncidentSubject,
): Promise<boolean> {
  const row = await db
    .selectFrom('incidents')
    .select('id')
    .where('undone_at', 'is', null)
    .where('scope', '<>', 'application')
    .where(sql<boolean>`coalesce(organization_id = ${organizationId}, true)`)
    .where(sql<boolean>`coalesce(customer_id = ${customerId}, true)`)
    .where(sql<boolean>`coalesce(kind = ${kind}, true)`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertIncident(
  transaction: Kysely<Tables>,
  incident: IncidentScope & {
    readonly id: string;
    readonly reason: string | null;
    readonly declaredBy: string;
  },
): Promise<void> {
  await transaction
    .insertInto('incidents')
    .values({
      id: incident.id,
      scope: incident.scope,
      organization_id: incident.organizationId,
      customer_id: incident.customerId,
      kind: incident.kind,
      application_id: incident.applicationId,
      target: incident.target,
      reason: incident.reason,
      declared_by: incident.declaredBy,
    })
    .execute();
}

/** Freezes the connectors in scope that no other incident has frozen. */
export async function freezeConnectors(
  transaction: Kysely<Tables>,
  incidentId: string,
  scope: IncidentScope,
): Promise<void> {
  await transaction
    .updateTable('connectors')
    .set({ incident_id: incidentId, updated_at: sql<Date>`now()` })
    .where(isInScope('connectors', scope))
    .where('incident_id', 'is', null)
    .execute();
}

/** Stores how many connectors are in scope. */
export async function countFrozen(transaction: Kysely<Tables>, incidentId: string): Promise<void> {
  await transaction
    .updateTable('incidents')
    .set({
      frozen_connectors: sql<number>`(
        select count(*) from grant_revocations
        where incident_id = ${incidentId} and connector_name is not null)`,
    })
    .where('id', '=', incidentId)
    .execute();
}

/**
 * Unfreezes the connectors of an incident, except those in another open incident. Connectors whose grant was
 * revoked, or may have been, become `needs_reauth`.
 */
export async function unfreezeConnectors(transaction: Kysely<Tables>, incidentId: string): Promise<void> {
  await sql`
    update connectors set
      status = case when own.may_be_revoked then 'needs_reauth' else connectors.status end,
      incident_id = case when connectors.incident_id = ${incidentId} then (
        select other.incident_id from grant_revocations other
        join incidents on incidents.id = other.incident_id and incidents.undone_at is null
        where other.subject_id = connectors.id and other.organization_id = connectors.organization_id
        order by other.id limit 1
      ) else connectors.incident_id end,
      updated_at = now()
    from grant_revocations own
    where own.incident_id = ${incidentId} and own.connector_name is not null
      and connectors.id = own.subject_id and connectors.organization_id = own.organization_id
      and (connectors.incident_id = ${incidentId} or own.may_be_revoked)`.execute(transaction);
}

/** Ends an incident. Returns false if it does not exist or was undone before. */
export async function endIncident(transaction: Kysely<Tables>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('incidents')
    .set({ undone_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const position = z.tuple([z.iso.datetime().regex(/^(?!0000)/), z.uuid()]);

/** Returns a page of incidents, newest first. */
export async function listIncidents(
  db: Kysely<Tables>,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ data: Incident[]; meta: PageMeta }> {
  const before = decodeCursor(page.cursor, position);
  const found = await incidents(db)
    .$if(before !== undefined, query =>
      query.where(sql<boolean>`(declared_at, id) < (${before?.[0]}::timestamptz, ${before?.[1]}::uuid)`),
    )
    .orderBy('declared_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  const { rows, meta } = toPage(found, page.limit, last => [last.declared_at.toISOString(), last.id]);
  return { data: rows.map(toIncident), meta };
}

export async function findIncident(db: Kysely<Tables>, id: string): Promise<Incident | null> {
  const row = await incidents(db).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toIncident(row);
}

/** Returns an SQL condition for whether a row of the table is in scope. An application has no rows. */
export function isInScope(
  table: 'connectors' | 'grant_revocations' | 'oauth_sessions',
  { scope, organizationId, customerId, kind }: IncidentScope,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const conditions = [
    ...(organizationId === null ? [] : [sql`${column('organization_id')} = ${organizationId}`]),
    ...(customerId === null ? [] : [sql`${column('customer_id')} = ${customerId}`]),
    ...(kind === null ? [] : [sql`${column('kind')} = ${kind}`]),
  ];
  if (scope === 'application' || conditions.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function incidents(db: Kysely<Tables>) {
  const count = (state: string) =>
    sql<number>`(select count(*) from grant_revocations
      where incident_id = incidents.id and state = ${state})`;
  return db
    .selectFrom('incidents')
    .select([
      'id',
      'scope',
      'target',
      'reason',
      'declared_by',
      'declared_at',
      'undone_at',
      'frozen_connectors',
      count('pending').as('pending'),
      count('confirmed').as('confirmed'),
      count('vendor_cannot').as('vendor_cannot'),
    ]);
}

function toIncident({ pending, confirmed, vendor_cannot, ...row }: RowOf<typeof incidents>): Incident {
  return {
    id: row.id,
    scope: row.scope,
    target: row.target,
    reason: row.reason,
    status: row.undone_at === null ? 'open' : 'undone',
    declared_at: row.declared_at.toISOString(),
    declared_by: row.declared_by,
    undone_at: row.undone_at?.toISOString() ?? null,
    frozen_connectors: row.frozen_connectors,
    receipts: { pending, confirmed, vendor_cannot },
    ...(vendor_cannot === 0 ? {} : { advice: adviceAbout(vendor_cannot) }),
  };
}

function adviceAbout(unrevoked: number): string {
  const subject = unrevoked === 1 ? '1 grant' : `${unrevoked} grants`;
  return `The vendors cannot revoke ${subject} for the service: the receipts with the state vendor_cannot name the vendor’s page on which the customer must revoke the key. Until then the key works at the vendor, and once the incident is undone, its connector works with it again`;
}
