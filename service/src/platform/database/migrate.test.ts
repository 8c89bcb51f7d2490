import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  engines,
  fakeVersion,
  makeDatabase,
  makeEmptyDatabase,
  testOnServerOrInFull,
} from '../../../test/engines.ts';
import { silentLog } from '../log/log.ts';
import { openDatabase, type Database, type DatabaseLocation } from './database.ts';
import { readMigrations } from './migrate.ts';
import type { Migration } from './migration-effects.ts';

const shipped = await readMigrations();
const tea: Migration = { name: '9001_tea', sql: 'create table tea (id int); insert into tea values (1);' };
const milk: Migration = { name: '9002_milk', sql: 'alter table tea add column milk boolean' };

function open(location: DatabaseLocation, more: readonly Migration[]): Promise<Database> {
  return openDatabase(location, { log: silentLog, migrations: [...shipped, ...more] });
}

/** Opens the database with these migrations, reads from it and closes it. */
async function readWith<T>(
  location: DatabaseLocation,
  more: readonly Migration[],
  see: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await open(location, more);
  try {
    return await see(database);
  } finally {
    await database.close();
  }
}

const teaRows = async ({ kysely }: Database) => (await sql`select * from tea`.execute(kysely)).rows;

describe.each(engines)('on %s', engine => {
  // What compares names and checksums does not depend on the engine, and PGlite takes long to open. The template that all
  // suites copy is migrated on both.
  const testOnServer = testOnServerOrInFull(engine);

  testOnServer(
    'applies each migration in order and only once, even if the service starts repeatedly',
    async () => {
      const place = await makeDatabase(engine);
      expect(await readWith(place.location, [tea], teaRows)).toEqual([{ id: 1 }]);
      expect(await readWith(place.location, [tea, milk], teaRows)).toEqual([{ id: 1, milk: null }]);
      expect(await readWith(place.location, [tea, milk], teaRows)).toEqual([{ id: 1, milk: null }]);
      await place.remove();
    },
  );

  test('rolls back a failed migration and keeps the previous migrations', async () => {
    const place = await makeDatabase(engine);
    const broken: Migration = { name: '9002_broken', sql: 'create table half (id int); select 1 / 0' };
    await expect(open(place.location, [tea, broken])).rejects.toMatchObject({
      message: 'Migration 9002_broken failed and was rolled back',
      cause: { message: 'division by zero' },
    });
    const half = await readWith(place.location, [tea], async ({ kysely }) => {
      const { rows } = await sql`select to_regclass('half') as half, to_regclass('tea') as tea`.execute(
        kysely,
      );
      return rows;
    });
    expect(half).toEqual([{ half: null, tea: 'tea' }]);
    await place.remove();
  });

  testOnServer('locks the tables that a migration changes before it changes the first', async () => {
    const place = await makeDatabase(engine);
    const cup: Migration = { name: '9002_cup', sql: 'create table cup (id int)' };
    const last: Migration = {
      name: '9003_last',
      sql: `-- Not incidents.
        create table held as select relation::regclass::text as name from pg_locks
          where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation in (select oid from pg_class where relkind = 'r');
        alter table tea add column milk boolean;
        insert into cup values (1);`,
    };
    const held = await readWith(place.location, [tea, cup, last], async ({ kysely }) => {
      return (await sql`select name from held order by name`.execute(kysely)).rows;
    });
    expect(held).toEqual([{ name: 'cup' }, { name: 'tea' }]);
    await place.remove();
  });

  testOnServer('rejects a database that a newer version has migrated', async () => {
    const place = await makeDatabase(engine);
    await (await open(place.location, [tea])).close();
    await expect(open(place.location, [])).rejects.toThrow(
      'The database contains migration 9001_tea, which is unknown to this version',
    );
    await place.remove();
  });

  testOnServer('rejects a migration that was changed after it was applied', async () => {
    const place = await makeDatabase(engine);
    await (await open(place.location, [tea])).close();
    const changed = { ...tea, sql: `${tea.sql} -- and biscuits` };
    await expect(open(place.location, [changed])).rejects.toThrow(
      'Migration 9001_tea differs from the version applied',
    );
    const onlyLineEndings = { ...tea, sql: tea.sql.replaceAll('\n', '\r\n') };
    await (await open(place.location, [onlyLineEndings])).close();
    await place.remove();
  });

  testOnServer('continues with a database that migration 0030 has changed as it did at first', async () => {
    const place = await makeDatabase(engine);
    await readWith(place.location, [], async ({ kysely }) => {
      await sql`alter table synced_entities drop column run_records`.execute(kysely);
      await sql`
        update migrations set checksum = 'b9cc15ee6406e4a050732de3ebdd87a7e2e3f9a80b81363eee60465fce75a06d'
        where name = '0030_exact_record_counts'`.execute(kysely);
    });
    expect(await readWith(place.location, [tea], teaRows)).toEqual([{ id: 1 }]);
    await place.remove();
  });
});

test('applies migrations once when several processes start at the same time on PostgreSQL', async () => {
  const place = await makeDatabase('postgres');
  const databases = await Promise.all(Array.from({ length: 5 }, () => open(place.location, [tea])));
  const [first] = databases;
  expect(first && (await teaRows(first))).toEqual([{ id: 1 }]);
  await Promise.all(databases.map(database => database.close()));
  await place.remove();
});

test('rejects a PostgreSQL server that is too old before it writes anything', async () => {
  const place = await makeEmptyDatabase('postgres');
  await fakeVersion(place, 15);
  await expect(open(place.location, [tea])).rejects.toThrow(
    'PostgreSQL 15 is too old. Upgrade the server to version 17 or later.',
  );
  const database = await openDatabase(place.location, { log: silentLog, appliesMigrations: false });
  const { rows } = await sql`select to_regclass('migrations') as name`.execute(database.kysely);
  expect(rows).toEqual([{ name: null }]);
  await database.close();
  await place.remove();
});

test('allows migrations to run longer than the statement timeout', async () => {
  const place = await makeDatabase('postgres');
  const slow: Migration = { name: '9001_slow', sql: 'select pg_sleep(0.5); create table slow (id int)' };
  const database = await openDatabase(place.location, {
    log: silentLog,
    migrations: [...shipped, slow],
    statementTimeoutMs: 100,
  });
  expect((await sql`select * from slow`.execute(database.kysely)).rows).toEqual([]);
  await database.close();
  await place.remove();
});

test('migration files are numbered in order and without gaps', () => {
  const numbers = shipped.map(({ name }) => Number(/^\d{4}(?=_[a-z_]+$)/.exec(name)?.[0]));
  expect(numbers).toEqual(shipped.map((_, index) => index + 1));
});
