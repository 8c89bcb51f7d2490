import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, type PageMeta } from '@connector-auth/api';
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import { toPage } from '../../platform/database/paging.ts';
import {
  byName,
  byTime,
  nameContains,
  sortedPage,
  type SortedQuery,
} from '../../platform/database/sorted-page.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';

/** Returns the id of the organization with this name, creating it if needed. */
export async function ensureOrganization(db: Transaction<Tables>, name: string): Promise<string> {
  const { id } = await db
    .insertInto('organizations')
    .values({ id: randomUUID(), name })
    // This update changes nothing, but makes the statement return the id if another process inserted the row
    // first.
    .onConflict(conflict => conflict.column('name').doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The settings of an organization, which have the same names in the database and in the operators' API. */
export const settingNames = [
  'name',
  'display_name',
  'support_url',
  'connect_helper_url',
  'guest_connect_links',
  'long_connect_links',
  'agent_sign_in',
  'brand_color',
  'sync_interval_minutes',
  'enabled_kinds',
] as const;
export type OrganizationSettings = Readonly<
  Pick<Selectable<Tables['organizations']>, (typeof settingNames)[number]>
>;

/** Returns only these settings of an organization. */
export function pickSettings<Name extends keyof OrganizationSettings>(
  organization: OrganizationSettings,
  names: readonly Name[],
): Pick<OrganizationSettings, Name> {
  return Object.fromEntries(names.map(name => [name, organization[name]])) as Pick<
    OrganizationSettings,
    Name
  >;
}

/** The name of an organization that users see, in queries that join `organizations`. */
export const shownName = sql<string>`coalesce(organizations.display_name, organizations.name)`;

export type Organization = RowOf<typeof organizations>;

function organizations(db: Kysely<Tables>) {
  return db
    .selectFrom('organizations')
    .select([
      'organizations.id',
      // Incremented by every edit of the settings.
      'organizations.version',
      ...settingNames.map(name => `organizations.${name}` as const),
      // Null if the organization has no logo.
      'organizations.logo_version as logoVersion',
      'organizations.created_at as createdAt',
    ])
    .select([
      // Also true if it is being deleted.
      sql<boolean>`not ${isEnabled}`.as('isDisabled'),
      sql<boolean>`organizations.deletion_requested_at is not null`.as('isBeingDeleted'),
    ]);
}

/**
 * Returns the organization of a caller.
 * @throws ConnectorAuthError `organization_disabled` if it was deleted while the request was running.
 */
export async function findOrganization(db: Kysely<Tables>, id: string): Promise<Organization> {
  return organizations(db)
    .where('organizations.id', '=', id)
    .executeTakeFirstOrThrow(
      () => new ConnectorAuthError('organization_disabled', 'An operator has deleted this organization'),
    );
}

/** An organization with the number of its customers and connectors. */
export interface CountedOrganization extends Organization {
  readonly customers: number;
  readonly connectors: number;
}

const counts = [
  sql<number>`(select count(*) from customers where customers.organization_id = organizations.id)`.as(
    'customers',
  ),
  sql<number>`(select count(*) from connectors where connectors.organization_id = organizations.id and delete_at is null)`.as(
    'connectors',
  ),
] as const;

export async function findCountedOrganization(
  db: Kysely<Tables>,
  id: string,
): Promise<CountedOrganization | null> {
  const row = await organizations(db).select(counts).where('organizations.id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Returns a page of organizations, sorted by name unless the query says otherwise. */
export async function listOrganizations(
  db: Kysely<Tables>,
  query: SortedQuery<'name' | 'created_at'>,
): Promise<{ rows: readonly CountedOrganization[]; meta: PageMeta }> {
  const page = sortedPage(query, {
    id: 'organizations.id',
    keys: { name: byName('organizations.name'), created_at: byTime('organizations.created_at') },
  });
  const found = await organizations(db)
    .select(counts)
    .select(page.position)
    .$if(query.search !== undefined, select =>
      select.where(nameContains('organizations.name', query.search ?? '')),
    )
    .where(page.isAfter)
    .orderBy(page.order)
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, ({ position }) => position);
}

/** Returns the ids and names of those organizations that exist and are not being deleted. */
export async function findOrganizationNames(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('deletion_requested_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Serializes changes to one organization until the transaction ends. Returns null if it does not exist. */
export async function lockOrganization(
  transaction: Transaction<Tables>,
  id: string,
): Promise<Organization | null> {
  const row = await organizations(transaction)
    .where('organizations.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Settings to change. Undefined leaves a setting, and null restores its default. */
export type SettingsChange = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | undefined;
};

/**
 * Creates an organization and returns its id. Throws a unique violation if the name is in use.
 */
export async function insertOrganization(
  db: Kysely<Tables>,
  settings: SettingsChange & { readonly name: string },
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('organizations')
    .values({ id, ...settings })
    .execute();
  return id;
}

/** Returns the name of an organization, or null if no organization has this id. */
export async function findOrganizationName(db: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await db.selectFrom('organizations').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

/** Changes the given settings. Throws a unique violation if the name is in use. */
export async function saveOrganization(
  db: Kysely<Tables>,
  id: string,
  changes: SettingsChange,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Rejects the organization's token requests and OAuth sessions and stops its syncs, or allows them again. */
export async function setOrganizationDisabled(
  db: Kysely<Tables>,
  id: string,
  isDisabled: boolean,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ disabled_at: isDisabled ? sql<Date>`coalesce(disabled_at, now())` : null })
    .where('id', '=', id)
    .execute();
}

/** Whether the organization of a statement's table `organizations` is not disabled, as an SQL condition. */
export const isEnabled = sql<boolean>`organizations.disabled_at is null`;

/** Returns an SQL condition for whether the organization with this id is not disabled. */
export function isOrganizationEnabled(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from organizations where organizations.id = ${id} and ${isEnabled})`;
}

export interface StoredLogo {
  readonly type: 'image/png' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** Stores an organization's logo, or deletes it if `logo` is null. Returns false if there is no such organization. */
export async function saveLogo(
  db: Kysely<Tables>,
  id: string,
  logo: (StoredLogo & { readonly version: string }) | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ logo: logo?.bytes ?? null, logo_type: logo?.type ?? null, logo_version: logo?.version ?? null })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findLogo(db: Kysely<Tables>, id: string, version: string): Promise<StoredLogo | null> {
  const row = await db
    .selectFrom('organizations')
    .select(['logo as bytes', 'logo_type as type'])
    .where('id', '=', id)
    .where('logo_version', '=', version)
    .executeTakeFirst();
  return row?.bytes && row.type ? { bytes: row.bytes, type: row.type } : null;
}
