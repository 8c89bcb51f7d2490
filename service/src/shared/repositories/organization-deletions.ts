/** The SQL for deleting organizations in steps, and for `organization_deletions`, their receipts. */
import type { PageMeta } from '@connector-auth/api';
import type { OrganizationDeletion } from '@connector-auth/api/admin';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { decodeCursor, storableTime, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import { jsonb } from '../../platform/database/values.ts';

/** Marks an organization as being deleted, disables it, and creates the receipt. */
export async function insertDeletion(
  transaction: Kysely<Tables>,
  organizationId: string,
  requestedBy: string | null,
): Promise<void> {
  await transaction
    .updateTable('organizations')
    .set({
      disabled_at: sql<Date>`coalesce(disabled_at, now())`,
      deletion_requested_at: sql<Date>`now()`,
      logo: null,
      logo_type: null,
      logo_version: null,
    })
    .where('id', '=', organizationId)
    .execute();
  await transaction
    .insertInto('organization_deletions')
    .values({ organization_id: organizationId, requested_by: requestedBy })
    .execute();
}

/** Returns the ids of the organizations that are being deleted. */
export async function findUnfinishedDeletions(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('organization_deletions')
    .select('organization_id')
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .execute();
  return rows.map(row => row.organization_id);
}

/** Returns false if another process is making a step of the deletion, or it is finished. Others skip it until the transaction ends. */
export async function lockDeletion(transaction: Kysely<Tables>, organizationId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('organization_deletions')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .where('finished_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds numbers of deleted rows to the receipt, in the transaction that deletes them. */
export async function countDeleted(
  transaction: Kysely<Tables>,
  organizationId: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  const present = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  if (Object.keys(present).length === 0) return;
  await sql`
    update organization_deletions set deleted = deleted || (
      select jsonb_object_agg(key, value::bigint + coalesce((deleted ->> key)::bigint, 0))
      from jsonb_each_text(${jsonb(present)}))
    where organization_id = ${organizationId}`.execute(transaction);
}

/** The tables whose rows can be deleted without regard to others, once an organization has no customers. */
export const plainTables = [
  'connect_link_visits',
  'connect_links',
  'idempotency_keys',
  'record_changes',
  'skipped_changes',
  'hourly_uses',
  'vendor_quota_usage',
  'vendor_quota_totals',
  'webhook_deliveries',
  'webhook_events',
  'webhooks',
] as const satisfies (keyof Tables)[];

/** Deletes up to `limit` rows of an organization, and returns how many. */
export async function deleteRows(
  transaction: Kysely<Tables>,
  table: (typeof plainTables)[number],
  organizationId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where organization_id = ${organizationId} and ctid = any(array(
      select ctid from ${sql.table(table)} where organization_id = ${organizationId} limit ${limit} for update
    ))`.execute(transaction);
  return Number(numAffectedRows);
}

/** Deletes the OAuth sessions whose grants have been queued for revocation, and up to `limit` without a grant. */
export async function deleteSessions(
  transaction: Kysely<Tables>,
  organizationId: string,
  queuedIds: readonly string[],
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from oauth_sessions where organization_id = ${organizationId} and (
      id = any(${[...queuedIds]}::uuid[])
      or credentials is null and id = any(array(
        select id from oauth_sessions where organization_id = ${organizationId} and credentials is null
        limit ${limit} for update))
    )`.execute(transaction);
  return Number(numAffectedRows);
}

/** Deletes connectors that the transaction has locked. Returns how many rows of each kind, with the records that the sync worker deletes. */
export async function deleteLockedConnectors(
  transaction: Kysely<Tables>,
  organizationId: string,
  ids: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const synced = await transaction
    .deleteFrom('synced_entities')
    .where('organization_id', '=', organizationId)
    .where('connector_id', 'in', [...ids])
    .returning('records')
    .execute();
  const { numDeletedRows } = await transaction
    .deleteFrom('connectors')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .executeTakeFirst();
  return {
    connectors: Number(numDeletedRows),
    synced_entities: synced.length,
    records: synced.reduce((sum, { records }) => sum + records, 0),
  };
}

/** Deletes up to `limit` customers that have neither connectors nor OAuth sessions, and returns how many. */
export async function deleteEmptyCustomers(
  transaction: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<number> {
  const locked = await transaction
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  // A statement of its own, so that it sees what a request has stored that held the lock before.
  const { numAffectedRows = 0n } = await sql`
    delete from customers where organization_id = ${organizationId} and id = any(${locked.map(({ id }) => id)}::uuid[])
      and not exists (select from connectors
        where connectors.organization_id = ${organizationId} and connectors.customer_id = customers.id)
      and not exists (select from oauth_sessions
        where oauth_sessions.organization_id = ${organizationId} and oauth_sessions.customer_id = customers.id)`.execute(
    transaction,
  );
  return Number(numAffectedRows);
}

/** Deletes the applications that belong to no other organization, and whose deletion would delete no links of another one. */
export async function deleteOwnApplications(
  transaction: Kysely<Tables>,
  organizationId: string,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from applications where id in (
      select application_id from application_organizations where organization_id = ${organizationId}
    ) and not exists (
      select from application_organizations as others
      where others.application_id = applications.id and others.organization_id <> ${organizationId}
    ) and not exists (
      select from connect_links
      where connect_links.application_id = applications.id and connect_links.organization_id <> ${organizationId}
    )`.execute(transaction);
  return Number(numAffectedRows);
}

/** An incident revokes its grants for as long as it takes. A deletion waits for that for at most two days. */
const maxRevocationDays = 2;

/**
 * Deletes up to `limit` grants of incidents that have been dealt with, and counts those that were revoked since the deletion was
 * requested and those that the deletion no longer waits for. The grants of undone incidents, which no connector uses any more,
 * remain in the queue without an incident.
 */
export async function deleteIncidentGrants(
  transaction: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<number> {
  await sql`
    update grant_revocations set incident_id = null
    where organization_id = ${organizationId} and state = 'pending' and due_at is not null
      and incident_id in (select id from incidents where undone_at is not null)`.execute(transaction);
  const { rows } = await sql<{ count: number }>`
    with deletion as (
      select requested_at, requested_at < now() - make_interval(days => ${maxRevocationDays}) as is_overdue
      from organization_deletions where organization_id = ${organizationId}
    ), ended as (
      delete from grant_revocations where organization_id = ${organizationId} and id = any(array(
        select id from grant_revocations, deletion
        where organization_id = ${organizationId} and incident_id is not null
          and (state <> 'pending' or due_at is null or is_overdue)
        limit ${limit} for update of grant_revocations))
      returning state, due_at, confirmed_at
    ), counted as (
      select count(*) as count,
        count(*) filter (where state = 'confirmed' and confirmed_at >= requested_at) as revoked,
        count(*) filter (where state = 'pending' and due_at is not null) as failed
      from ended, deletion
    )
    update organization_deletions
    set grants_revoked = grants_revoked + revoked, grants_failed = grants_failed + failed
    from counted where organization_id = ${organizationId}
    returning counted.count`.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** Deletes the incidents about an organization or its customers whose grants have been deleted. */
export async function deleteIncidents(transaction: Kysely<Tables>, organizationId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from incidents where organization_id = ${organizationId}
      and not exists (select from grant_revocations where incident_id = incidents.id)`.execute(transaction);
  return Number(numAffectedRows);
}

/**
 * Erases customer names and addresses from the next `limit` entries of the audit log about an organization. Addresses of operators
 * stay. Returns the number of entries that were searched.
 */
export async function eraseAuditEntries(
  transaction: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<number> {
  await sql`select set_config('connector_auth.erases_audit_entries', 'on', true)`.execute(transaction);
  const { rows } = await sql<{ searched: number }>`
    with next as (
      select audit_entries.id, actor_type, customer_name, address from audit_entries, organization_deletions as deletion
      where audit_entries.organization_id = ${organizationId} and deletion.organization_id = ${organizationId}
        and audit_entries.id > erased_until
      order by audit_entries.id limit ${limit}
    ), erased as (
      update audit_entries set customer_name = null,
        address = case when actor_type = 'admin_key' then address end
      where organization_id = ${organizationId} and id in (
        select id from next where customer_name is not null or actor_type <> 'admin_key' and address is not null)
      returning id
    )
    update organization_deletions set
      erased_audit_entries = erased_audit_entries + (select count(*) from erased),
      erased_until = greatest(erased_until, (select max(id) from next))
    where organization_id = ${organizationId}
    returning (select count(*) from next) as searched`.execute(transaction);
  return rows[0]?.searched ?? 0;
}

/**
 * Deletes the organization itself, unless something of it is left or may still be stored by requests that began before the deletion.
 * Its OAuth apps are needed until its grants are revoked.
 * @param settleSeconds the time after which such requests have ended.
 */
export async function finishDeletion(
  transaction: Kysely<Tables>,
  organizationId: string,
  settleSeconds: number,
): Promise<boolean> {
  // Nothing can refer to the organization until the transaction ends.
  await sql`select from organizations where id = ${organizationId} for update`.execute(transaction);
  const { rows } = await sql`
    select from organization_deletions as deletion where organization_id = ${organizationId}
      and requested_at <= now() - make_interval(secs => ${settleSeconds})
      and not exists (select from customers where organization_id = ${organizationId})
      and not exists (select from deleted_connectors where organization_id = ${organizationId})
      and not exists (select from grant_revocations where organization_id = ${organizationId})
      and not exists (select from incidents where organization_id = ${organizationId})
      and not exists (select from audit_entries
        where audit_entries.organization_id = ${organizationId} and id > erased_until)`.execute(transaction);
  if (rows.length === 0) return false;
  const { numDeletedRows: apps } = await transaction
    .deleteFrom('oauth_apps')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const { numDeletedRows: memberships } = await transaction
    .deleteFrom('application_organizations')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  await transaction.deleteFrom('organizations').where('id', '=', organizationId).execute();
  await countDeleted(transaction, organizationId, {
    oauth_apps: Number(apps),
    application_organizations: Number(memberships),
    organizations: 1,
  });
  await transaction
    .updateTable('organization_deletions')
    .set({ finished_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .execute();
  return true;
}

const position = z.tuple([storableTime, z.uuid()]);

/** Returns a page of receipts, newest first. */
export async function listDeletions(
  db: Kysely<Tables>,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ data: OrganizationDeletion[]; meta: PageMeta }> {
  const before = decodeCursor(page.cursor, position);
  const found = await deletions(db)
    .$if(before !== undefined, query =>
      query.where(
        sql<boolean>`(requested_at, organization_id) < (${before?.[0]}::timestamptz, ${before?.[1]}::uuid)`,
      ),
    )
    .orderBy('requested_at', 'desc')
    .orderBy('organization_id', 'desc')
    .limit(page.limit + 1)
    .execute();
  const { rows, meta } = toPage(found, page.limit, last => [
    last.requested_at.toISOString(),
    last.organization_id,
  ]);
  return { data: rows.map(toReceipt), meta };
}

export async function findDeletion(
  db: Kysely<Tables>,
  organizationId: string,
): Promise<OrganizationDeletion | null> {
  const row = await deletions(db).where('organization_id', '=', organizationId).executeTakeFirst();
  return row === undefined ? null : toReceipt(row);
}

function deletions(db: Kysely<Tables>) {
  return db
    .selectFrom('organization_deletions')
    .leftJoin('admin_keys', 'admin_keys.id', 'requested_by')
    .select([
      'organization_id',
      'requested_at',
      sql<string>`coalesce(admin_keys.name, requested_by::text, 'ADMIN_TOKEN')`.as('requested_by'),
      'finished_at',
      'deleted',
      'erased_audit_entries',
      'grants_revoked',
      'grants_in_use',
      'grants_invalid',
      'grants_failed',
      sql<number>`(select count(*) from grant_revocations
        where grant_revocations.organization_id = organization_deletions.organization_id
          and state = 'pending' and due_at is not null)`.as('grants_pending'),
    ]);
}

function toReceipt(row: RowOf<typeof deletions>): OrganizationDeletion {
  return {
    organization_id: row.organization_id,
    status: row.finished_at === null ? 'deleting' : 'deleted',
    requested_at: row.requested_at.toISOString(),
    requested_by: row.requested_by,
    finished_at: row.finished_at?.toISOString() ?? null,
    deleted: row.deleted,
    erased_audit_entries: row.erased_audit_entries,
    grants: {
      pending: row.grants_pending,
      revoked: row.grants_revoked,
      in_use: row.grants_in_use,
      invalid: row.grants_invalid,
      failed: row.grants_failed,
    },
  };
}
