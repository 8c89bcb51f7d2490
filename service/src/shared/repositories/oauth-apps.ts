import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/**
 * Creates or replaces an organization's OAuth app for a kind. An app that is replaced keeps its callback path,
 * because that path is registered at the vendor.
 */
export async function saveOAuthApp(
  db: Kysely<Tables>,
  app: {
    readonly organizationId: string;
    readonly kind: string;
    readonly clientId: string;
    readonly sealedConfiguration: Uint8Array;
    /** The callback path of a new app. */
    readonly callbackPath: string;
  },
): Promise<{ readonly updatedAt: Date }> {
  const changing = {
    client_id: app.clientId,
    configuration: app.sealedConfiguration,
    updated_at: sql<Date>`now()`,
  };
  const row = await db
    .insertInto('oauth_apps')
    .values({
      organization_id: app.organizationId,
      kind: app.kind,
      callback_path: app.callbackPath,
      ...changing,
    })
    .onConflict(conflict => conflict.columns(['organization_id', 'kind']).doUpdateSet(changing))
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  return { updatedAt: row.updated_at };
}

/** Returns the callback path of an organization's own OAuth app for a kind, or null if it has none. */
export async function findCallbackPath(
  db: Kysely<Tables>,
  organizationId: string,
  kind: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('oauth_apps')
    .select('callback_path')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.callback_path ?? null;
}

/** An organization's own OAuth app, without its secrets. */
export interface OwnOAuthApp {
  readonly clientId: string;
  readonly callbackPath: string;
  readonly updatedAt: Date;
}

/** Returns an organization's own OAuth apps by the key of their kind. */
export async function findOwnOAuthApps(
  db: Kysely<Tables>,
  organizationId: string,
): Promise<ReadonlyMap<string, OwnOAuthApp>> {
  const rows = await db
    .selectFrom('oauth_apps')
    .select(['kind', 'client_id as clientId', 'callback_path as callbackPath', 'updated_at as updatedAt'])
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map(({ kind, ...app }) => [kind, app]));
}

/** Returns the sealed configuration of an organization's own OAuth app for a kind. */
export async function findOAuthApp(
  db: Kysely<Tables>,
  organizationId: string,
  kind: string,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('oauth_apps')
    .select('configuration')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.configuration ?? null;
}

/** Deletes an organization's OAuth app for a kind. Returns false if the organization has none. */
export async function deleteOAuthApp(
  db: Kysely<Tables>,
  organizationId: string,
  kind: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_apps')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
