/** The drills of docs/operating/back-up-and-restore.md. */
import { cpSync, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@connector-auth/api/client';
import { sql } from 'kysely';
import { Client as PostgresClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { clientOf, stop, useServices } from '../../test/command-harness.ts';
import { runCommand } from '../../test/command-process.ts';
import { makeFolder, openTestDatabase } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { startPostgres } from '../../test/postgres.ts';
import { environmentOf } from '../../test/service-process.ts';
import { until } from '../../test/until.ts';
import type { Environment } from '../platform/config/environment.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const { afterwards, start } = useServices();

async function newFolder(): Promise<string> {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  return folder;
}

async function connect(client: Client, customer: string): Promise<string> {
  const { id } = await client.connectors.create({
    customer_name: customer,
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: goodKey },
  });
  return id;
}

async function idsOf(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.connectors.all()) ids.push(id);
  return ids;
}

const listNotes = { entity: 'notes', action: 'list', params: { page_size: 1 } };
const keyFiles = ['encryption.keys', 'signing.keys'];

test('a backup of a running service with PGlite has everything that was acknowledged before', async () => {
  const [dataDir, target, parent] = [await newFolder(), await newFolder(), await newFolder()];
  const backup = join(parent, 'backup');
  const service = start({ DATA_DIR: dataDir });
  const client = await clientOf(service);
  const before = [await connect(client, 'first'), await connect(client, 'leaving')];
  const done = new AbortController();
  const meanwhile: string[] = [];
  const writing = (async () => {
    while (!done.signal.aborted) meanwhile.push(await connect(client, `customer ${meanwhile.length}`));
  })();
  const made = await runCommand(['backup', '--to', backup], { DATA_DIR: dataDir });
  done.abort();
  await writing;
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('contains no keys')]);
  expect(made.stdout).toMatch(
    /^Backed up 1 organization with \d+ connectors to .* Requests waited for \d+ ms/,
  );
  expect((await readdir(backup)).toSorted()).toEqual(['pglite']);
  // The service has continued.
  await client.connectors.get(meanwhile.at(-1) ?? '');
  await client.customers.delete('leaving');
  await stop(service);
  const log = join(parent, 'service.log');
  await writeFile(log, service.stdout());

  const exists = await runCommand(['backup', '--to', backup], { DATA_DIR: dataDir });
  expect([exists.code, exists.stderr]).toEqual([1, expect.stringContaining('exists')]);
  const restore = (to: string, more: Environment = {}) =>
    runCommand(['restore', '--from', backup], { DATA_DIR: to, ...more });
  const full = await restore(dataDir);
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('away first')]);

  const without = await restore(target);
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('Put the key files')]);
  expect(await readdir(target)).toEqual([]);
  const wrong = await restore(target, environmentOf({ dataDir: target }));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('keys that are not configured')]);
  expect(await readdir(target)).toEqual(['lock']);

  for (const file of keyFiles) await copyFile(join(dataDir, file), join(target, file));
  const restored = await restore(target);
  expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining('doctor after-restore')]);
  const examined = await runCommand(['doctor', 'after-restore', log], { DATA_DIR: target });
  expect([examined.code, examined.stdout]).toEqual([
    0,
    expect.stringMatching(/customer\.deleted[^→]*→ connector-auth-service admin deleteCustomer/),
  ]);

  const again = await clientOf(start({ DATA_DIR: target }));
  const ids = await idsOf(again);
  expect(ids).toEqual(expect.arrayContaining(before));
  // Connectors were made one after the other, so the backup has the first of them.
  const others = new Set(ids.filter(id => !before.includes(id)));
  expect([...others].toSorted()).toEqual(meanwhile.slice(0, others.size).toSorted());
  for (const id of ids) await again.execute(id, listNotes);
});

test('a start with a wrong key changes nothing, also if migrations are pending', async () => {
  const dataDir = await newFolder();
  const environment = environmentOf({ dataDir });
  const service = start(environment);
  await connect(await clientOf(service), 'acme');
  await stop(service);
  // A database of an earlier version lacks the last migration.
  const change = async (text: string) => {
    const database = await openTestDatabase({ dataDir }, { appliesMigrations: false });
    const { rows } = await sql.raw<{ names: string[] }>(text).execute(database.kysely);
    await database.close();
    return rows;
  };
  await change(`delete from migrations where name = (select max(name) from migrations)`);
  const state = `select array_agg(name order by name) as names from migrations`;
  const before = await change(state);
  const wrong = start({ ...environment, ENCRYPTION_KEYS: `e1:${Buffer.alloc(32, 9).toString('base64')}` });
  expect(await wrong.ended).toBe(1);
  expect(wrong.stderr()).toContain('cannot be decrypted with the configured keys');
  expect(await change(state)).toEqual(before);
});

test('a PostgreSQL server is restored from a copy of its files, to the moment before a mistake', async () => {
  const archive = await newFolder();
  await chmod(archive, 0o777);
  const server = await startPostgres({
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
    wal_level: 'replica',
    full_page_writes: 'on',
  });
  afterwards.push(() => server.stop());
  const databaseUrl = `${server.url}/postgres`;
  const service = start(environmentOf({ databaseUrl }));
  const client = await clientOf(service);
  const first = await connect(client, 'first');

  // What pg_basebackup does, which the server of the tests does not include.
  const session = new PostgresClient({ connectionString: databaseUrl });
  await session.connect();
  await session.query(`select pg_backup_start('drill', true)`);
  const copy = join(await newFolder(), 'data');
  const meanwhile = connect(client, 'during the copy');
  cpSync(join(server.folder, 'data'), copy, {
    recursive: true,
    filter: path => !/\/(?:pg_wal\/.*|postmaster\.(?:pid|opts))$/.test(path),
  });
  const during = await meanwhile;
  const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  await mkdir(join(copy, 'pg_wal/archive_status'), { recursive: true });

  const later = await connect(client, 'later');
  await session.query(`select pg_create_restore_point('before_the_mistake')`);
  await client.customers.delete('first');
  const { rows: switched } = await session.query<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await until(() => expect(existsSync(join(archive, switched[0]?.file ?? ''))).toBe(true));
  await session.end();
  await stop(service);
  await writeFile(join(copy, 'recovery.signal'), '');
  const restored = await startPostgres(
    {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_name: 'before_the_mistake',
      recovery_target_action: 'promote',
    },
    copy,
  );
  afterwards.push(() => restored.stop());
  const environment = environmentOf({ databaseUrl: `${restored.url}/postgres` });
  const wrong = start({ ...environment, ENCRYPTION_KEYS: `e2:${Buffer.alloc(32, 9).toString('base64')}` });
  expect(await wrong.ended).toBe(1);
  expect(wrong.stderr()).toContain('keys that are not configured: e1');
  const examined = await runCommand(['doctor', 'after-restore'], environment);
  expect([examined.code, examined.stdout]).toEqual([0, expect.stringContaining('cursor_expired')]);
  const again = await clientOf(start(environment));
  expect((await idsOf(again)).toSorted()).toEqual([first, during, later].toSorted());
  await again.execute(first, listNotes);
});
