import type { Searchable } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { makeDatabase, type Engine } from '../../../test/engines.ts';
import { addConnector, kindWith } from '../../../test/record-fixtures.ts';
import { until } from '../../../test/until.ts';
import { openDatabase, type Database } from '../../platform/database/database.ts';
import { silentLog } from '../../platform/log/log.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { buildMissingIndexes, type IndexContext } from './build-indexes.ts';
import { ensureRecordTables, pendingRecordChanges } from './ensure.ts';
import { RecordTables, type RecordTable } from './record-table.ts';
import { countRecords, upsertRecords } from './store.ts';

const search: Searchable = {
  fields: { id: 'integer', name: 'string', owner: 'string' },
  primaryKey: ['id'],
  indexed: [],
  text: [],
  sync: { incremental: false, run: async function* () {} },
};
const before = new RecordTables([kindWith('growing', { things: search })]);
const after = new RecordTables([kindWith('growing', { things: { ...search, indexed: ['name', 'owner'] } })]);
const [table] = after.all as [RecordTable];
const [nameIndex, ownerIndex] = table.indexes.slice(1).map(({ name }) => name) as [string, string];

const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

let database: Database;
let databaseUrl: string | null;
let connector: ConnectorRef;
let context: IndexContext;
const open = new AbortController().signal;

/** Makes a database with a record, whose table lacks two indexes that are now declared. */
async function prepare(engine: Engine): Promise<void> {
  const { location, remove } = await makeDatabase(engine);
  afterwards.push(remove);
  // Requests that wait for a lock fail.
  database = await openDatabase(location, { log: silentLog, statementTimeoutMs: 10_000 });
  afterwards.push(() => database.close());
  databaseUrl = 'databaseUrl' in location ? location.databaseUrl : null;
  context = { database, databaseUrl, tables: after, log: silentLog };
  await ensureRecordTables(database.kysely, before);
  connector = await addConnector(database.kysely, 'growing');
  await write(1);
  await ensureRecordTables(database.kysely, after);
}

const write = (id: number) =>
  upsertRecords(database.kysely, table, { connector, seenRun: null }, [{ id, name: 'Name' }]);
const missing = async () =>
  (await pendingRecordChanges(database.kysely, after)).map(({ name }) => name.replace('index ', ''));

async function connect(): Promise<Client> {
  if (databaseUrl === null) throw new Error('Only a server has other connections');
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  afterwards.push(() => client.end());
  return client;
}

test('are built plainly with PGlite', async () => {
  await prepare('pglite');
  expect(await missing()).toEqual([nameIndex, ownerIndex]);
  expect(await buildMissingIndexes(context, open)).toBe(0);
  expect(await missing()).toEqual([]);
});

/** Waits until an index is being built that cannot be completed before an older transaction ends. */
async function untilBuilding(): Promise<number> {
  return until(async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_progress_create_index
      where phase like 'waiting%' and datname = current_database()`.execute(database.kysely);
    if (rows[0] === undefined) throw new Error('Nothing is being built');
    return rows[0].pid;
  });
}

/** Begins a transaction for which indexes wait. */
async function beginOlder(): Promise<Client> {
  const older = await connect();
  await older.query(`begin; insert into ${table.name} select * from ${table.name} limit 0`);
  return older;
}

test('are built while requests write, by one process at a time', async () => {
  await prepare('postgres');
  const older = await beginOlder();
  const counts: number[] = [];
  const building = buildMissingIndexes(context, open, count => counts.push(count));
  await untilBuilding();
  expect(await write(2)).toBe(1);
  expect(await countRecords(database.kysely, table, connector)).toBe(2);
  // Another process neither waits nor builds.
  expect(await buildMissingIndexes(context, open)).toBe(2);
  await older.query('commit');
  expect(await building).toBe(0);
  expect(counts.at(-1)).toBe(0);
  expect(await missing()).toEqual([]);
  expect(await write(3)).toBe(1);
});

fullTest('are completed by the server if the process ends', async () => {
  await prepare('postgres');
  const older = await beginOlder();
  const closing = new AbortController();
  const building = buildMissingIndexes(context, closing.signal);
  await untilBuilding();
  closing.abort();
  await expect(building).rejects.toThrow('Connection terminated');
  expect(await buildMissingIndexes(context, open)).toBe(2);
  await older.query('commit');
  await until(async () => expect(await missing()).toEqual([ownerIndex]));
  await until(async () => expect(await buildMissingIndexes(context, open)).toBe(0));
});

fullTest('are built again if the server ended the attempt', async () => {
  await prepare('postgres');
  const older = await beginOlder();
  const building = buildMissingIndexes(context, open);
  const failed = expect(building).rejects.toThrow(/terminating|terminated/);
  await sql`select pg_terminate_backend(${await untilBuilding()})`.execute(database.kysely);
  await failed;
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = ${nameIndex}::regclass`.execute(
    database.kysely,
  );
  expect(rows).toEqual([{ isValid: false }]);
  expect(await missing()).toEqual([nameIndex, ownerIndex]);
  await older.query('commit');
  expect(await buildMissingIndexes(context, open)).toBe(0);
  expect(await missing()).toEqual([]);
});

test('leave nothing behind if they cannot be built, and the others are built', async () => {
  await prepare('postgres');
  const unique = new RecordTables([
    kindWith('growing', {
      things: { ...search, primaryKey: ['name'], indexed: ['owner'] },
    }),
  ]);
  await write(2);
  await expect(buildMissingIndexes({ ...context, tables: unique }, open)).rejects.toThrow(
    'could not create unique index',
  );
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = ${table.name}::regclass and not indisvalid`.execute(database.kysely);
  expect(rows).toEqual([]);
  expect(await write(3)).toBe(1);
});

test('adding a column never makes requests wait for it, and waits until it can be added', async () => {
  await prepare('postgres');
  const older = await beginOlder();
  const grown = new RecordTables([
    kindWith('growing', { things: { ...search, fields: { ...search.fields, more: 'string' } } }),
  ]);
  const added = ensureRecordTables(database.kysely, grown);
  // A request that arrives while the change waits for the lock gets its turn before the older transaction ends.
  await until(async () => {
    const { rows } = await sql`
      select from pg_locks where relation = ${table.name}::regclass and not granted`.execute(database.kysely);
    expect(rows).toHaveLength(1);
  });
  expect(await write(2)).toBe(1);
  await older.query('commit');
  await added;
  expect(await write(3)).toBe(1);
  expect(await pendingRecordChanges(database.kysely, grown)).toEqual([]);
});
