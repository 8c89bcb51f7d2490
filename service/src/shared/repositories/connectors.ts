import type { AccessLevel, ConnectorStatus, PageMeta } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { decodeCursor, storableTime, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import { jsonb } from '../../platform/database/values.ts';
import type { Tenant } from '../auth/caller.ts';
import { linkStatus } from './connect-links.ts';
import { isOrganizationEnabled } from './organizations.ts';

/** Whether the vendor accepts the grant, regardless of whether an operator has disabled the connector. */
type GrantStatus = Extract<ConnectorStatus, 'active' | 'needs_reauth'>;

export type StoredConnector = RowOf<typeof inAnyTenant>;

/** Whether the connector has not been deleted, not even with time to undo that. */
export const isPresent = sql<boolean>`(connectors.delete_at is null)`;

/** Whether the connector is present, no operator has disabled it, and no incident has frozen it. */
export const isUsable = sql<boolean>`(connectors.disabled_at is null and connectors.incident_id is null
  and ${isPresent})`;

/** Whether the connector is usable and its organization enabled. */
export const isSyncAllowed = sql<boolean>`(${isUsable}
  and ${isOrganizationEnabled(sql`connectors.organization_id`)})`;

/** The status that callers see: `frozen`, else `disabled`, else the status of the grant. */
export const derivedStatus = sql<ConnectorStatus>`case
  when connectors.incident_id is not null then 'frozen'
  when connectors.disabled_at is not null then 'disabled'
  else connectors.status end`;

/**
 * Whether the kind of a connector fits a status: a connector that no operator has stopped has the status of its grant if its kind
 * is loaded, and is otherwise `unavailable`.
 */
export function hasKindFor(status: string, loaded: readonly string[]): RawBuilder<boolean> {
  if (status === 'disabled' || status === 'frozen') return sql<boolean>`true`;
  return sql<boolean>`(connectors.kind = any(${loaded}::text[])) = ${status !== 'unavailable'}`;
}

/** Identifies a connector that was already looked up within its tenant. */
export type ConnectorRef = Pick<StoredConnector, 'organizationId' | 'id'>;

export interface GrantColumns {
  readonly authMethod: string;
  readonly sealedGrant: Uint8Array;
  readonly account: string | null;
  /** Absent if the settings are only in the encrypted grant or do not change. */
  readonly settings?: Grant['settings'] | undefined;
  /** Absent if the access is the default or does not change. */
  readonly access?: AccessLevel | undefined;
  /** Whether replacing the grant leaves an access that is lower than `access`. */
  readonly keepsLowerAccess?: boolean;
  /** Whether a user has given a new grant, which is an event. A refresh is none. */
  readonly isReconnected?: boolean;
}

const columns = [
  'connectors.id',
  'connectors.organization_id as organizationId',
  'connectors.customer_id as customerId',
  'customers.name as customerName',
  // Key of the connector kind.
  'connectors.kind',
  'connectors.name',
  'connectors.auth_method as authMethod',
  'connectors.credentials as sealedGrant',
  // Incremented with every change to the grant.
  'connectors.credentials_version as grantVersion',
  // The account's id at the vendor, or null if the vendor does not report it.
  'connectors.account',
  // Null if the settings are only in the encrypted grant, as earlier versions stored them.
  'connectors.settings',
  // With `read`, the actions that change data at the vendor are rejected.
  'connectors.access',
  // The organization's own OAuth app for the kind in encrypted form, or null if the organization has none.
  'oauth_apps.configuration as sealedApp',
  'connectors.created_at as createdAt',
  'connectors.updated_at as updatedAt',
] as const;

function ofTenant(db: Kysely<Tables>, { organizationId, customerId, linkId = null }: Tenant) {
  return inAnyTenant(db)
    .where('connectors.organization_id', '=', organizationId)
    .$if(customerId !== null, query => query.where('connectors.customer_id', '=', customerId))
    .$if(linkId !== null, query =>
      query.where('connectors.id', '=', links =>
        links
          .selectFrom('connect_links')
          .select(sql<string>`coalesce(connector_id, target_id)`.as('id'))
          .where('organization_id', '=', organizationId)
          .where('id', '=', linkId)
          .where(linkStatus, '<>', 'revoked'),
      ),
    );
}

function inAnyTenant(db: Kysely<Tables>) {
  return db
    .selectFrom('connectors')
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'connectors.organization_id')
        .onRef('customers.id', '=', 'connectors.customer_id'),
    )
    .leftJoin('oauth_apps', join =>
      join
        .onRef('oauth_apps.organization_id', '=', 'connectors.organization_id')
        .onRef('oauth_apps.kind', '=', 'connectors.kind'),
    )
    .select(columns)
    .select(derivedStatus.as('status'));
}

/** Which connectors a query finds: `present`, or also those whose deletion can still be undone. */
export type Presence = 'present' | 'present_or_restorable';

function withId(
  connectors: ReturnType<typeof inAnyTenant>,
  id: string,
  presence: Presence,
): Promise<StoredConnector | undefined> {
  return connectors
    .where('connectors.id', '=', id)
    .$if(presence === 'present', query => query.where(isPresent))
    .executeTakeFirst();
}

