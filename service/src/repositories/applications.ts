import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { isRevoked, tokenIssueTime } from './revocations.ts';

export interface Application {
  readonly id: string;
  readonly clientId: string;
  /** `environment` if the `BOOTSTRAP_…` variables own the application. */
  readonly managedBy: 'environment' | 'operator';
  readonly isDisabled: boolean;
  readonly redirectUrls: readonly string[];
  /** In the order that the operator configured. Token responses contain the first one. */
  readonly organizationIds: readonly string[];
  /** The secrets that have not expired, oldest first. */
  readonly secrets: readonly ApplicationSecret[];
  /** The issue time for a token that is minted because of this state. */
  readonly tokenIssuedAtUs: number;
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

/** Finds an application by its id or its client id. */
export async function findApplication(
  db: Kysely<Tables>,
  by: { readonly id: string } | { readonly clientId: string },
): Promise<Application | null> {
  const row = await db
    .selectFrom('applications')
    .select(['id', 'client_id', 'managed_by', 'disabled_at', 'redirect_urls'])
    .select(tokenIssueTime().as('issued_at_us'))
    .$if('id' in by, query => query.where('id', '=', 'id' in by ? by.id : ''))
    .$if('clientId' in by, query => query.where('client_id', '=', 'clientId' in by ? by.clientId : ''))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id } = row;
  const organizations = await db
    .selectFrom('application_organizations')
    .select('organization_id')
    .where('application_id', '=', id)
    .orderBy('position')
    .execute();
  const secrets = await db
    .selectFrom('application_secrets')
    .select([
      'id',
      'hash',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .where('application_id', '=', id)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return {
    id,
    clientId: row.client_id,
    managedBy: row.managed_by,
    isDisabled: row.disabled_at !== null,
    redirectUrls: row.redirect_urls,
    organizationIds: organizations.map(({ organization_id }) => organization_id),
    secrets,
    tokenIssuedAtUs: row.issued_at_us,
  };
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
 * Returns the issue time for a token that an application mints with its own token. Returns null if that token was
 * revoked, or if the application was disabled or removed from the organization.
 */
export async function authorizeMinting(
  db: Kysely<Tables>,
  token: { readonly applicationId: string; readonly organizationId: string; readonly issuedAtUs: number },
): Promise<number | null> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('application_organizations', 'application_organizations.application_id', 'applications.id')
    .select(tokenIssueTime().as('issued_at_us'))
    .where('applications.id', '=', token.applicationId)
    .where('applications.disabled_at', 'is', null)
    .where('application_organizations.organization_id', '=', token.organizationId)
    .where(sql<boolean>`not ${isRevoked({ ...token, kind: 'application' })}`)
    .executeTakeFirst();
  return row?.issued_at_us ?? null;
}

/** Creates an application without secrets and organizations, and returns its id. */
export async function insertApplication(
  db: Kysely<Tables>,
  clientId: string,
  managedBy: Application['managedBy'],
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('applications')
    .values({ id, client_id: clientId, client_secret_hash: '', managed_by: managedBy })
    .execute();
  return id;
}

/** Sets an application's redirect URLs and organizations. */
export async function saveAccess(
  db: Kysely<Tables>,
  id: string,
  access: { readonly redirectUrls: readonly string[]; readonly organizationIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable('applications')
    .set({ redirect_urls: [...access.redirectUrls] })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('application_organizations').where('application_id', '=', id).execute();
  await db
    .insertInto('application_organizations')
    .values(
      access.organizationIds.map((organization_id, position) => ({
        application_id: id,
        organization_id,
        position,
      })),
    )
    .execute();
}

/** Adds a secret that does not expire. */
export async function insertSecret(db: Kysely<Tables>, applicationId: string, hash: string): Promise<void> {
  await db
    .insertInto('application_secrets')
    .values({ application_id: applicationId, id: randomUUID(), hash })
    .execute();
  await db
    .updateTable('applications')
    .set({ client_secret_hash: hash })
    .where('id', '=', applicationId)
    .execute();
}

/** Deletes an application's secrets, except those with these ids. */
export async function deleteSecrets(
  db: Kysely<Tables>,
  applicationId: string,
  keep: readonly string[] = [],
): Promise<void> {
  await db
    .deleteFrom('application_secrets')
    .where('application_id', '=', applicationId)
    .$if(keep.length > 0, query => query.where('id', 'not in', keep))
    .execute();
}

/** Makes a secret expire after this time, unless it expires earlier. */
export async function expireSecret(
  db: Kysely<Tables>,
  applicationId: string,
  { id, seconds }: { readonly id: string; readonly seconds: number },
): Promise<void> {
  await db
    .updateTable('application_secrets')
    .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${seconds}))` })
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .execute();
}

/** Makes all secrets of an application expire now. */
export async function expireSecrets(db: Kysely<Tables>, applicationId: string): Promise<void> {
  await db
    .updateTable('application_secrets')
    .set({ expires_at: sql<Date>`least(expires_at, now())` })
    .where('application_id', '=', applicationId)
    .execute();
  // Processes of earlier versions read only this column.
  await db
    .updateTable('applications')
    .set({ client_secret_hash: '' })
    .where('id', '=', applicationId)
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
    .forUpdate()
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
