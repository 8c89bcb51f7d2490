import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient } from '@connector-auth/api/client';
import { kinds } from '@connector-auth/connectors';
import { startSandbox } from '@connector-auth/sandbox';
import { Client } from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { runCommand } from '../../test/command-process.ts';
import { enginesInFull, makeDatabase, makeEmptyDatabase, runAsOwner } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import {
  application,
  environmentOf,
  startServiceHere,
  startServiceProcess,
  type ServiceProcess,
} from '../../test/service-process.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { until } from '../../test/until.ts';
import type { Environment } from '../platform/config/environment.ts';
import { readMigrations } from '../platform/database/migrate.ts';
import { RecordTables } from '../shared/records/record-table.ts';
import { runCommandLine } from './run.ts';

// Each test migrates a database or starts the service.
vi.setConfig({ testTimeout: 180_000 });

const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

function start(environment: Environment): ServiceProcess {
  const service = startServiceProcess(environment);
  afterwards.push(async () => {
    service.child.kill('SIGKILL');
    await service.ended;
  });
  return service;
}

/** Runs `migrate` in this process. One test below runs the program. */
async function migrate(
  args: readonly string[],
  environment: Environment,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = testTerminal();
  const code = await runCommandLine(['migrate', ...args], { environment, terminal, kinds });
  return { code, stdout: terminal.printed(), stderr: terminal.noted() };
}

describe.each(enginesInFull)('on %s', engine => {
  test('shows the changes of an empty database without applying them, then applies them once', async () => {
    const { location, remove } = await makeEmptyDatabase(engine);
    afterwards.push(remove);
    const environment =
      'dataDir' in location ? { DATA_DIR: location.dataDir } : { DATABASE_URL: location.databaseUrl };
    const migrations = (await readMigrations()).map(({ name }) => `pending: migration ${name}`);
    for (const _ of [1, 2]) {
      const plan = await migrate(['--plan'], environment);
      expect(plan.code).toBe(0);
      const lines = plan.stdout.trim().split('\n');
      expect(lines.filter(line => line.startsWith('pending: migration'))).toEqual(migrations);
      expect(lines).toContain(
        'Nothing blocks requests: no table is locked while its rows are read or written.',
      );
      expect(lines).toContain('pending: table records_granola_notes');
      expect(lines.some(line => line.startsWith('pending: index records_gong_calls_'))).toBe(true);
    }
    const applied = await migrate([], environment);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toContain('applied: table records_granola_notes');
    for (const args of [['--plan'], []]) {
      expect(await migrate(args, environment)).toMatchObject({
        code: 0,
        stdout: 'The database is up to date.',
      });
    }
    const service = await startServiceHere(engine === 'pglite' ? environment : environmentOf(location));
    await service.close();
  });
});

test('shows missing columns and indexes of record tables', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  const environment = { DATABASE_URL: location.databaseUrl };
  await migrate([], environment);
  await query(location.databaseUrl, 'alter table records_granola_notes drop column title');
  const { stdout } = await migrate(['--plan', '--json'], environment);
  const notes = { table: 'records_granola_notes', size: expect.stringMatching(/^\d+ kB$/) as string };
  expect(JSON.parse(stdout)).toEqual({
    migrations: [],
    records: [
      'column title of records_granola_notes',
      expect.stringMatching(/^index records_granola_notes_/) as string,
      // The index for text also contains the column.
      expect.stringMatching(/^index records_granola_notes_/) as string,
    ],
    applied: false,
    changes: [
      { name: 'column title of records_granola_notes', title: null, locks: [notes], scans: [] },
      { name: expect.any(String) as string, title: null, locks: [], scans: [notes] },
      { name: expect.any(String) as string, title: null, locks: [], scans: [notes] },
    ],
    breaking: [],
  });
});

test('says that a newer version has changed the database', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  await query(location.databaseUrl, `insert into migrations values ('9999_newer', '')`);
  expect(await migrate(['--plan'], { DATABASE_URL: location.databaseUrl })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /migration 9999_newer, which is unknown to this version\. Run the version that applied it, or a newer one\./,
    ) as string,
  });
});

fullTest('says which process uses the data folder of PGlite', async () => {
  const { location, remove } = await makeDatabase('pglite');
  afterwards.push(remove);
  await start(environmentOf(location)).url;
  const { code, stderr } = await migrate([], environmentOf(location));
  expect(code).toBe(1);
  expect(stderr).toContain('Another process is using the data folder');
});