export async function findConnector(
  db: Kysely<Tables>,
  tenant: Tenant,
  id: string,
  presence: Presence = 'present',
): Promise<StoredConnector | null> {
  return (await withId(ofTenant(db, tenant), id, presence)) ?? null;
}

/** Finds a connector in any organization. Only operators can address connectors in this way. */
export async function findAnyConnector(
  db: Kysely<Tables>,
  id: string,
  presence: Presence = 'present',
): Promise<StoredConnector | null> {
  return (await withId(inAnyTenant(db), id, presence)) ?? null;
}

/** Returns up to 100 connectors whose deletion is due. Those in an incident are deleted after it. */
export async function findConnectorsToDelete(db: Kysely<Tables>): Promise<readonly StoredConnector[]> {
  return inAnyTenant(db).where(isDeletionDue).orderBy('connectors.delete_at').limit(100).execute();
}

/** Returns a tenant's connectors, also those that can be restored, and prevents changes to them until the transaction ends. */
export async function lockConnectors(
  transaction: Kysely<Tables>,
  tenant: Tenant,
  limit?: number,
): Promise<readonly StoredConnector[]> {
  return ofTenant(transaction, tenant)
    .orderBy('connectors.id')
    .$if(limit !== undefined, query => query.limit(limit ?? 0))
    .forUpdate('connectors')
    .execute();
}

const position = z.tuple([storableTime, z.uuid()]);

