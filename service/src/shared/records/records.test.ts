import { randomUUID } from 'node:crypto';
import { kinds } from '@connector-auth/connectors';
import type { Searchable } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onEachEngine, onPostgresOrEachEngineInFull, testOnServerOrInFull } from '../../../test/engines.ts';
import { addConnector, createOlderTable, kindWith } from '../../../test/record-fixtures.ts';
import { silentLog } from '../../platform/log/log.ts';
import { deleteConnector, type ConnectorRef } from '../repositories/connectors.ts';
import { addEntities, extendLease, savePage } from '../repositories/sync-state.ts';
import { buildMissingIndexes } from './build-indexes.ts';
import { ensureRecordTables } from './ensure.ts';
import { fillOrganizations } from './fill-organizations.ts';
import {
  connectorColumn,
  organizationColumn,
  RecordTables,
  tenantColumns,
  type RecordTable,
} from './record-table.ts';
import {
  countRecords,
  deleteOrphans,
  deleteRecords,
  preparePage,
  removeVanished,
  upsertRecords,
  vacuumRecords,
  writePage,
} from './store.ts';

const search: Searchable = {
  fields: {
    id: 'integer',
    'segments.day': 'string',
    name: 'string',
    spend: 'decimal',
    ratio: 'number',
    isOn: 'boolean',
    tags: 'array',
    owner: 'object',
    'a.path.that.is.much.longer.than.the.sixty-three.bytes.that.a.name.may.have': 'string',
  },
  primaryKey: ['id', 'segments.day'],
  nullableKey: ['segments.day'],
  indexed: ['name', 'spend'],
  text: ['name'],
  sync: { incremental: false, run: async function* () {} },
};
const longName = Object.keys(search.fields).at(-1) ?? '';

