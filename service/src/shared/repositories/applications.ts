import { randomUUID } from 'node:crypto';
import type { PageMeta } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import { toPage } from '../../platform/database/paging.ts';
import {
  byName,
  byTime,
  nameContains,
  sortedPage,
  type SortedQuery,
} from '../../platform/database/sorted-page.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import { isEnabled, isOrganizationEnabled } from './organizations.ts';
import { isRevoked, tokenIssueTime } from './revocations.ts';

export type Application = ApplicationRow & {
  /** In the order that the operator configured. Token responses contain the first one that is enabled. */
  readonly organizations: readonly ApplicationOrganization[];
  /** The secrets that have not expired, oldest first. */
  readonly secrets: readonly ApplicationSecret[];
};

export interface ApplicationOrganization {
  readonly id: string;
  readonly name: string;
  readonly isDisabled: boolean;
}

export interface ApplicationSecret {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: Date;
  /** Null if the secret does not expire. */
  readonly expiresAt: Date | null;
  /** Accurate to a minute. */
  readonly lastUsedAt: Date | null;
}

type ApplicationRow = RowOf<typeof applications>;

function applications(db: Kysely<Tables>) {
  return db
    .selectFrom('applications')
    .select([
      'applications.id',
      // Incremented by every edit.
      'applications.version',
      'applications.client_id as clientId',
      // `environment` if the `BOOTSTRAP_…` variables own the application.
      'applications.managed_by as managedBy',
      'applications.redirect_urls as redirectUrls',
      'applications.created_at as createdAt',
    ])
    .select([
      // The name that operators use.
      nameOfApplication.as('name'),
      sql<boolean>`applications.disabled_at is not null`.as('isDisabled'),
    ]);
}

const nameOfApplication = sql<string>`coalesce(applications.name, applications.client_id)`;

/** Finds an application by its id or its client id. */
export async function findApplication(
  db: Kysely<Tables>,
  by: { readonly id: string } | { readonly clientId: string },
): Promise<
  | (Application & {
      /** The issue time for a token that is minted because of this state. */
      readonly tokenIssuedAtUs: number;
    })
  | null