/** Returns a page of connectors, newest first. */
export async function listConnectors(
  db: Kysely<Tables>,
  tenant: Tenant,
  filter: {
    readonly customerName: string | undefined;
    readonly kinds: readonly string[] | null;
    readonly status?: ConnectorStatus | undefined;
    /** The keys of the kinds that are loaded. */
    readonly loaded: readonly string[];
    readonly changedSince?: Date | undefined;
  },
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ rows: readonly StoredConnector[]; meta: PageMeta }> {
  const { customerName, kinds, status, loaded, changedSince } = filter;
  const before = decodeCursor(page.cursor, position);
  let query = ofTenant(db, tenant).where(isPresent);
  if (customerName !== undefined) query = query.where('customers.name', '=', customerName);
  if (kinds !== null) query = query.where('connectors.kind', 'in', kinds.length === 0 ? [''] : kinds);
  if (status !== undefined) {
    const isOfStatus = status === 'unavailable' ? isUsable : sql<boolean>`${derivedStatus} = ${status}`;
    query = query.where(isOfStatus).where(hasKindFor(status, loaded));
  }
  if (changedSince !== undefined) query = query.where('connectors.updated_at', '>=', changedSince);
  if (before !== undefined) {
    query = query.where(
      sql<boolean>`(connectors.created_at, connectors.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`,
    );
  }
  const found = await query
    .orderBy('connectors.created_at', 'desc')
    .orderBy('connectors.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, last => [last.createdAt.toISOString(), last.id]);
}

export async function insertConnector(
  db: Kysely<Tables>,
  connector: GrantColumns & {
    readonly id: string;
    readonly organizationId: string;
    readonly customerId: string;
    readonly kind: string;
    readonly name: string;
  },
): Promise<void> {
  await db
    .insertInto('connectors')
    .values({
      organization_id: connector.organizationId,
      id: connector.id,
      customer_id: connector.customerId,
      kind: connector.kind,
      name: connector.name,
      auth_method: connector.authMethod,
      credentials: connector.sealedGrant,
      account: connector.account,
      ...accessColumn(connector),
      ...settingsColumn(connector),
    })
    .execute();
}

/** Returns the number of a customer's connectors, which is 0 if the customer does not exist. */
export async function countConnectors(
  db: Kysely<Tables>,
  organizationId: string,
  customerName: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('customers')
    .innerJoin('connectors', join =>
      join
        .onRef('connectors.organization_id', '=', 'customers.organization_id')
        .onRef('connectors.customer_id', '=', 'customers.id'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customers.organization_id', '=', organizationId)
    .where('customers.name', '=', customerName)
    .where(isPresent)
    .executeTakeFirstOrThrow();
  return count;
}

/** Renames a connector. Returns false if the connector was deleted. */
export async function renameConnector(db: Kysely<Tables>, row: ConnectorRef, name: string): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .set({ name, updated_at: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Replaces a connector's grant, which counts as accepted by the vendor. Returns false if the stored version is
 * not `knownVersion`, or if the settings are replaced too and are not `known.settings`.
 */
export async function replaceGrant(
  db: Kysely<Tables>,
  known: ConnectorRef & Pick<StoredConnector, 'settings'>,
  knownVersion: number,
  grant: GrantColumns,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, known)
    .where('credentials_version', '=', knownVersion)
    .$if(grant.settings !== undefined, query => query.where(hasSettings(known)))
    .set({
      auth_method: grant.authMethod,
      credentials: grant.sealedGrant,
      credentials_version: knownVersion + 1,
      account: grant.account,
      ...replacedAccess(grant),
      ...settingsColumn(grant),
      ...(grant.isReconnected ? { reconnected_at: sql<Date>`now()` } : {}),
      status: 'active',
      updated_at: sql<Date>`now()`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores new settings, and the account that they identify. Returns false if the stored account or settings are not the
 * known ones.
 */
export async function replaceSettings(
  db: Kysely<Tables>,
  known: ConnectorRef & Pick<StoredConnector, 'account' | 'settings'>,
  { settings, account }: { readonly settings: Grant['settings']; readonly account: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, known)
    .where('account', 'is not distinct from', known.account)
    .where(hasSettings(known))
    .set({ ...settingsColumn({ settings }), account, updated_at: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Disables a connector, or enables it again. */
export async function setDisabled(db: Kysely<Tables>, row: ConnectorRef, isDisabled: boolean): Promise<void> {
  await updateOf(db, row)
    .where('disabled_at', isDisabled ? 'is' : 'is not', null)
    .set({ disabled_at: isDisabled ? sql<Date>`now()` : null, updated_at: sql<Date>`now()` })
    .execute();
}

/**
 * Stores whether the vendor accepted the grant, if the stored grant version is still the one that it judged. Returns whether
 * the status has changed.
 */
export async function setStatus(
  db: Kysely<Tables>,
  row: ConnectorRef,
  grantVersion: number,
  status: GrantStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('credentials_version', '=', grantVersion)
    .where('status', '!=', status)
    .set({ status, updated_at: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the connectors, in any tenant, whose vendor account is one of these or unknown, also those that can be restored. */
export async function findConnectorsOfAccounts(
  db: Kysely<Tables>,
  kind: string,
  accounts: readonly string[],
): Promise<readonly StoredConnector[]> {
  return inAnyTenant(db)
    .where('connectors.kind', '=', kind)
    .where(sql<boolean>`(connectors.account = any(${[...accounts]}::text[]) or connectors.account is null)`)
    .execute();
}

/**
 * Ends the use of a connector now, and has it deleted after some seconds. Repeating this does not extend the time. Returns
 * false if the connector does not exist or an incident has frozen it.
 */
export async function scheduleDeletion(
  db: Kysely<Tables>,
  row: ConnectorRef,
  seconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('incident_id', 'is', null)
    .set({ delete_at: sql<Date>`coalesce(delete_at, now() + make_interval(secs => ${seconds}))` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undoes {@link scheduleDeletion}. Returns false if the time is over or nothing is to be undone. */
export async function cancelDeletion(db: Kysely<Tables>, row: ConnectorRef): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('delete_at', '>', sql<Date>`now()`)
    .set({ delete_at: null })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const isDeletionDue = sql<boolean>`(connectors.delete_at <= now() and connectors.incident_id is null)`;

/**
 * Deletes a connector and its records and sync state. Returns its last grant, or null if it does not exist or an
 * incident has frozen it, because the incident needs the grant.
 * @param when `due` deletes only a connector that {@link scheduleDeletion} has marked, after its time.
 */
export async function deleteConnector(
  db: Kysely<Tables>,
  row: ConnectorRef,
  when: 'now' | 'due' = 'now',
): Promise<Pick<StoredConnector, 'authMethod' | 'grantVersion' | 'sealedGrant'> | null> {
  const deleted = await db
    .deleteFrom('connectors')
    .where('organization_id', '=', row.organizationId)
    .where('id', '=', row.id)
    .where('incident_id', 'is', null)
    .$if(when === 'due', query => query.where(isDeletionDue))
    .returning([
      'auth_method as authMethod',
      'credentials_version as grantVersion',
      'credentials as sealedGrant',
    ])
    .executeTakeFirst();
  return deleted ?? null;
}

/** Returns whether the connector exists and can be synced. */
export async function canSyncConnector(db: Kysely<Tables>, row: ConnectorRef): Promise<boolean> {
  const found = await db
    .selectFrom('connectors')
    .select('id')
    .where('organization_id', '=', row.organizationId)
    .where('id', '=', row.id)
    .where(isSyncAllowed)
    .executeTakeFirst();
  return found !== undefined;
}

function hasSettings({ settings }: Pick<StoredConnector, 'settings'>) {
  return sql<boolean>`connectors.settings is not distinct from ${settings && jsonb(settings)}`;
}

function settingsColumn({ settings }: Pick<GrantColumns, 'settings'>) {
  return settings === undefined ? {} : { settings: jsonb<Grant['settings']>(settings) };
}

function accessColumn({ access }: Pick<GrantColumns, 'access'>) {
  return access === undefined ? {} : { access };
}

/** The stored access is compared in the UPDATE, because it can be lowered after the caller's token was minted. */
function replacedAccess({ access, keepsLowerAccess = false }: GrantColumns) {
  if (access === undefined || !keepsLowerAccess) return accessColumn({ access });
  return { access: sql<AccessLevel>`case connectors.access when 'read' then 'read' else ${access} end` };
}

function updateOf(db: Kysely<Tables>, row: ConnectorRef) {
  return db
    .updateTable('connectors')
    .where('organization_id', '=', row.organizationId)
    .where('id', '=', row.id);
}
