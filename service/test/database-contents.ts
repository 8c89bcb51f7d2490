import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../src/platform/database/database.ts';

/**
 * Reads all rows of all tables, for comparison before and after a request that must change nothing. Leaves out the
 * audit log with its counters, and when keys were last used.
 */
export async function readDatabaseContents(database: Database): Promise<readonly string[]> {
  const query = queries.get(database) ?? (await createQuery(database));
  queries.set(database, query);
  return (await query.execute(database.kysely)).rows.map(({ row }) => row);
}

const queries = new WeakMap<Database, RawBuilder<{ row: string }>>();

/** Creates a function, which PostgreSQL plans once per connection. Planning the query takes longer than running it. */
async function createQuery({ kysely }: Database): Promise<RawBuilder<{ row: string }>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'audit%' and table_name <> 'hourly_uses'
    order by table_name`.execute(kysely);
  const rows = tables.rows.map(
    ({ name }) => sql`select ${sql.lit(name)} || (to_jsonb(present) - 'last_used_at')::text
      from ${sql.table(name)} as present`,
  );
  await sql`create or replace function contents_for_tests() returns table (contents text) language plpgsql as $$
    begin return query ${sql.join(rows, sql` union all `)} order by 1; end $$`.execute(kysely);
  return sql`select contents as row from contents_for_tests()`;
}
