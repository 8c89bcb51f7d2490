import { actionNames, problemCodes, problems, type ProblemCode } from '@connector-auth/api';
import { sql, type Expression, type Kysely, type Selectable, type SqlBool } from 'kysely';
import { DatabaseError } from 'pg';
import type { Tables } from '../database/tables.ts';
import type { AuditEntry } from './entry.ts';

/** An entry that waits to be written. */
export interface WaitingEntry {
  readonly entry: AuditEntry;
  /** When it was recorded, as `performance.now()`. */
  readonly recordedAt: number;
}

/** Entries that are written together, in order. */
export interface Batch {
  /** Identifies the batch, so that it is not written again if the connection was lost after the commit. */
  readonly id: string;
  readonly entries: readonly WaitingEntry[];
}

/** The advisory lock that writers take in turn. The number is arbitrary but must never change. */
const writerLock = 4_019_283_747;

/** The actions that call a vendor. A search reads only what was synced. */
const vendorActions: readonly string[] = [...actionNames.filter(name => name !== 'search'), 'sync'];

/** The outcomes that neither the caller nor an operator caused. */
const failures: readonly ProblemCode[] = [
  'reauthentication_required',
  'vendor_permission_missing',
  'vendor_rate_limited',
  ...problemCodes.filter(code => problems[code].status >= 500),
];

/**
 * Writes a batch in one statement, and adds its uses of connectors to the counters of their hours. Writers in all
 * processes take turns, so that ids are visible in ascending order, and a reader that has seen an id never misses a
 * smaller one. Each entry gets the database's time minus its age. Does nothing if the batch was written before.
 */
export async function insertBatch(db: Kysely<Tables>, { id, entries }: Batch): Promise<void> {
  const now = performance.now();
  const rows = entries.map(({ entry, recordedAt }, index) => ({
    age: (now - recordedAt) / 1000,
    actor_type: entry.actor.type,
    actor_id: clean(entry.actor.id),
    actor_name: clean(entry.actor.name),
    token_id: entry.actor.tokenId,
    organization_id: entry.organizationId,
    customer_id: entry.customer?.id,
    customer_name: clean(entry.customer?.name),
    connector_id: entry.connectorId,
    kind: clean(entry.kind),
    entity: clean(entry.entity),
    action: clean(entry.action),
    application_id: entry.applicationId,
    target_id: clean(entry.targetId),
    outcome: entry.outcome,
    records: entry.records,
    request_id: entry.requestId,
    address: clean(entry.address),
    batch_id: index === 0 ? id : null,
  }));
  try {
    await sql`
      with turn as materialized (select pg_advisory_xact_lock(${writerLock})), written as (
      insert into audit_entries (at, ${columns})
      select clock_timestamp() - make_interval(secs => age), ${columns}
      from turn, rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (
        age double precision, actor_type text, actor_id text, actor_name text, token_id text,
        organization_id uuid, customer_id uuid, customer_name text, connector_id uuid, kind text, entity text,
        action text, application_id uuid, target_id text, outcome text, records integer, request_id text, address text, batch_id uuid
      )) with ordinality
      order by ordinality
      returning organization_id, kind, at, action, outcome
      )
      insert into hourly_uses (organization_id, kind, hour, succeeded, failed)
      select organization_id, kind, date_trunc('hour', at, 'UTC') as hour,
        count(*) filter (where outcome = 'ok'), count(*) filter (where outcome <> 'ok')
      from written
      where kind is not null and action = any(${vendorActions}::text[]) and (outcome = 'ok' or outcome = any(${failures}::text[]))
        -- A sync that waits for the vendor's limit is on time.
        and not (action = 'sync' and outcome = 'vendor_rate_limited')
        and exists (select from organizations where organizations.id = written.organization_id)
      group by organization_id, kind, hour
      on conflict (organization_id, kind, hour) do update
      set succeeded = hourly_uses.succeeded + excluded.succeeded, failed = hourly_uses.failed + excluded.failed`.execute(
      db,
    );
  } catch (error) {
    const isWritten = error instanceof DatabaseError && error.constraint === 'audit_entries_batch';
    if (!isWritten) throw error;
  }
}

const columns = sql.raw(
  [
    'actor_type',
    'actor_id',
    'actor_name',
    'token_id',
    'organization_id',
    'customer_id',
    'customer_name',
    'connector_id',
    'kind',
    'entity',
    'action',
    'application_id',
    'target_id',
    'outcome',
    'records',
    'request_id',
    'address',
    'batch_id',
  ].join(', '),
);

const maxTextLength = 200;
const unsafeText = /[\p{Cc}\p{Cs}]/gu;

/** Removes characters that PostgreSQL rejects, because one invalid entry would block all others. */
function clean(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return (text.length > maxTextLength ? text.slice(0, maxTextLength) : text).replaceAll(unsafeText, '�');
}

