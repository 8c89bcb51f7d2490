// oxlint-disable-next-line no-restricted-imports -- reads settings that this service stored
import { connectCodeLifetimeSeconds, parseJson, stringifyJson } from '@connector-auth/api';
import type { AccessLevel, PageMeta } from '@connector-auth/api';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { KeyRing } from '../../platform/crypto/key-ring.ts';
import { hashOf, randomSecret } from '../../platform/crypto/random-secret.ts';
import { decodeCursor, storableTime, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import type { LinkRef, Tenant } from '../../shared/auth/caller.ts';
import { linkStatus, type LinkStatus } from '../../shared/repositories/connect-links.ts';
import { isEnabled, shownName } from '../../shared/repositories/organizations.ts';
import { tokenIssueTime } from '../../shared/repositories/revocations.ts';
import { findDerivedSecret, isBrowserKey, newBrowserKey } from './secrets.ts';

/** What links are read with. */
export interface LinkSources {
  readonly db: Kysely<Tables>;
  /** The keys that derive the secrets of links. A link whose key is no longer among them is over. */
  readonly signingKeys: KeyRing;
}

/** A stored link, without its secret. */
export type StoredLink = Readonly<ReturnType<typeof toLink>>;

/** A browser that opened a link. */
export interface Visit {
  readonly link: StoredLink;
  readonly browserHash: Uint8Array;
  /** Whether the browser may connect a source with the link, or has done so. */
  readonly isConfirmed: boolean;
  /** The issue time for a token that is minted because of this state. */
  readonly tokenIssuedAtUs: number;
}

function links(db: Kysely<Tables>) {
  return (
    db
      .selectFrom('connect_links')
      .innerJoin('organizations', 'organizations.id', 'connect_links.organization_id')
      .innerJoin('customers', join =>
        join
          .onRef('customers.organization_id', '=', 'connect_links.organization_id')
          .onRef('customers.id', '=', 'connect_links.customer_id'),
      )
      .leftJoin('connectors', join =>
        join
          .onRef('connectors.organization_id', '=', 'connect_links.organization_id')
          .on('connectors.id', '=', sql`coalesce(connect_links.connector_id, connect_links.target_id)`),
      )
      // The links of a disabled organization do not exist for anyone.
      .where(isEnabled)
      .select([
        'connect_links.organization_id as organizationId',
        'connect_links.id',
        'connect_links.secret_hash as secretHash',
        'connect_links.customer_id as customerId',
        'customers.name as customerName',
        // The customer's name as people see it, or null.
        'customers.display_name as customerDisplayName',
        'connect_links.application_id as applicationId',
        // The integrator's identifier for the person who asked an agent for the link, and who alone can use it, or null.
        'connect_links.user_id as userId',
        // Key of the connector kind. Null if the person chooses the source.
        'connect_links.kind',
        // Key of the kind of the connector that was created or re-authenticated with the link.
        'connectors.kind as connectedKind',
        // The access of the connector that is or was connected with the link, or null if there is none.
        'connectors.access as connectorAccess',
        // The connector to re-authenticate, or null to create one.
        'connect_links.target_id as targetId',
        'connect_links.audience',
        // Who asks the guest.
        'connect_links.inviter',
        // Keys of the kinds that the creator's token allows, or null if all are allowed.
        'connect_links.allowed_sources as allowedSources',
        // The access that the creator's token gives at most, or null for an application token.
        'connect_links.access',
        'connect_links.replication_defaults as replicationDefaults',
        // The connector that was created or re-authenticated with the link.
        'connect_links.connector_id as connectorId',
        'connect_links.created_at as createdAt',
        'connect_links.expires_at as expiresAt',
        'organizations.logo_version as logoVersion',
        'organizations.support_url as supportUrl',
        // Where the integrator's helper is mounted, without a trailing slash.
        'organizations.connect_helper_url as helperUrl',
        'organizations.brand_color as brandColor',
      ])
      .select([linkStatus.as('status'), shownName.as('organizationName')])
  );
}

function toLink(
  { signingKeys }: LinkSources,
  {
    organizationName,
    logoVersion,
    supportUrl,
    helperUrl,
    brandColor,
    secretHash,
    ...row
  }: RowOf<typeof links>,
) {
  // Tokens of the link are not checked like this: they end with the key that signed them.
  const isOver = row.status !== 'used' && findDerivedSecret(signingKeys, row.id, secretHash) === undefined;
  return {
    ...row,
    status: isOver ? ('revoked' as const) : row.status,
    replicationDefaults:
      row.replicationDefaults === null ? {} : settingsByKind.parse(parseJson(row.replicationDefaults)),
    /** What users see of the organization. */
    organization: { name: organizationName, logoVersion, supportUrl, helperUrl, brandColor },
  };
}

const settingsByKind = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Returns the access that a link gives: a reconnected connector keeps its own, unless the creator may only read. */
export function accessOf({ access, connectorAccess }: StoredLink): AccessLevel {
  return access === 'read' ? 'read' : (connectorAccess ?? 'write');
}

/** Finds a link for the service's page, of any tenant. */
export async function findLink(sources: LinkSources, id: string): Promise<StoredLink | null> {
  const row = await links(sources.db).where('connect_links.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toLink(sources, row);
}

function ofTenant(db: Kysely<Tables>, { organizationId, customerId }: Tenant) {
  return links(db)
    .where('connect_links.organization_id', '=', organizationId)
    .$if(customerId !== null, query => query.where('connect_links.customer_id', '=', customerId));
}

export async function findTenantLink(
  sources: LinkSources,
  tenant: Tenant,
  id: string,
): Promise<StoredLink | null> {
  const row = await ofTenant(sources.db, tenant).where('connect_links.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toLink(sources, row);
}

/** The links that may still be usable. Only {@link toLink} knows whether their key is still configured. */
function unendedLinks(db: Kysely<Tables>, tenant: Tenant) {
  return ofTenant(db, tenant)
    .where('connect_links.used_at', 'is', null)
    .where('connect_links.revoked_at', 'is', null)
    .where('connect_links.expires_at', '>', sql<Date>`now()`);
}

const position = z.tuple([storableTime, z.uuid()]);

/**
 * Returns a page of the links that can still be used, newest first.
 * @param filter.kind the key of the kind that the links are for, or undefined for any, also one that the person chooses.
 * @param filter.allowedSources the keys of the kinds that may be listed, or null for all.
 */
export async function listOpenLinks(
  sources: LinkSources,
  tenant: Tenant,
  { customerName, kind, allowedSources }: LinkFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ links: readonly StoredLink[]; meta: PageMeta }> {
  let query = unendedLinks(sources.db, tenant)
    .where(linkStatus, 'in', ['open', 'confirmed'])
    .orderBy('connect_links.created_at', 'desc')
    .orderBy('connect_links.id', 'desc')
    .limit(limit + 1);
  if (customerName !== undefined) query = query.where('customers.name', '=', customerName);
  if (kind !== undefined) query = query.where('connect_links.kind', '=', kind);
  if (allowedSources !== null) {
    query = query.where(
      sql<boolean>`(connect_links.kind is null or connect_links.kind = any(${[...allowedSources]}::text[]))`,
    );
  }
  const after = ([createdAt, id]: z.infer<typeof position>) =>
    query.where(
      sql<boolean>`(connect_links.created_at, connect_links.id) < (${createdAt}::timestamptz, ${id}::uuid)`,
    );
  const before = decodeCursor(cursor, position);
  let rows = await (before === undefined ? query : after(before)).execute();
  const found: StoredLink[] = [];
  for (;;) {
    // Not in SQL, because the keys of links must not reach the database.
    found.push(...rows.map(row => toLink(sources, row)).filter(canContinue));
    const last = rows.at(-1);
    if (last === undefined || rows.length <= limit || found.length > limit) break;
    rows = await after(positionOf(last)).execute();
  }
  const page = toPage(found, limit, positionOf);
  return { links: page.rows, meta: page.meta };
}

function positionOf({ createdAt, id }: Pick<StoredLink, 'createdAt' | 'id'>): z.infer<typeof position> {
  return [createdAt.toISOString(), id];
}

interface LinkFilter {
  readonly customerName: string | undefined;
  readonly kind: string | undefined;
  readonly allowedSources: readonly string[] | null;
}

/** Returns the secret of a link, or undefined if its key is no longer configured or the link does not exist. */
export async function findLinkSecret(
  { db, signingKeys }: LinkSources,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('connect_links')
    .select('secret_hash')
    .where('id', '=', id)
    .executeTakeFirst();
  return row && findDerivedSecret(signingKeys, id, row.secret_hash);
}

/** Returns how many links of a customer can still be used. */
export async function countOpenLinks(
  sources: LinkSources,
  organizationId: string,
  customerId: string,
): Promise<number> {
  const rows = await unendedLinks(sources.db, { organizationId, customerId }).execute();
  return rows.filter(row => canContinue(toLink(sources, row))).length;
}

/** Returns whether a link can still be used. */
function canContinue({ status }: StoredLink): boolean {
  return status === 'open' || status === 'confirmed';
}

/** Stores a new link and the hash of its secret. */
export async function insertLink(
  db: Kysely<Tables>,
  link: Pick<
    StoredLink,
    | 'organizationId'
    | 'id'
    | 'customerId'
    | 'applicationId'
    | 'userId'
    | 'kind'
    | 'targetId'
    | 'audience'
    | 'inviter'
    | 'allowedSources'
    | 'access'
    | 'replicationDefaults'
  > & { readonly secret: string; readonly lifetimeSeconds: number },
): Promise<{ readonly expiresAt: Date }> {
  const { replicationDefaults, allowedSources } = link;
  const row = await db
    .insertInto('connect_links')
    .values({
      organization_id: link.organizationId,
      id: link.id,
      customer_id: link.customerId,
      application_id: link.applicationId,
      user_id: link.userId,
      kind: link.kind,
      target_id: link.targetId,
      secret_hash: hashOf(link.secret),
      audience: link.audience,
      inviter: link.inviter,
      allowed_sources: allowedSources && [...allowedSources],
      access: link.access,
      replication_defaults:
        Object.keys(replicationDefaults).length === 0 ? null : stringifyJson(replicationDefaults),
      expires_at: sql<Date>`now() + make_interval(secs => ${link.lifetimeSeconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { expiresAt: row.expires_at };
}

/** Revokes a link that was not used. Returns false if it was used or revoked before. */
export async function revokeLink(db: Kysely<Tables>, link: LinkRef): Promise<boolean> {
  const { numUpdatedRows } = await linkRow(db, link)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .set({ revoked_at: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Opens a link with its secret. Returns the key to store in the browser's cookie, which is null if the link is over.
 * Returns null if the link does not exist or the secret is another one. Stores nothing, so that a stranger who opens a
 * leaked link repeatedly neither fills the database nor ends the visits of others.
 */
export async function openVisit(
  sources: LinkSources,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<{ readonly link: StoredLink; readonly browserKey: string | null } | null> {
  const row = await links(sources.db)
    .where('connect_links.id', '=', id)
    .where('connect_links.secret_hash', '=', hashOf(secret))
    .executeTakeFirst();
  if (row === undefined) return null;
  const link = toLink(sources, row);
  return { link, browserKey: canContinue(link) ? newBrowserKey(sources.signingKeys[0], id) : null };
}

/**
 * How long a browser can request tokens after the helper has confirmed who is signed in. Afterwards, the helper must
 * confirm it again, because the person may have signed out or lost the access to the customer.
 */
const confirmationMinutes = 30;

/** Guests have no account whose access could end. */
const isConfirmed = sql<boolean>`coalesce(
  connect_link_visits.confirmed_at > now() - make_interval(mins => ${sql.lit(confirmationMinutes)})
  or connect_link_visits.confirmed_at is not null
    and (connect_links.audience = 'guest' or connect_links.used_at is not null),
  false)`;

/** Finds the visit of the browser that has this key for a link. */
export async function findVisit(
  sources: LinkSources,
  { id, browserKey }: { readonly id: string; readonly browserKey: string },
): Promise<Visit | null> {
  const browserHash = hashOf(browserKey);
  const row = await links(sources.db)
    .leftJoin('connect_link_visits', join =>
      join
        .onRef('connect_link_visits.organization_id', '=', 'connect_links.organization_id')
        .onRef('connect_link_visits.link_id', '=', 'connect_links.id')
        .on('connect_link_visits.browser_hash', '=', browserHash),
    )
    .select('connect_link_visits.created_at as visitedAt')
    .select([isConfirmed.as('isConfirmed'), tokenIssueTime().as('tokenIssuedAtUs')])
    .where('connect_links.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { isConfirmed: isVisitConfirmed, tokenIssuedAtUs, visitedAt, ...link } = row;
  // A stored visit has a key from an earlier version, or was checked before.
  if (visitedAt === null && !isBrowserKey(sources.signingKeys, id, browserKey)) return null;
  return { link: toLink(sources, link), browserHash, isConfirmed: isVisitConfirmed, tokenIssuedAtUs };
}

/** Returns a new code with which the helper confirms a visit. Replaces the visit's previous codes. */
export async function issueCode(db: Kysely<Tables>, visit: Visit): Promise<string> {
  const code = randomSecret();
  await storeVisit(db, visit, {
    code_hash: hashOf(code),
    code_expires_at: inCodeLifetime,
    return_hash: null,
    return_expires_at: null,
  });
  return code;
}

/** Takes the code of a visit, which no other request can take again. Returns the visit, or null for another code. */
export async function takeCode(
  db: Kysely<Tables>,
  { organizationId, id }: LinkRef,
  code: string,
): Promise<Pick<Visit, 'browserHash'> | null> {
  const row = await db
    .updateTable('connect_link_visits')
    .where('organization_id', '=', organizationId)
    .where('link_id', '=', id)
    .where('code_hash', '=', hashOf(code))
    .where('code_expires_at', '>', sql<Date>`clock_timestamp()`)
    .set({ code_hash: null, code_expires_at: null })
    .returning('browser_hash')
    .executeTakeFirst();
  return row === undefined ? null : { browserHash: row.browser_hash };
}

/** Returns the code that confirms a visit, if the visit's own browser presents it. */
export async function issueReturnCode(db: Kysely<Tables>, visit: VisitRef): Promise<string> {
  const code = randomSecret();
  await visitRow(db, visit)
    .set({ return_hash: hashOf(code), return_expires_at: inCodeLifetime })
    .execute();
  return code;
}

/**
 * Confirms a visit with the return code that the helper's confirmation gave. Returns false if the code is another one,
 * expired or already used, or the link is over.
 */
export async function confirmVisit(db: Kysely<Tables>, visit: Visit, returnCode: string): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    const { audience, status } = await lockLink(transaction, visit.link);
    if (audience !== 'customer' || (status !== 'open' && status !== 'confirmed')) return false;
    const { numUpdatedRows } = await visitRow(transaction, visit)
      .where('return_hash', '=', hashOf(returnCode))
      .where('return_expires_at', '>', sql<Date>`clock_timestamp()`)
      .set({ return_hash: null, return_expires_at: null, confirmed_at: sql<Date>`now()` })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await setConfirmed(transaction, visit.link);
    return true;
  });
}

/**
 * Binds a link for a guest to the browser of a visit. Returns false if another browser was first, or the link is not for
 * guests or over.
 */
export async function confirmGuest(db: Kysely<Tables>, visit: Visit): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    const { audience, status } = await lockLink(transaction, visit.link);
    if (audience !== 'guest' || status !== 'open') return false;
    await storeVisit(transaction, visit, { confirmed_at: sql<Date>`now()` });
    await setConfirmed(transaction, visit.link);
    return true;
  });
}

/** Returns the current state of a link, which no other transaction changes until this one ends. */
async function lockLink(
  transaction: Kysely<Tables>,
  { organizationId, id }: LinkRef,
): Promise<{ readonly audience: StoredLink['audience'] | null; readonly status: LinkStatus | null }> {
  const row = await transaction
    .selectFrom('connect_links')
    .select('audience')
    .select(linkStatus.as('status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? { audience: null, status: null };
}

async function setConfirmed(transaction: Kysely<Tables>, link: LinkRef): Promise<void> {
  await linkRow(transaction, link)
    .where('confirmed_at', 'is', null)
    .set({ confirmed_at: sql<Date>`now()` })
    .execute();
}

/** How long links are stored after they expire. */
const retentionDays = { unused: 1, used: 30 };

/**
 * Deletes links that expired a day ago, or 30 days ago if they were used, with their visits and OAuth sessions. Also
 * deletes visits whose browser did not come back from the helper in time; it can continue again.
 */
export async function deleteOldLinks(db: Kysely<Tables>): Promise<void> {
  const expiredBefore = (days: number) =>
    sql<boolean>`expires_at < now() - make_interval(days => ${sql.lit(days)})`;
  await db
    .deleteFrom('connect_links')
    .where(expiredBefore(retentionDays.unused))
    .where(sql<boolean>`(used_at is null or ${expiredBefore(retentionDays.used)})`)
    .execute();
  await db
    .deleteFrom('connect_link_visits')
    .where('confirmed_at', 'is', null)
    .where(sql<boolean>`greatest(code_expires_at, return_expires_at) < now()`)
    .execute();
}

const inCodeLifetime = sql<Date>`now() + make_interval(secs => ${sql.lit(connectCodeLifetimeSeconds)})`;

type VisitRef = { readonly link: LinkRef } & Pick<Visit, 'browserHash'>;

/** Stores a visit, or changes it if it is stored. */
async function storeVisit(
  db: Kysely<Tables>,
  { link, browserHash }: VisitRef,
  values: {
    readonly code_hash?: Buffer;
    readonly code_expires_at?: RawBuilder<Date>;
    readonly return_hash?: null;
    readonly return_expires_at?: null;
    readonly confirmed_at?: RawBuilder<Date>;
  },
): Promise<void> {
  await db
    .insertInto('connect_link_visits')
    .values({ organization_id: link.organizationId, link_id: link.id, browser_hash: browserHash, ...values })
    .onConflict(conflict =>
      conflict.columns(['organization_id', 'link_id', 'browser_hash']).doUpdateSet(values),
    )
    .execute();
}

function visitRow(db: Kysely<Tables>, { link, browserHash }: VisitRef) {
  return db
    .updateTable('connect_link_visits')
    .where('organization_id', '=', link.organizationId)
    .where('link_id', '=', link.id)
    .where('browser_hash', '=', browserHash);
}

function linkRow(db: Kysely<Tables>, { organizationId, id }: LinkRef) {
  return db.updateTable('connect_links').where('organization_id', '=', organizationId).where('id', '=', id);
}