describe('with a role that must not change the schema', () => {
  /** Creates the two roles and the database as docs/operating/database-roles.md says. */
  async function makeRoles(): Promise<{ owner: string; running: string }> {
    const suffix = randomBytes(4).toString('hex');
    const { location, remove } = await makeEmptyDatabase('postgres');
    if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
    const { databaseUrl } = location;
    const [owner, running] = [`owner_${suffix}`, `running_${suffix}`];
    await runAsOwner(`create role ${owner} login; create role ${running} login`);
    await runAsOwner(`alter database ${new URL(databaseUrl).pathname.slice(1)} owner to ${owner}`);
    afterwards.push(async () => {
      await remove();
      await runAsOwner(`drop role ${owner}; drop role ${running}`);
    });
    const as = (role: string) => databaseUrl.replace('postgres://postgres@', `postgres://${role}@`);
    const grants = (await grantsInDocs()).replaceAll('connector_auth_service', running);
    await query(as(owner), grants);
    return { owner: as(owner), running: as(running) };
  }

  const keys = environmentOf({ databaseUrl: '' });

  fullTest('the service starts, syncs, searches and executes after the owner ran "migrate"', async () => {
    const { owner, running } = await makeRoles();
    expect(await runCommand(['migrate'], { DATABASE_URL: owner })).toMatchObject({ code: 0, stderr: '' });
    await expect(query(running, 'create table forbidden (id int)')).rejects.toMatchObject({ code: '42501' });
    const sandbox = await startSandbox();
    afterwards.push(() => sandbox.close());
    const service = start({
      ...keys,
      ...application,
      DATABASE_URL: running,
      SANDBOX_URL: sandbox.url,
      VENDOR_RATE_LIMITS: 'off',
    });
    const client = createClient({
      baseUrl: await service.url,
      clientId: application.BOOTSTRAP_CLIENT_ID,
      clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    });
    const { id } = await client.connectors.create({
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Notes',
      credentials: { api_key: goodKey },
    });
    await vi.waitFor(async () => expect((await client.connectors.get(id)).sync.status).toBe('ready'), {
      timeout: 60_000,
      interval: 100,
    });
    const execute = (action: string, params: Record<string, unknown>) =>
      client.execute(id, { entity: 'notes', action, params });
    const listed = await execute('list', { page_size: 5 });
    expect(listed.result).toHaveLength(5);
    const found = await execute('search', { query: {}, limit: 5 });
    expect(found.result).toMatchObject({
      meta: { sync: { status: 'ready', last_synced_at: expect.any(String) } },
    });
    await client.connectors.delete(id);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.stdout()).not.toMatch(/permission denied|"level":"(?:warn|error)"/);
  });

  test('the service does not start while changes are pending, and names the command', async () => {
    const { owner, running } = await makeRoles();
    const started = () => startServiceHere({ ...keys, DATABASE_URL: running });
    await expect(started()).rejects.toThrow(
      /migration 0001_tenants_and_connectors[^]*Run "connector-auth-service migrate"/,
    );
    await migrate([], { DATABASE_URL: owner });
    await query(owner, 'alter table records_granola_notes drop column title');
    await expect(started()).rejects.toThrow('column title of records_granola_notes');
  });

  fullTest('the service runs while indexes are missing, and says who can build them', async () => {
    const { owner, running } = await makeRoles();
    await migrate([], { DATABASE_URL: owner });
    const [table] = new RecordTables(kinds).ofKind('granola');
    const index = table?.indexes[1]?.name ?? '';
    await query(owner, `drop index ${index}`);
    const service = await startServiceHere({ ...keys, DATABASE_URL: running });
    await until(() => expect(service.logged()).toContain('record_indexes_missing'));
    expect(service.logged()).toContain(`these changes are pending: index ${index}. Run `);
    const terminal = testTerminal();
    const environment = { ...keys, DATABASE_URL: running };
    await runCommandLine(['doctor'], { environment, terminal, kinds });
    expect(terminal.printed()).toMatch(
      /warning +schema +The record tables lack an index, .*\n.*Run "connector-auth-service migrate"/,
    );
    const applied = await migrate([], { DATABASE_URL: owner });
    expect(applied.stdout).toBe(`applied: index ${index}`);
    await service.close();
  });
});

/** Returns the statements that docs/operating/database-roles.md gives for the role of the running service. */
async function grantsInDocs(): Promise<string> {
  const text = await readFile(new URL('../../../docs/operating/database-roles.md', import.meta.url), 'utf8');
  const [, statements] = /<<'SQL'\n(.*?)\n *SQL\n/s.exec(text) ?? [];
  if (statements === undefined)
    throw new Error('docs/operating/database-roles.md has no statements for the role');
  return statements;
}

async function query(databaseUrl: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