onEachEngine('record tables', (database, engine) => {
  const testOnServer = testOnServerOrInFull(engine);
  const tables = new RecordTables([kindWith('testing', { things: search })]);
  const [table] = tables.all as [RecordTable];
  const db = () => database().kysely;
  let connector: ConnectorRef;

  beforeAll(() => ensureRecordTables(db(), tables));
  beforeEach(async () => {
    connector = await addConnector(db(), 'testing');
  });

  const write = (records: Record<string, unknown>[], seenRun: string | null = null, isFirst = false) =>
    upsertRecords(db(), table, { connector, seenRun, isFirst }, records);
  const read = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.id(table.name)} where ${sql.id(connectorColumn)} = ${connector.id}
      order by id, "segments.day"`.execute(db());
    return rows;
  };

  const readSchema = async () => {
    const { rows } = await sql<{ relation: string }>`
      select relname as relation, relkind as kind, attname as "column", format_type(atttypid, null) as type
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relname like 'records\\_%' and attnum > 0 order by relname, attnum`.execute(db());
    return rows;
  };

  testOnServer(
    'creates record tables for all searchable entities, and a second start does not change them',
    async () => {
      const all = new RecordTables(kinds);
      expect(all.all.length).toBeGreaterThan(20);
      await ensureRecordTables(db(), all);
      const created = await readSchema();
      expect(all.all.filter(({ name }) => !created.some(({ relation }) => relation === name))).toEqual([]);
      await Promise.all([ensureRecordTables(db(), all), ensureRecordTables(db(), all)]);
      expect(await readSchema()).toEqual(created);
    },
  );

  test('adds fields and indexes from a changed declaration without losing records', async () => {
    const before = kindWith('growing', { things: search });
    const after = kindWith('growing', {
      things: { ...search, fields: { ...search.fields, more: 'integer' }, indexed: ['name', 'more'] },
    });
    const [old] = new RecordTables([before]).all as [RecordTable];
    const grown = new RecordTables([after]);
    const [table] = grown.all as [RecordTable];
    await ensureRecordTables(db(), new RecordTables([before]));
    await upsertRecords(db(), old, { connector, seenRun: null }, [{ id: 1 }]);
    await ensureRecordTables(db(), grown);
    expect(await upsertRecords(db(), table, { connector, seenRun: null }, [{ id: 2, more: 5 }])).toBe(1);
    expect(await countRecords(db(), table, connector)).toBe(2);
    // These tables were read before another process made them.
    const otherwise = kindWith('growing', {
      things: { ...search, fields: { ...search.fields, ratio: 'string' } },
    });
    await expect(ensureRecordTables(db(), new RecordTables([otherwise]))).rejects.toThrow(
      'Another process has changed the columns of records_growing_things while this one was starting',
    );
  });

  test('stores records without losing digits, scales or text', async () => {
    const record = {
      id: 9223372036854775807n,
      'segments.day': '2026-01-31',
      name: 'É ß 𝒳 "\\ \n',
      spend: '20.000',
      ratio: 0.1,
      isOn: false,
      tags: ['a', 9007199254740993n, null, { deep: -9223372036854775808n }],
      owner: { email: 'a@b.example', id: 12345678901234567890n },
      [longName]: 'long',
    };
    expect(await write([record])).toBe(1);
    const { [longName]: long, ...others } = record;
    const [stored] = await read();
    expect(stored).toMatchObject(others);
    // The long column name is shortened, so compare by position. Columns are in the declared order.
    expect(Object.values(stored ?? {}).at(-1)).toBe(long);
  });

  test.each([
    [
      'text for numbers',
      { id: '9007199254740993', ratio: '1.5', spend: 2.5, isOn: 'true', name: 7 },
      { id: 9007199254740993n, ratio: 1.5, spend: '2.5', isOn: true, name: '7' },
    ],
    [
      'values that fit no column',
      { id: 1, ratio: 'much', spend: '-', isOn: 'maybe', owner: null, 'segments.day': undefined },
      { id: 1, ratio: null, spend: null, isOn: null, owner: null, 'segments.day': null },
    ],
    ['zero', { id: 0, ratio: 0, spend: '0.00' }, { id: 0, ratio: 0, spend: '0.00' }],
    [
      'text that PostgreSQL cannot store',
      { id: 2, name: 'a\0b\ud800c', tags: ['\0'], owner: { '\0': '\udc00' } },
      { id: 2, name: 'a\ufffdb\ufffdc', tags: ['\ufffd'], owner: { '\ufffd': '\ufffd' } },
    ],
    [
      'indexed text that is too long for an index',
      { id: 3, name: '𝒳'.repeat(900) },
      { id: 3, name: '𝒳'.repeat(500) },
    ],
  ])('stores %s', async (_title, record, stored) => {
    expect(await write([record])).toBe(1);
    expect(await read()).toMatchObject([stored]);
  });

  test('does not store records without a key', async () => {
    expect(await write([{ name: 'keyless' }, { id: 2n ** 63n }, { id: 1 }])).toBe(1);
    expect(await write([])).toBe(0);
  });

  test('replaces a record with the same key, including a key that contains null', async () => {
    await write([{ id: 1, name: 'first' }]);
    await write([
      { id: 1, name: 'second', spend: '1' },
      { id: 1, 'segments.day': '2026-01-01', name: 'another' },
      { id: 1, name: 'third' },
    ]);
    expect(await read()).toMatchObject([
      { 'segments.day': '2026-01-01', name: 'another' },
      { 'segments.day': null, name: 'third', spend: null },
    ]);
  });

  test.each([
    ['some records', [{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 2 }]],
    [
      'keys with and without null',
      [{ id: 1 }, { id: 1, 'segments.day': '' }, { id: 1, 'segments.day': '2026-01-01' }, { id: 2 }],
      [{ id: 1 }, { id: 1, 'segments.day': '' }],
    ],
    [
      'ids that only differ in 32 bits',
      [{ id: 1n }, { id: 2n ** 32n }, { id: 2n ** 33n + 1n }],
      [{ id: 1n }],
    ],
    ['none', [{ id: 1 }], []],
  ])(
    'deletes the records of this connector that a full run has not seen: %s',
    async (_title, stored, seen) => {
      const other = await addConnector(db(), 'testing');
      await upsertRecords(db(), table, { connector: other, seenRun: null }, stored);
      await write(stored);
      const [run, otherRun] = [randomUUID(), randomUUID()];
      await write(stored, otherRun);
      for (const record of seen) await write([record], run);
      const deleted = stored.length - seen.length;
      expect(await removeVanished(db(), table, { connector, seenRun: run })).toBe(deleted);
      expect(await read()).toMatchObject(
        seen.map(record => ({ ...record, id: Number(record.id) })).toReversed(),
      );
      expect(await countRecords(db(), table, other)).toBe(stored.length);
    },
  );

  test.each([
    ['a later run', false],
    ['the first run', true],
  ])('%s does not write stored records again, unless any of their bytes differ', async (_run, isFirst) => {
    const same = {
      id: 1,
      'segments.day': '2026-01-31',
      name: 'É',
      spend: '20.00',
      ratio: 0,
      isOn: true,
      tags: [1.5, { a: 'b'.repeat(9_000) }],
      owner: null,
      [longName]: 'x'.repeat(9_000),
    };
    const places = async () => {
      const { rows } = await sql<{ place: string }>`
        select ctid::text as place from ${sql.id(table.name)} where ${sql.id(connectorColumn)} = ${connector.id}`.execute(
        db(),
      );
      return rows.map(({ place }) => place);
    };
    await write([same, { id: 2 }]);
    const written = await places();
    expect(await write([same, { id: 2 }], randomUUID(), isFirst)).toBe(2);
    expect(await places()).toEqual(written);
    await write([{ ...same, spend: '20.000', tags: [1.5, { a: 'c' }] }], null, isFirst);
    expect(await places()).not.toContain(written[0]);
    expect(await places()).toContain(written[1]);
    expect(await read()).toMatchObject([{ id: 1, spend: '20.000', tags: [1.5, { a: 'c' }] }, { id: 2 }]);
  });

  if (engine === 'postgres')
    test('writes at most 100 bytes of write-ahead log per record that is stored already', async () => {
      const records = Array.from({ length: 2_000 }, (_, id) => ({
        id,
        name: 'x'.repeat(400),
        spend: '1.00',
      }));
      await db()
        .connection()
        .execute(async connection => {
          /** Returns the bytes that this connection has written. Other tests share the server. */
          const written = async () => {
            await sql`select pg_stat_force_next_flush()`.execute(connection);
            const { rows } = await sql<{ bytes: string }>`
              select wal_bytes as bytes from pg_stat_get_backend_wal(pg_backend_pid())`.execute(connection);
            return Number(rows[0]?.bytes);
          };
          const bytesPerRecord = async () => {
            const before = await written();
            await upsertRecords(connection, table, { connector, seenRun: randomUUID() }, records);
            return ((await written()) - before) / records.length;
          };
          expect(await bytesPerRecord()).toBeGreaterThan(400);
          const again = await bytesPerRecord();
          expect(again).toBeGreaterThan(7);
          expect(again).toBeLessThan(100);
        });
    });

  testOnServer('a record table does not grow when its records change repeatedly', async () => {
    const pages: number[] = [];
    for (let round = 1; round <= 6; round++) {
      await write(
        Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Name ${id}`, spend: `${round}.00` })),
      );
      const { maintenance } = database();
      // A PostgreSQL server would vacuum the table automatically, but only later.
      if (maintenance !== null) await vacuumRecords(maintenance, table.name);
      else await sql`vacuum ${sql.id(table.name)}`.execute(db());
      const { rows } = await sql<{ pages: number }>`
        select pg_relation_size(${table.name}::regclass) / 8192 as pages`.execute(db());
      pages.push(rows[0]?.pages ?? 0);
    }
    expect(pages.at(-1)).toBeLessThan(2.5 * (pages[0] ?? 0));
  });

  // A PostgreSQL server vacuums tables automatically.
  if (engine === 'pglite')
    test('vacuums a record table only after much of it was rewritten', async () => {
      const { maintenance } = database();
      if (maintenance === null) throw new Error('PGlite has a maintenance connection');
      const recordsOf = (count: number, ratio: number) =>
        Array.from({ length: count }, (_, id) => ({ id, ratio }));
      const vacuums = async () => {
        await sql`select pg_stat_force_next_flush()`.execute(maintenance);
        const { rows } = await sql<{ count: number }>`
        select vacuum_count as count from pg_stat_user_tables where relid = ${table.name}::regclass`.execute(
          maintenance,
        );
        return rows[0]?.count ?? 0;
      };
      await write(recordsOf(1_000, 1));
      await sql`vacuum ${sql.id(table.name)}`.execute(maintenance);
      const before = await vacuums();
      await write(recordsOf(100, 2));
      await vacuumRecords(maintenance, table.name);
      expect(await vacuums()).toBe(before);
      await write(recordsOf(1_000, 3));
      await vacuumRecords(maintenance, table.name);
      expect(await vacuums()).toBe(before + 1);
    });

  testOnServer('deletes all records of a connector in several statements', async () => {
    await write(Array.from({ length: 12_000 }, (_, id) => ({ id })));
    expect(await deleteRecords(db(), tables.all, connector)).toBe(12_000);
    expect(await read()).toEqual([]);
  });

  describe('records of a deleted connector', () => {
    test('deletes the records of a deleted connector and writes no new ones', async () => {
      await write([{ id: 1 }]);
      await deleteConnector(db(), connector);
      expect(await write([{ id: 2 }])).toBeNull();
      expect(await deleteOrphans(db(), tables)).toBe(1);
      expect(await read()).toEqual([]);
      expect(await deleteOrphans(db(), tables)).toBe(0);
    });

    test('deletes the records of a connector if its customer is deleted', async () => {
      await write([{ id: 1 }]);
      await sql`delete from customers where organization_id = ${connector.organizationId}`.execute(db());
      expect(await deleteOrphans(db(), tables)).toBe(1);
      expect(await read()).toEqual([]);
    });

    test('writes a page together with its position, and only with the lease of a connector that is synced', async () => {
      await addEntities(db(), connector, ['things']);
      const lease = { ...connector, connectorId: connector.id, entity: 'things', leaseId: randomUUID() };
      const state = () =>
        db()
          .selectFrom('synced_entities')
          .where('connector_id', '=', connector.id)
          .selectAll()
          .executeTakeFirstOrThrow();
      await db()
        .updateTable('synced_entities')
        .where('connector_id', '=', connector.id)
        .set({ lease_id: lease.leaseId })
        .execute();
      const store = (records: Record<string, unknown>[], leaseId = lease.leaseId) =>
        writePage(
          db(),
          table,
          { connector, seenRun: lease.leaseId },
          preparePage(table, records),
          savePage({ ...lease, leaseId }, { page: records.length }, 3),
        );
      // Extending the lease changes the same row as the page.
      const pages = [1, 2, 3, 4, 5].map(count =>
        Array.from({ length: count }, (_, id) => ({ id, name: `${count}` })),
      );
      for (const page of pages) await Promise.all([store(page), extendLease(db(), lease, 60)]);
      const stored = await state();
      expect(stored).toMatchObject({
        position: '{"page":5}',
        records: 5,
        run_changes: 15,
        run_calls: 15,
        seen_batches: 5,
      });
      expect(stored.lease_until).not.toBeNull();
      expect(await store([{ id: 9 }], randomUUID())).toBe(false);
      await sql`update connectors set disabled_at = now() where id = ${connector.id}`.execute(db());
      expect(await store([{ id: 9 }])).toBe(false);
      expect(await read()).toHaveLength(5);
      expect(await state()).toEqual(stored);
    });

    test('does not write records for a connector from another organization', async () => {
      const stranger = { organizationId: randomUUID(), id: connector.id };
      expect(
        await upsertRecords(db(), table, { connector: stranger, seenRun: randomUUID() }, [{ id: 1 }]),
      ).toBeNull();
    });
  });
});

