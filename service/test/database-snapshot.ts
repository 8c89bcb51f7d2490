import type { Database } from '../src/database/database.ts';

/** Reads all data that a request can change, for comparison before and after. */
export async function readDatabaseSnapshot({ kysely }: Database): Promise<unknown> {
  return {
    organizations: await kysely
      .selectFrom('organizations')
      .select(['id', 'sync_interval_minutes'])
      .orderBy('id')
      .execute(),
    customers: await kysely.selectFrom('customers').select('id').orderBy('id').execute(),
    connectors: await kysely
      .selectFrom('connectors')
      .select(['id', 'name', 'status', 'credentials_version', 'updated_at'])
      .orderBy('id')
      .execute(),
    sessions: await kysely
      .selectFrom('oauth_sessions')
      .select(['id', 'status', 'used_by'])
      .orderBy('id')
      .execute(),
    links: await kysely
      .selectFrom('connect_links')
      .leftJoin('connect_link_visits', 'link_id', 'id')
      .select(['id', 'revoked_at', 'used_at', 'code_hash', 'return_hash'])
      .orderBy('id')
      .execute(),
    apps: await kysely
      .selectFrom('oauth_apps')
      .select(['organization_id', 'kind', 'updated_at'])
      .orderBy('organization_id')
      .execute(),
    keys: await kysely.selectFrom('idempotency_keys').select(['key', 'attempt']).orderBy('key').execute(),
  };
}
