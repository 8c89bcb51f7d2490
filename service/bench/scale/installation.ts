/** Databases with thousands of connectors and their records, made by the database itself. */
import { parseGrant, type Kind } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import { parseKeyRing } from '../../src/platform/crypto/key-ring.ts';
import { createSealer } from '../../src/platform/crypto/seal.ts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import { silentLog } from '../../src/platform/log/log.ts';
import { sealGrant } from '../../src/shared/credentials/sealed-grant.ts';
import type { RecordTable } from '../../src/shared/records/record-table.ts';
import { environmentOf } from '../../test/service-process.ts';
import { atEnd, createDatabase, query, rounded } from '../harness.ts';

/** The number of organizations, of customers of each one, and of connectors of each customer. */
export interface Counts {
  readonly organizations: number;
  readonly customers: number;
  readonly connectors: number;
}

/** Opens a new database of a server that counts the time of each statement. */
export async function openNew(): Promise<{ location: { databaseUrl: string }; database: Database }> {
  const location = await createDatabase('postgres', { shared_preload_libraries: 'pg_stat_statements' });
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  await query(location.databaseUrl, 'create extension pg_stat_statements');
  // Adding millions of records takes minutes.
  const database = await openDatabase(location, {
    log: silentLog,
    statementTimeoutMs: 3_600_000,
    transactionTimeoutMs: 3_600_000,
  });
  atEnd(() => database.close());
  return { location, database };
}

/** Adds connectors, of the kinds in turn. What they sync has been due for up to an hour. */
export async function fill(
  db: Kysely<Tables>,
  kinds: readonly string[],
  entities: readonly string[],
  { organizations, customers, connectors }: Counts,
): Promise<void> {
  // A version 4 UUID, as the API requires.
  await sql`create function id_of(name text) returns uuid immutable language sql return
    overlay(overlay(md5(name) placing '4' from 13) placing '8' from 17)::uuid`.execute(db);
  await sql`insert into organizations (id, name)
    select id_of('o' || o), 'Organization ' || o from generate_series(1, ${organizations}::int) o`.execute(
    db,
  );
  await sql`insert into customers (organization_id, id, name)
    select id_of('o' || o), id_of('o' || o || 'c' || c), 'Customer ' || c
    from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c`.execute(db);
  await sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
    select id_of('o' || o), id_of('o' || o || 'c' || c || 'n' || n), id_of('o' || o || 'c' || c),
      (${kinds}::text[])[n % ${kinds.length}::int + 1], 'Connector ' || n, 'api_key', ''
    from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c,
      generate_series(1, ${connectors}::int) n`.execute(db);
  await sql`insert into synced_entities (organization_id, connector_id, entity, due_at)
    select organization_id, id, entity, now() - interval '1 hour' * random()
    from connectors cross join unnest(${entities}::text[]) as entity`.execute(db);
  await sql`analyze`.execute(db);
}

/** Adds notes of Granola to connectors, which have then been synced a moment ago. */
export async function addNotes(
  db: Kysely<Tables>,
  table: RecordTable,
  perConnector: number,
  organizations: readonly string[] | null = null,
): Promise<void> {
  const chosen = sql`(${organizations}::text[] is null
    or organization_id in (select id from organizations where name = any(${organizations}::text[])))`;
  await sql`
    insert into ${sql.id(table.name)} ("$organization", "$connector", "$generation", id, title, created_at)
    select organization_id, connectors.id, 1, 'note-' || n, 'Weekly ' || n, '2026-01-01T00:00:' || n
    from connectors, generate_series(1, ${perConnector}::int) as n where ${chosen}`.execute(db);
  await sql`update synced_entities set records = ${perConnector}, last_synced_at = now(), full_run_at = now(),
    due_at = now() + interval '1 day' where ${chosen}`.execute(db);
}

/** Gives each connector the grant that the service expects, sealed for its row. */
export async function sealGrants(db: Kysely<Tables>, kind: Kind, key: string): Promise<void> {
  const keys = parseKeyRing(environmentOf({ databaseUrl: '' })['ENCRYPTION_KEYS'] ?? '');
  if ('error' in keys) throw new Error(keys.error);
  const sealer = createSealer(keys);
  const grant = parseGrant(kind, { api_key: key }, {});
  const rows = await db
    .selectFrom('connectors')
    .select(['organization_id', 'id', 'customer_id', 'kind'])
    .execute();
  const sealed = rows.map(({ organization_id: organizationId, id, customer_id: customerId, kind: key }) => ({
    id,
    grant: Buffer.from(sealGrant(sealer, { organizationId, id, customerId, kind: key }, 1, grant)).toString(
      'hex',
    ),
  }));
  await sql`update connectors set credentials = decode(sealed.grant, 'hex'), auth_method = ${grant.method}
    from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(row => row.grant)}::text[]) as sealed(id, "grant")
    where connectors.id = sealed.id`.execute(db);
}

/** Forgets the time that statements have taken so far. */
export async function resetStatements(databaseUrl: string): Promise<void> {
  await query(databaseUrl, 'select pg_stat_statements_reset()');
}

/** Prints the statements on which the database has spent most time. */
export async function printStatements(databaseUrl: string, title: string): Promise<void> {
  const rows = await query(
    databaseUrl,
    `select calls::int, total_exec_time, mean_exec_time, wal_bytes::float8,
       total_exec_time / sum(total_exec_time) over () as share, regexp_replace(query, '\\s+', ' ', 'g') as text
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by total_exec_time desc limit 12`,
  );
  console.log(`Database time by statement, ${title}`);
  console.table(
    rows.map(row => ({
      share: `${rounded(Number(row['share']) * 100, 0)} %`,
      ms: rounded(Number(row['total_exec_time']), 0),
      calls: row['calls'],
      'ms each': rounded(Number(row['mean_exec_time']), 3),
      'WAL bytes': row['wal_bytes'],
      statement: String(row['text']).trim().slice(0, 90),
    })),
  );
}
