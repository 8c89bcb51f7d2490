import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { makeDatabase, makeFolder, type TestDatabase } from '../../../test/engines.ts';
import { startTestService } from '../../../test/test-service.ts';
import { createLog } from '../log/log.ts';
import { openDatabase, type Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';

const events: string[] = [];
const log = createLog({
  // The log writes one JSON object per line.
  destination: { write: line => void events.push((JSON.parse(line) as { event: string }).event) },
});
let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await makeDatabase('pglite');
  database = await openDatabase(place.location, {
    log,
    idleTransactionTimeoutMs: 200,
    acquireTimeoutMs: 1000,
  });
});
afterAll(async () => {
  await database.close();
  await place.remove();
});

/** Replaces timers with fake ones until the test ends. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

async function beIdleFor(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  // Lets the listeners of the expired timer run.
  await new Promise(setImmediate);
}

test('a query that bypasses the open transaction fails instead of blocking other queries', async () => {
  const { kysely } = database;
  const deadlock = kysely.transaction().execute(async () => {
    await sql`select 'not through the handle'`.execute(kysely);
  });
  await expect(deadlock).rejects.toMatchObject({ code: 'overloaded' });
  await database.ping();
});

test('rolls back a transaction that is idle for too long, and lets other transactions continue', async () => {
  const { kysely } = database;
  await sql`create table idle (id int)`.execute(kysely);
  // The connection is released only when the transaction callback returns.
  const forgotten = kysely.transaction().execute(async transaction => {
    stopTime();
    await sql`insert into idle values (1)`.execute(transaction);
    await beIdleFor(200);
    await sql`insert into idle values (2)`.execute(transaction);
  });
  const next = sql`select * from idle`.execute(kysely);
  await expect(forgotten).rejects.toMatchObject({ code: 'overloaded' });
  expect((await next).rows).toEqual([]);
});

test('a session leaves no settings or locks for the next session', async () => {
  const { kysely } = database;
  const look = async () =>
    (
      await sql`select current_setting('work_mem') as setting,
        (select count(*) from pg_locks where locktype = 'advisory') as locks`.execute(kysely)
    ).rows;
  const before = await look();
  const ended = kysely.transaction().execute(async transaction => {
    await sql`set work_mem = '7MB'`.execute(transaction);
    await sql`select pg_advisory_lock(1)`.execute(transaction);
    await sql`commit`.execute(transaction);
    stopTime();
    await sql`begin`.execute(transaction);
    // Exceeds the limit on idle time, which ends the session.
    await beIdleFor(200);
    await sql`select 1`.execute(transaction);
  });
  await expect(ended).rejects.toMatchObject({ code: 'overloaded' });
  expect(await look()).toEqual(before);
});

test('only maintenance statements can exceed the statement timeout', async () => {
  const other = await makeDatabase('pglite');
  const limited = await openDatabase(other.location, { log, statementTimeoutMs: 50 });
  const slow = sql<{ count: number }>`select count(*) as count from generate_series(1, 1000000)`;
  if (limited.maintenance === null) throw new Error('PGlite has a maintenance connection');
  expect((await slow.execute(limited.maintenance)).rows).toEqual([{ count: 1_000_000 }]);
  await expect(slow.execute(limited.kysely)).rejects.toThrow('The database query timed out');
  await limited.close();
  await other.remove();
});

test('runs concurrent queries in order', async () => {
  const { kysely } = database;
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      sql<{ index: number }>`select ${index}::int as index`.execute(kysely),
    ),
  );
  expect(results.map(({ rows: [row] }) => row?.index)).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

test('writes and reads a large value unchanged', async () => {
  const large = 'ü'.repeat(2_000_000);
  const { rows } = await sql<{ text: string }>`select ${large}::text as text`.execute(database.kysely);
  expect(rows[0]?.text === large).toBe(true);
});

fullTest('rejects files that PGlite cannot open, and releases the lock', async () => {
  const { folder, remove } = await makeFolder();
  await writeFile(join(folder, 'pglite'), 'not a folder');
  const failure = await openDatabase({ dataDir: folder }, { log }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('Cannot connect to the database') });
  expect(events).toContain('database_worker_failed');
  (await lockFolder(folder)).release();
  await remove();
});

test('rejects a second database on the same folder while the first is open', async () => {
  await expect(openDatabase(place.location, { log })).rejects.toThrow(
    'Another process is using the data folder',
  );
  await database.ping();
});

test('reopens a data folder after its database was closed', async () => {
  const other = await makeDatabase('pglite');
  await (await openDatabase(other.location, { log })).close();
  const again = await openDatabase(other.location, { log });
  await again.ping();
  await again.close();
  await expect(again.ping()).rejects.toThrow('driver has already been destroyed');
  await other.remove();
});

test('PGlite keeps all its files in the data folder', async () => {
  if (!('dataDir' in place.location)) throw new Error('PGlite has a folder');
  const sockets = process.platform === 'win32' ? [] : ['backup.socket'];
  expect((await readdir(place.location.dataDir)).sort()).toEqual([...sockets, 'lock', 'pglite']);
  expect(await readdir(join(place.location.dataDir, 'pglite'))).toContain('PG_VERSION');
});

test('serves requests that need no database while a slow statement runs', async () => {
  const service = await startTestService(database);
  let isRunning = true;
  const slow = sql`select count(*) from generate_series(1, 3000000)`.execute(database.kysely).finally(() => {
    isRunning = false;
  });
  const reference = await service.ask('GET', '/openapi.json');
  const health = await service.ask('GET', '/healthz');
  expect(isRunning).toBe(true);
  expect([reference.status, health.status]).toEqual([200, 200]);
  await slow;
  await service.close();
});
