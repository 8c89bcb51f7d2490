import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.ts';

/** Reads all data that a request can change, for comparison before and after. In one statement, because tests often do. */
export async function readDatabaseSnapshot({ kysely }: Database): Promise<unknown> {
  const { rows } = await sql`
    select
      array(select (id, sync_interval_minutes)::text from organizations order by id) as organizations,
      array(select id from customers order by id) as customers,
      array(select (id, name, status, credentials_version, updated_at)::text from connectors order by id) as connectors,
      array(select (id, status, used_by)::text from oauth_sessions order by id) as sessions,
      array(select (id, revoked_at, used_at, code_hash, return_hash)::text
        from connect_links left join connect_link_visits on link_id = id order by id) as links,
      array(select (organization_id, kind, updated_at)::text from oauth_apps order by organization_id, kind) as apps,
      array(select (key, attempt)::text from idempotency_keys order by key) as keys`.execute(kysely);
  return rows[0];
}