onPostgresOrEachEngineInFull('concurrent writes and deletion of a connector', database => {
  test('writing records and deleting their connector concurrently leaves no records, in any order', async () => {
    const tables = new RecordTables([kindWith('racing', { things: search })]);
    const [table] = tables.all as [RecordTable];
    const db = database().kysely;
    await ensureRecordTables(db, tables);
    for (let round = 0; round < 40; round++) {
      const connector = await addConnector(db, 'racing');
      const records = Array.from({ length: 50 }, (_, id) => ({ id }));
      await Promise.all([
        ...[1, 2, 3].map(() => upsertRecords(db, table, { connector, seenRun: randomUUID() }, records)),
        deleteConnector(db, connector),
        upsertRecords(db, table, { connector, seenRun: null }, records),
      ]);
      await deleteOrphans(db, tables);
      expect(await countRecords(db, table, connector)).toBe(0);
    }
  });
});

onPostgresOrEachEngineInFull('record tables of an older version', database => {
  test('keep records searchable and unique while they get an organization, beside an older process', async () => {
    const tables = new RecordTables([kindWith('ageing', { things: search })]);
    const [table] = tables.all as [RecordTable];
    const db = database().kysely;
    await createOlderTable(db, table);
    const connector = await addConnector(db, 'ageing');
    const writeOlder = (ids: readonly number[]) =>
      sql`insert into ${sql.id(table.name)} ("$connector", "$generation", id, name)
        select ${connector.id}::uuid, 1, id, 'old' from unnest(${ids}::bigint[]) as id
        on conflict ("$connector", id, "segments.day") do update set "$generation" = 1, name = 'old'`.execute(
        db,
      );
    const read = async () => {
      const { rows } = await sql<{ id: number; name: string; organization: string | null }>`
        select id, name, "$organization" as organization from ${sql.id(table.name)} order by id`.execute(db);
      return rows;
    };
    const start = async () => {
      await ensureRecordTables(db, tables);
      await buildMissingIndexes({ database: database(), databaseUrl: null, tables, log: silentLog }, signal);
    };
    const { organizationId } = connector;
    const signal = new AbortController().signal;
    await writeOlder(Array.from({ length: 3_000 }, (_, id) => id));

    await start();
    expect(tenantColumns(table)).toEqual([connectorColumn]);
    expect(await countRecords(db, table, connector)).toBe(3_000);
    await writeOlder([3_000]);
    const run = randomUUID();
    expect(
      await upsertRecords(db, table, { connector, seenRun: run }, [
        { id: 0, name: 'new' },
        { id: 1, name: 'old' },
      ]),
    ).toBe(2);
    expect((await read()).filter(({ organization }) => organization !== null)).toEqual([
      { id: 0, name: 'new', organization: organizationId },
      { id: 3_000, name: 'old', organization: organizationId },
    ]);

    await fillOrganizations(db, tables, signal);
    expect((await read()).every(({ organization }) => organization === organizationId)).toBe(true);
    await start();
    expect(tenantColumns(table)).toEqual([organizationColumn, connectorColumn]);
    await writeOlder([1, 3_001]);
    await upsertRecords(db, table, { connector, seenRun: run }, [{ id: 3_001, name: 'new' }]);
    expect(await removeVanished(db, table, { connector, seenRun: run })).toBe(2_999);
    expect(await read()).toEqual([
      { id: 0, name: 'new', organization: organizationId },
      { id: 1, name: 'old', organization: organizationId },
      { id: 3_001, name: 'new', organization: organizationId },
    ]);
  });
});
