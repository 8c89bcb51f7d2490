import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

export interface Application {
  readonly id: string;
  readonly secretHash: string;
  /** In the order that the operator configured. Token responses contain the first one. */
  readonly organizationIds: readonly string[];
}

export async function findApplication(db: Kysely<Tables>, clientId: string): Promise<Application | null> {
  const rows = await db
    .selectFrom('applications')
    .leftJoin('application_organizations', 'application_organizations.application_id', 'applications.id')
    .select([
      'applications.id',
      'applications.client_secret_hash',
      'application_organizations.organization_id',
    ])
    .where('applications.client_id', '=', clientId)
    .orderBy('application_organizations.position')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const organizationIds = rows.flatMap(row => (row.organization_id === null ? [] : [row.organization_id]));
  return { id: first.id, secretHash: first.client_secret_hash, organizationIds };
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

/** Creates or replaces the application with this client id, including its organizations. */
export async function saveApplication(
  db: Transaction<Tables>,
  application: {
    readonly clientId: string;
    readonly secretHash: string;
    readonly redirectUrls: readonly string[];
    readonly organizationIds: readonly string[];
  },
): Promise<void> {
  const changing = {
    client_secret_hash: application.secretHash,
    redirect_urls: [...application.redirectUrls],
  };
  const { id } = await db
    .insertInto('applications')
    .values({ id: randomUUID(), client_id: application.clientId, ...changing })
    .onConflict(conflict => conflict.column('client_id').doUpdateSet(changing))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('application_organizations').where('application_id', '=', id).execute();
  await db
    .insertInto('application_organizations')
    .values(
      application.organizationIds.map((organization_id, position) => ({
        application_id: id,
        organization_id,
        position,
      })),
    )
    .execute();
}
