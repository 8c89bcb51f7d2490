import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import {
  openDatabase,
  type Database,
  type DatabaseLocation,
  type DatabaseOptions,
} from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's URL without a database name, and the name of a migrated database to copy. */
    postgres: { url: string; template: string };
    /** Where data folders of PGlite are created, and a migrated one to copy. */
    pglite: { parent: string; template: string };
  }
}

/**
 * Limits that no test reaches, however busy the machine is, and only as many connections as requests need that compete: each
 * takes the server 30 ms. A test of a limit sets its own.
 */
const patient = {
  maxConnections: 4,
  acquireTimeoutMs: 100_000,
  statementTimeoutMs: 100_000,
  idleTransactionTimeoutMs: 100_000,
  transactionTimeoutMs: 200_000,
  searchTimeoutMs: 50_000,
  controlTimeoutMs: 50_000,
  checksSessions: false,
};

/** Opens a database with limits that no test reaches, without a log unless the options name one. */
export function openTestDatabase(
  location: DatabaseLocation,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  return openDatabase(location, { log: silentLog, ...patient, ...options });
}

/** The database engine that the service runs on. */
export type Engine = Database['engine'];
export const engines = ['pglite', 'postgres'] as const satisfies readonly Engine[];

/** The engines for suites that hardly depend on them: PostgreSQL, and in `pnpm test:full` each engine. */
export const enginesInFull: readonly Engine[] =
  process.env['TEST_FULL'] === undefined ? ['postgres'] : engines;

/**
 * Returns the function that declares tests of what hardly depends on the engine, in a suite that runs on each: the tests
 * run on PostgreSQL, and in `pnpm test:full` on each engine.
 */
export function testOnServerOrInFull(engine: Engine): typeof test {
  return engine === 'postgres' ? test : fullTest;
}

/**
 * Runs a suite on each engine with a newly migrated database. The database is passed as a function because it
 * is not opened until just before the first test.
 */
export function onEachEngine(
  name: string,
  suite: (database: () => Database, engine: Engine) => void,
  options: Partial<DatabaseOptions> | ((engine: Engine) => Partial<DatabaseOptions>) = {},
): void {
  onEngines(engines, name, suite, options);
}

/** Runs a suite that hardly depends on the engine: on PostgreSQL, and in `pnpm test:full` on each engine. */
export function onPostgresOrEachEngineInFull(
  name: string,
  suite: (database: () => Database, engine: Engine) => void,
  options: Partial<DatabaseOptions> | ((engine: Engine) => Partial<DatabaseOptions>) = {},
): void {
  onEngines(enginesInFull, name, suite, options);
}

function onEngines(
  chosen: readonly Engine[],
  name: string,
  suite: (database: () => Database, engine: Engine) => void,
  options: Partial<DatabaseOptions> | ((engine: Engine) => Partial<DatabaseOptions>),
): void {
  describe.each(chosen)(`${name} on %s`, engine => {
    let place: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      place = await makeDatabase(engine);
      database = await openTestDatabase(place.location, {
        // The copied database has them all. Finding that out takes another connection.
        appliesMigrations: false,
        ...(typeof options === 'function' ? options(engine) : options),
      });
    });
    afterAll(async () => {
      await database.close();
      await place.remove();
    });
    suite(() => database, engine);
  });
}

/** A migrated, empty and closed database for one test file. */
export interface TestDatabase {
  location: DatabaseLocation;
  /** Call this after every process has closed the database. */
  remove: () => Promise<void>;
}

/** Creates a new migrated database. */
export async function makeDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'pglite'
    ? await copyPglite(inject('pglite').template)
    : await copyPostgres(inject('postgres').template);
}

/** Creates a database without tables. */
export async function makeEmptyDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'postgres') return await copyPostgres('template1');
  const { folder, remove } = await makeFolder();
  return { location: { dataDir: folder }, remove };
}

/** Creates a temporary folder. */
export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(inject('pglite').parent, 'connector-auth-test-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies a closed database, as an operator does to back it up. */
export async function copyDatabase({ location }: TestDatabase): Promise<TestDatabase> {
  return 'dataDir' in location
    ? await copyPglite(location.dataDir)
    : await copyPostgres(new URL(location.databaseUrl).pathname.slice(1));
}

async function copyPglite(source: string): Promise<TestDatabase> {
  const { folder, remove } = await makeFolder();
  // The asynchronous function takes six times as much processor time for the thousand files.
  cpSync(join(source, 'pglite'), join(folder, 'pglite'), { recursive: true });
  return { location: { dataDir: folder }, remove };
}

async function copyPostgres(source: string): Promise<TestDatabase> {
  const { url } = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // By default, PostgreSQL also writes the copied pages to its log, which takes three times as long.
  await runAsOwner(`create database ${name} template ${source} strategy file_copy`);
  return {
    location: { databaseUrl: `${url}/${name}` },
    remove: () => runAsOwner(`drop database ${name} with (force)`),
  };
}

/** Makes a database report another version of its server. */
export async function fakeVersion({ location }: TestDatabase, version: number): Promise<void> {
  if (!('databaseUrl' in location)) throw new Error('Only a server has a version');
  const name = new URL(location.databaseUrl).pathname.slice(1);
  await runAsOwner(
    `create function public.current_setting(text) returns text language sql as
       'select case $1 when ''server_version_num'' then ''${version}0000'' else pg_catalog.current_setting($1) end';
     alter database ${name} set search_path = public, pg_catalog`,
    name,
  );
}

/** Runs a statement as a superuser of the PostgreSQL server, in one of its databases. */
export async function runAsOwner(statement: string, name = 'postgres'): Promise<void> {
  if (name === 'postgres') {
    owner ??= connectAsOwner(name);
    await (await owner).query(statement);
    return;
  }
  const client = await connectAsOwner(name);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Stays open until the process ends, because a connection takes the server as long as creating or dropping a database. */
let owner: Promise<Client> | null = null;

async function connectAsOwner(name: string): Promise<Client> {
  const client = new Client({ connectionString: `${inject('postgres').url}/${name}` });
  // The server can end before this process does.
  client.on('error', () => {});
  await client.connect();
  // The types of pg lack this method.
  (client as Client & { unref(): void }).unref();
  return client;
}
