/** The way from trying the service out to production. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Client as PostgresClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { clientOf, stop, useServices } from '../../test/command-harness.ts';
import { runCommand } from '../../test/command-process.ts';
import { makeEmptyDatabase, makeFolder, openTestDatabase, runAsOwner } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { application, inherited, type ServiceProcess } from '../../test/service-process.ts';
import { until } from '../../test/until.ts';
import type { Environment } from '../platform/config/environment.ts';
import type { DatabaseLocation } from '../platform/database/database.ts';

// Starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const { afterwards, start } = useServices();

/** Reads the change feed. */
async function readFeed(service: ServiceProcess, cursor: string) {
  const url = await service.url;
  const ask = async (path: string, options: RequestInit) => {
    const response = await fetch(`${url}/api/v1/${path}`, options);
    // The bodies that the test reads have these members.
    return (await response.json()) as { access_token: string; cursor: string; code?: string };
  };
  const { access_token: token } = await ask('account/applications/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: application.BOOTSTRAP_CLIENT_ID,
      client_secret: application.BOOTSTRAP_CLIENT_SECRET,
    }),
  });
  return ask(`integrations/changes?cursor=${cursor}`, { headers: { authorization: `Bearer ${token}` } });
}

async function newServer(): Promise<{ url: string }> {
  const { location, remove } = await makeEmptyDatabase('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('A server has a URL');
  return { url: location.databaseUrl };
}

/** Starts a move, and kills it when it has reported this many tables, before the end. */
async function killAfter(lines: number, url: string, environment: Environment) {
  // The last statement of a move waits until the process was killed.
  const blocker = new PostgresClient({ connectionString: url });
  await blocker.connect();
  await blocker.query(`select pg_advisory_lock(1)`);
  await blocker.query(`
    create function wait_for_kill() returns event_trigger language plpgsql as 'begin perform pg_advisory_lock_shared(1); end';
    create event trigger wait_for_kill on ddl_command_start when tag in ('DROP TABLE') execute function wait_for_kill()`);
  const entry = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--liftoff-only', entry, 'move', '--to', url],
    {
      env: { ...inherited, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exit = new Promise(resolve => child.once('exit', (code, signal) => resolve(code ?? signal)));
  let reported = 0;
  for await (const _line of createInterface({ input: child.stderr })) {
    reported += 1;
    if (reported === lines) child.kill('SIGKILL');
  }
  expect(await exit).toBe('SIGKILL');
  await blocker.query(`select pg_advisory_unlock(1)`);
  // The server notices that the process is gone when the statement ends.
  await until(async () => {
    const { rows } = await blocker.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    expect(rows).toEqual([]);
  });
  await blocker.query(`drop event trigger wait_for_kill; drop function wait_for_kill`);
  await blocker.end();
}

/** Reads what the tables contain. */
async function contentsOf(location: DatabaseLocation, query: string): Promise<unknown> {
  const database = await openTestDatabase(location, { appliesMigrations: false });
  const { rows } = await sql.raw(query).execute(database.kysely);
  await database.close();
  return rows;
}

/** Returns what a search has found. */
function recordsOf({ result }: { readonly result: unknown }): readonly unknown[] {
  // The shape of the result of a search.
  return (result as { data: unknown[] }).data;
}

const counted = `select
  (select count(*) from records_granola_notes) as notes, (select max(id) from audit_entries) as audit,
  (select json_agg(credentials::text order by id) from connectors) as credentials,
  (select array_agg(indexname order by indexname) from pg_indexes where schemaname = current_schema()) as indexes,
  (select array_agg(tgname || ' ' || tgenabled::text order by tgname, tgrelid::regclass::text) from pg_trigger where not tgisinternal) as triggers`;

test('moves an embedded installation to a server, also after the command was killed', async () => {
  const { folder: dataDir, remove } = await makeFolder();
  afterwards.push(remove);
  const service = start({ DATA_DIR: dataDir });
  const client = await clientOf(service);
  const { id } = await client.connectors.create({
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: goodKey },
  });
  await until(async () => expect((await client.connectors.get(id)).sync.status).toBe('ready'));
  const { cursor } = await readFeed(service, 'now');
  const search = { entity: 'notes', action: 'search', params: { query: {}, limit: 100 } };
  const found = recordsOf(await client.execute(id, search));

  const { url } = await newServer();
  const args = ['move', '--to', url];
  const running = await runCommand(args, { DATA_DIR: dataDir });
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('Another process is using')]);
  await stop(service);
  await killAfter(4, url, { DATA_DIR: dataDir });

  const secrets: Environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: await readFile(join(dataDir, 'encryption.keys'), 'utf8'),
    SIGNING_KEYS: await readFile(join(dataDir, 'signing.keys'), 'utf8'),
  };
  const early = start(secrets);
  expect(await early.ended).toBe(1);
  expect(early.stderr()).toContain('A move to this database was interrupted');

  const moved = await runCommand(args, { DATA_DIR: dataDir });
  expect([moved.code, moved.stdout], moved.stderr).toEqual([0, expect.stringMatching(/^Moved \d+ rows in/)]);
  expect(moved.stderr).not.toContain('Copying it again');
  expect(await contentsOf({ databaseUrl: url }, counted)).toEqual(await contentsOf({ dataDir }, counted));
  const twice = await runCommand(args, { DATA_DIR: dataDir });
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('is not empty')]);

  const production = start(secrets);
  const again = await clientOf(production);
  expect(recordsOf(await again.execute(id, search))).toEqual(found);
  expect(found.length).toBe(100);
  expect((await readFeed(production, cursor)).code).toBe('cursor_expired');
  const { id: other } = await again.connectors.create({
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'More notes',
    credentials: { api_key: goodKey },
  });
  await until(async () => expect((await again.connectors.get(other)).sync.status).toBe('ready'));
  await stop(production);
});

test('starts over if the embedded database was used since the move began', async () => {
  const { folder: dataDir, remove } = await makeFolder();
  afterwards.push(remove);
  const first = start({ DATA_DIR: dataDir });
  await first.url;
  await stop(first);
  const { url } = await newServer();
  const args = ['move', '--to', url];
  await killAfter(4, url, { DATA_DIR: dataDir });
  const second = start({ DATA_DIR: dataDir, BOOTSTRAP_ORGANIZATION: 'Acme,Other' });
  await second.url;
  await stop(second);
  const moved = await runCommand(args, { DATA_DIR: dataDir });
  expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining('Copying it again')]);
  const names = 'select array_agg(name order by name) as names from organizations';
  expect(await contentsOf({ databaseUrl: url }, names)).toEqual([{ names: ['Acme', 'Other'] }]);
});

test('rejects a password in its arguments, a database that is not empty, and the beginning of another move', async () => {
  const { folder: dataDir, remove } = await makeFolder();
  afterwards.push(remove);
  const service = start({ DATA_DIR: dataDir });
  await service.url;
  await stop(service);
  const run = (url: string) => runCommand(['move', '--to', url], { DATA_DIR: dataDir });
  const secret = await run('postgres://user:hunter2@localhost/db');
  expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining('Set PGPASSWORD instead')]);
  expect(secret.stderr).not.toContain('hunter2');
  const { url } = await newServer();
  const name = new URL(url).pathname.slice(1);
  await runAsOwner('create table taken (id integer)', name);
  expect((await run(url)).stderr).toContain('is not empty');
  await runAsOwner(
    `drop table taken; create table unfinished_move (source text, table_name text, rows bigint, hash text);
     insert into unfinished_move values ('another', '')`,
    name,
  );
  expect((await run(url)).stderr).toContain('from another database');
});