/** A written entry. */
export type StoredEntry = Omit<Selectable<Tables['audit_entries']>, 'batch_id'>;

/** The filters of a query, with the names that operators use. */
export interface AuditFilter {
  readonly organization_id?: string | undefined;
  readonly customer_name?: string | undefined;
  readonly connector_id?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly action?: string | undefined;
  /** `error` matches every outcome except `ok`. */
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Where a page of entries starts, and in which direction it continues. */
export interface AuditPosition {
  readonly order: 'asc' | 'desc';
  /** The id of the last entry of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns entries that match a filter, with the names of the applications. */
export async function listEntries(
  db: Kysely<Tables>,
  filter: AuditFilter,
  position: AuditPosition,
): Promise<StoredEntry[]> {
  let query = pageOf(db, position);
  for (const condition of conditionsOf(filter)) query = query.where(condition);
  return query.execute();
}

/**
 * Returns a connector's entries: those of its customer and, because operators do not act for a customer, those of
 * operators. Requests of other customers for the same id do not belong to it.
 */
export async function listEntriesOfConnector(
  db: Kysely<Tables>,
  {
    id,
    organizationId,
    customerId,
    customerName,
  }: {
    readonly id: string;
    readonly organizationId: string;
    readonly customerId: string;
    readonly customerName: string;
  },
  position: AuditPosition,
): Promise<StoredEntry[]> {
  return pageOf(db, position)
    .where('audit_entries.connector_id', '=', id)
    .where(
      sql<SqlBool>`(
        organization_id = ${organizationId} and (customer_id = ${customerId} or customer_name = ${customerName})
        or actor_type = 'admin_key'
      )`,
    )
    .execute();
}

function pageOf(db: Kysely<Tables>, { order, after, limit }: AuditPosition) {
  return db
    .selectFrom('audit_entries')
    .leftJoin('applications', join =>
      join.on(sql`applications.id::text`, '=', sql.ref('audit_entries.actor_id')),
    )
    .select([
      'audit_entries.id',
      'audit_entries.at',
      'audit_entries.actor_type',
      'audit_entries.actor_id',
      'audit_entries.token_id',
      'audit_entries.organization_id',
      'audit_entries.customer_id',
      'audit_entries.customer_name',
      'audit_entries.connector_id',
      'audit_entries.kind',
      'audit_entries.entity',
      'audit_entries.action',
      'audit_entries.application_id',
      'audit_entries.target_id',
      'audit_entries.outcome',
      'audit_entries.records',
      'audit_entries.request_id',
      'audit_entries.address',
      sql<string | null>`coalesce(actor_name, applications.name, applications.client_id)`.as('actor_name'),
    ])
    .$if(after !== undefined, query =>
      query.where(sql<SqlBool>`audit_entries.id ${sql.raw(order === 'asc' ? '>' : '<')} ${after}::bigint`),
    )
    .orderBy('audit_entries.id', order)
    .limit(limit);
}

function conditionsOf(filter: AuditFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  const require = (condition: Expression<SqlBool>): void => void conditions.push(condition);
  const { outcome, from, to } = filter;
  if (filter.organization_id !== undefined) require(sql`organization_id = ${filter.organization_id}::uuid`);
  if (filter.customer_name !== undefined) require(sql`customer_name = ${filter.customer_name}`);
  if (filter.connector_id !== undefined) require(sql`connector_id = ${filter.connector_id}::uuid`);
  if (filter.actor_id !== undefined) require(sql`actor_id = ${filter.actor_id}`);
  if (filter.action !== undefined) require(sql`action = ${filter.action}`);
  if (outcome === 'error') require(sql`outcome <> 'ok'`);
  else if (outcome !== undefined) require(sql`outcome = ${outcome}`);
  if (from !== undefined) require(sql`at >= ${new Date(from)}::timestamptz`);
  if (to !== undefined) require(sql`at < ${new Date(to)}::timestamptz`);
  return conditions;
}

/**
 * Deletes up to `limit` entries that are older than `days`, and returns how many were deleted. This is the only
 * change of entries that the database allows.
 */
export async function deleteOldEntries(
  db: Kysely<Tables>,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  return db.transaction().execute(async transaction => {
    await sql`select set_config('connector_auth.deletes_old_audit_entries', 'on', true)`.execute(transaction);
    const { numDeletedRows } = await transaction
      .deleteFrom('audit_entries')
      .where('id', 'in', old =>
        old
          .selectFrom('audit_entries')
          .select('id')
          .where('at', '<', sql<Date>`now() - make_interval(days => ${days})`)
          .limit(limit),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

const useRetentionDays = 30;

/** Deletes the counters of uses that are older than 30 days. */
export async function deleteOldUses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('hourly_uses')
    .where('hour', '<', sql<Date>`now() - make_interval(days => ${useRetentionDays})`)
    .execute();
}
