import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { connectorColumn, organizationColumn, type RecordTable, type RecordTables } from './record-table.ts';

/** The number of 8 kB pages per statement, with about a hundred narrow records each. A sync waits for a statement at most. */
const pagesPerStep = 10;

/**
 * Adds the organization to the records that an older version has stored, in small steps with pauses. Can be interrupted at
 * any time, and several processes can run it concurrently. A process uses the keys that begin with the organization from
 * its next start.
 */
export async function fillOrganizations(
  db: Kysely<Tables>,
  tables: RecordTables,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and attname = ${organizationColumn} and not attnotnull
      and relname not in (select name from filled_record_tables)`.execute(db);
  const unfilled = new Set(rows.map(({ name }) => name));
  for (const table of tables.all) {
    if (signal.aborted) return;
    if (unfilled.has(table.name)) await fillTable(db, table, signal);
  }
}

async function fillTable(db: Kysely<Tables>, table: RecordTable, signal: AbortSignal): Promise<void> {
  const [records, organization, connector] = [
    sql.id(table.name),
    sql.id(organizationColumn),
    sql.id(connectorColumn),
  ];
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size(${table.name}::regclass) / 8192)::integer as pages`.execute(db);
  const pages = rows[0]?.pages ?? 0;
  for (let first = 0; first <= pages; first += pagesPerStep) {
    const startedAt = performance.now();
    // Skips the records that a sync is writing, and so never waits for it. The sync adds the organization.
    await sql`
      update ${records} set ${organization} =
        (select organization_id from connectors where connectors.id = ${records}.${connector})
      where ctid = any(array(
        select ctid from ${records}
        where ctid >= ${`(${first},0)`}::tid and ctid < ${`(${first + pagesPerStep},0)`}::tid and ${organization} is null
        for update skip locked))`.execute(db);
    // Leaves half of the time to others.
    const pauseMs = performance.now() - startedAt;
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
  // The next start repeats this if an older process has written records meanwhile, or a connector was deleted.
  await sql`
    insert into filled_record_tables (name)
    select ${table.name} where not exists (select from ${records} where ${organization} is null)
    on conflict do nothing`.execute(db);
}