> {
  const row = await applications(db)
    .select(tokenIssueTime().as('tokenIssuedAtUs'))
    .where('id' in by ? 'applications.id' : 'applications.client_id', '=', 'id' in by ? by.id : by.clientId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [application] = await addDetails(db, [row]);
  return application ?? null;
}

/**
 * Returns whether another enabled application has a name. No other process gives that name to an application until the
 * transaction ends.
 */
export async function isNameTaken(
  transaction: Kysely<Tables>,
  name: string,
  ownId: string | null = null,
): Promise<boolean> {
  // Not a unique index: earlier versions stored equal names. The number is arbitrary but must never change.
  await sql`select pg_advisory_xact_lock(5_530_117_331)`.execute(transaction);
  const row = await transaction
    .selectFrom('applications')
    .select('id')
    .where(nameOfApplication, '=', name)
    .where('disabled_at', 'is', null)
    .$if(ownId !== null, query => query.where('id', '<>', ownId ?? ''))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a page of applications, sorted by name unless the query says otherwise. */
export async function listApplications(
  db: Kysely<Tables>,
  query: SortedQuery<'name' | 'created_at'> & { readonly organization_id?: string | undefined },
): Promise<{ rows: readonly Application[]; meta: PageMeta }> {
  const { search, organization_id: organizationId } = query;
  const page = sortedPage(query, {
    id: 'applications.id',
    keys: { name: byName(nameOfApplication), created_at: byTime('applications.created_at') },
  });
  const found = await applications(db)
    .select(page.position)
    .$if(search !== undefined, select =>
      select.where(
        sql<boolean>`(${nameContains(nameOfApplication, search ?? '')}
          or ${nameContains('applications.client_id', search ?? '')})`,
      ),
    )
    .$if(organizationId !== undefined, select =>
      select.where(
        sql<boolean>`exists (select from application_organizations
          where application_id = applications.id and organization_id = ${organizationId})`,
      ),
    )
    .where(page.isAfter)
    .orderBy(page.order)
    .limit(page.limit + 1)
    .execute();
  const { rows, meta } = toPage(found, page.limit, ({ position }) => position);
  return { rows: await addDetails(db, rows), meta };
}

async function addDetails<Row extends ApplicationRow>(
  db: Kysely<Tables>,
  rows: readonly Row[],
): Promise<(Row & Application)[]> {
  const ids = rows.map(({ id }) => id);
  const [organizations, secrets] = [await listOrganizationsOf(db, ids), await listSecretsOf(db, ids)];
  const ofApplication = <Part extends { applicationId: string }>(parts: readonly Part[], id: string) =>
    parts.flatMap(({ applicationId, ...part }) => (applicationId === id ? [part] : []));
  return rows.map(row => ({
    ...row,
    organizations: ofApplication(organizations, row.id),
    secrets: ofApplication(secrets, row.id),
  }));
}

/** Returns the organizations of applications, in the order that the operator configured. */
export async function listOrganizationsOf(
  db: Kysely<Tables>,
  applicationIds: readonly string[],
): Promise<(ApplicationOrganization & { readonly applicationId: string })[]> {
  return db
    .selectFrom('application_organizations')
    .innerJoin('organizations', 'organizations.id', 'application_organizations.organization_id')
    .select(['application_id as applicationId', 'organizations.id', 'organizations.name'])
    .select(sql<boolean>`not ${isEnabled}`.as('isDisabled'))
    .where('application_id', '=', sql<string>`any(${[...applicationIds]}::uuid[])`)
    .orderBy('position')
    .execute();
}

async function listSecretsOf(
  db: Kysely<Tables>,
  applicationIds: readonly string[],
): Promise<(ApplicationSecret & { readonly applicationId: string })[]> {
  return db
    .selectFrom('application_secrets')
    .select([
      'application_id as applicationId',
      'id',
      'hash',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .where('application_id', '=', sql<string>`any(${[...applicationIds]}::uuid[])`)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns the exact redirect URLs that are registered for an application. */
export async function findRedirectUrls(
  db: Kysely<Tables>,
  applicationId: string,
): Promise<readonly string[]> {
  const row = await db
    .selectFrom('applications')
    .select('redirect_urls')
    .where('id', '=', applicationId)
    .executeTakeFirst();
  return row?.redirect_urls ?? [];
}

/**
 * Returns the issue time for what a caller mints with its token. Returns null if that token was revoked, if the
 * application was disabled or removed from the organization, or if the organization was disabled.
 */
export async function authorizeMinting(
  db: Kysely<Tables>,
  token: Parameters<typeof isRevoked>[0],
): Promise<number | null> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('application_organizations', 'application_organizations.application_id', 'applications.id')
    .select(tokenIssueTime().as('issued_at_us'))
    .where('applications.id', '=', token.applicationId)
    .where('applications.disabled_at', 'is', null)
    .where('application_organizations.organization_id', '=', token.organizationId)
    .where(isOrganizationEnabled(sql`${token.organizationId}`))
    .where(sql<boolean>`not ${isRevoked(token)}`)
    .executeTakeFirst();
  return row?.issued_at_us ?? null;
}

/** Returns the oldest active application of an organization, and the issue time for what is minted in its name. */
export async function findActiveApplication(
  db: Kysely<Tables>,
  organizationId: string,
): Promise<{ readonly applicationId: string; readonly issuedAtUs: number } | null> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('application_organizations', 'application_organizations.application_id', 'applications.id')
    .select('applications.id as applicationId')
    .select(tokenIssueTime().as('issuedAtUs'))
    .where('application_organizations.organization_id', '=', organizationId)
    .where('applications.disabled_at', 'is', null)
    .orderBy('applications.created_at')
    .orderBy('applications.id')
    .executeTakeFirst();
  return row ?? null;
}

/** Creates an application without secrets and organizations, and returns its id. */
export async function insertApplication(
  db: Kysely<Tables>,
  clientId: string,
  managedBy: Application['managedBy'],
  name: string | null = null,
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('applications')
    .values({ id, client_id: clientId, client_secret_hash: '', managed_by: managedBy, name })
    .execute();
  return id;
}

/** Changes an application's name, and records that it was edited. */
export async function saveEdit(db: Kysely<Tables>, id: string, name: string | undefined): Promise<void> {
  await db
    .updateTable('applications')
    .set({ ...(name === undefined ? {} : { name }), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Sets an application's redirect URLs and organizations. */
export async function saveAssignments(
  db: Kysely<Tables>,
  id: string,
  assigned: { readonly redirectUrls: readonly string[]; readonly organizationIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable('applications')
    .set({ redirect_urls: [...assigned.redirectUrls] })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('application_organizations').where('application_id', '=', id).execute();
  await db
    .insertInto('application_organizations')
    .values(
      assigned.organizationIds.map((organization_id, position) => ({
        application_id: id,
        organization_id,
        position,
      })),
    )
    .execute();
}

/** Adds a secret and returns its id and creation time. */
export async function insertSecret(
  db: Kysely<Tables>,
  applicationId: string,
  hash: string,
  expiresAt: Date | null = null,
): Promise<Omit<ApplicationSecret, 'hash'>> {
  return db
    .insertInto('application_secrets')
    .values({ application_id: applicationId, id: randomUUID(), hash, expires_at: expiresAt })
    .returning(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as lastUsedAt'])
    .executeTakeFirstOrThrow();
}

/** Deletes all secrets of an application, or one of them. */
export async function deleteSecrets(db: Kysely<Tables>, applicationId: string, id?: string): Promise<void> {
  await db
    .deleteFrom('application_secrets')
    .where('application_id', '=', applicationId)
    .$if(id !== undefined, query => query.where('id', '=', id ?? ''))
    .execute();
}

/** Makes all secrets of an application expire now. */
export async function expireSecrets(db: Kysely<Tables>, applicationId: string): Promise<void> {
  await db
    .updateTable('application_secrets')
    .set({ expires_at: sql<Date>`least(expires_at, now())` })
    .where('application_id', '=', applicationId)
    .execute();
}

/** Stores that a secret was used, at most once a minute. */
export async function touchSecret(db: Kysely<Tables>, applicationId: string, id: string): Promise<void> {
  const due = db
    .selectFrom('application_secrets')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where(sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`)
    // A secret that is being changed does not delay token requests.
    .forUpdate()
    .skipLocked();
  await db
    .updateTable('application_secrets')
    .set({ last_used_at: sql<Date>`now()` })
    .where('application_id', '=', applicationId)
    .where('id', 'in', due)
    .execute();
}

/** Prevents an application from requesting tokens, or allows it again. */
export async function setDisabled(db: Kysely<Tables>, id: string, isDisabled: boolean): Promise<void> {
  await db
    .updateTable('applications')
    .set({ disabled_at: isDisabled ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .execute();
}

/** Sets whether the `BOOTSTRAP_…` variables or an operator own an application. */
export async function setManager(
  db: Kysely<Tables>,
  id: string,
  managedBy: Application['managedBy'],
): Promise<void> {
  await db.updateTable('applications').set({ managed_by: managedBy }).where('id', '=', id).execute();
}

/** Serializes changes to one application until the transaction ends. Returns false if it does not exist. */
export async function lockApplication(transaction: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('applications')
    .select('id')
    .where('id', '=', id)
    // Rows that refer to the application can be inserted meanwhile: they may wait for nothing that its holder waits for.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Serializes the bootstraps of all processes until the transaction ends. */
export async function lockBootstrap(transaction: Kysely<Tables>): Promise<void> {
  // The number is arbitrary but must never change.
  await sql`select pg_advisory_xact_lock(5_530_117_302)`.execute(transaction);
}

/** Returns the enabled applications that the `BOOTSTRAP_…` variables own. */
export async function listBootstrapped(
  db: Kysely<Tables>,
): Promise<readonly { readonly id: string; readonly clientId: string }[]> {
  return db
    .selectFrom('applications')
    .select(['id', 'client_id as clientId'])
    .where('managed_by', '=', 'environment')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Returns whether the `BOOTSTRAP_…` variables name an organization. */
export async function isNamedByEnvironment(db: Kysely<Tables>, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('application_organizations', 'application_id', 'applications.id')
    .select('applications.id')
    .where('organization_id', '=', organizationId)
    .where('managed_by', '=', 'environment')
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
