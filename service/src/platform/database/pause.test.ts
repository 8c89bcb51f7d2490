import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeDatabase, openTestDatabase, type TestDatabase } from '../../../test/engines.ts';
import type { Database } from './database.ts';
import { whilePaused } from './pause.ts';

let place: TestDatabase;
let database: Database;
let folder: string;

beforeAll(async () => {
  place = await makeDatabase('pglite');
  if (!('dataDir' in place.location)) throw new Error('PGlite has a folder');
  folder = place.location.dataDir;
  database = await openTestDatabase(place.location);
  await sql`create table paused (id integer primary key)`.execute(database.kysely);
});
afterAll(async () => {
  await database.close();
  await place.remove();
});

/** Pauses the database as a command does, until the connection is closed. */
async function pause() {
  const socket = connect(join(folder, 'backup.socket'));
  await once(socket, 'data');
  return socket;
}

test('copies the files while statements run, and continues them afterwards', async () => {
  const write = async (id: number) => sql`insert into paused values (${id})`.execute(database.kysely);
  const written = Array.from({ length: 50 }, (_, id) => write(id));
  const version = await whilePaused(folder, () => readFileSync(join(folder, 'pglite/PG_VERSION'), 'utf8'));
  expect(version.trim()).toBe('18');
  await Promise.all(written);
});

test('runs no statement during a pause, also within a transaction', async () => {
  const order: string[] = [];
  let socket: Awaited<ReturnType<typeof pause>> | undefined;
  await database.kysely.transaction().execute(async transaction => {
    await sql`insert into paused values (100)`.execute(transaction);
    socket = await pause();
    const next = sql`insert into paused values (101)`
      .execute(transaction)
      .then(() => order.push('statement'));
    // The statement has been sent to the database by then.
    await new Promise(setImmediate);
    order.push('end of the pause');
    socket.destroy();
    await next;
  });
  expect(order).toEqual(['end of the pause', 'statement']);
});

test('ends the pause of a command that hangs, and lets that command fail', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = await pause();
  const closed = once(socket, 'close');
  const next = sql`select 1`.execute(database.kysely);
  vi.advanceTimersByTime(60_000);
  await next;
  await closed;
});

test('locks the folder if no process uses the database', async () => {
  const unused = await makeDatabase('pglite');
  onTestFinished(unused.remove);
  if (!('dataDir' in unused.location)) throw new Error('PGlite has a folder');
  const { dataDir } = unused.location;
  await whilePaused(dataDir, () => {});
  const opened = await openTestDatabase(unused.location);
  await opened.close();
});
