import { randomUUID } from 'node:crypto';
import type { SearchType } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addConnector, kindWith } from '../../../test/record-fixtures.ts';
import { holdColumnsVersion, holdLivenessId } from '../../platform/notifications/liveness.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { addEntities, beginRun, finishRun, readSync, resumeRun } from '../repositories/sync-state.ts';
import { openRecordTables } from './changed-types.ts';
import { ensureRecordTables, pendingRecordChanges } from './ensure.ts';
import { recordJson } from './record-json.ts';
import { ofConnector, searchedTable, type RecordTable, type RecordTables } from './record-table.ts';
import { upsertRecords } from './store.ts';

type Scores = Readonly<Record<number, unknown>>;

onPostgresOrEachEngineInFull('a field whose type changes', (database, engine) => {
  const db = () => database().kysely;
  let connector: ConnectorRef;
  /** Each test has a kind of its own. */
  let kind: string;
  let count = 0;

  beforeEach(async () => {
    kind = `changing${(count += 1)}`;
    connector = await addConnector(db(), kind);
    await addEntities(db(), connector, ['things']);
  });

  const declare = (score: SearchType, id: SearchType = 'integer') =>
    kindWith(kind, {
      things: {
        fields: { id, score, 'a.b': 'string' },
        primaryKey: ['id'],
        indexed: ['score'],
        text: [],
        sync: { incremental: true, run: async function* () {} },
      },
    });
  /** Starts a process with a version of the kind. */
  const start = async (score: SearchType): Promise<RecordTables> => {
    const tables = await openRecordTables(db(), [declare(score)]);
    await ensureRecordTables(db(), tables);
    return tables;
  };
  const tableOf = ({ all: [table] }: RecordTables): RecordTable => {
    if (table === undefined) throw new Error('The kind has one entity');
    return table;
  };
  const leaseOf = ({ columnsVersion }: RecordTables) => ({
    key: {
      organizationId: connector.organizationId,
      connectorId: connector.id,
      entity: 'things',
      leaseId: randomUUID(),
    },
    holder: null,
    columnsVersion,
    leaseSeconds: 60,
  });
  const store = async (tables: RecordTables, scores: Scores): Promise<void> => {
    const records = Object.entries(scores).map(([id, score]) => ({ id: Number(id), score }));
    await upsertRecords(db(), tableOf(tables), { connector, seenRun: null }, records);
    await sql`update synced_entities set records = 5 where connector_id = ${connector.id}`.execute(db());
  };
  const sync = async (tables: RecordTables, scores: Scores, isFull = true): Promise<void> => {
    const lease = leaseOf(tables);
    const run = { since: isFull ? null : 'then', intervalMinutes: 60 };
    await db()
      .transaction()
      .execute(transaction => beginRun(transaction, lease, run));
    await store(tables, scores);
    await finishRun(db(), lease.key, { since: 'now', records: null, calls: isFull ? 1 : null });
  };
  const search = async (tables: RecordTables): Promise<unknown[]> => {
    const [progress] = (await readSync(db(), [connector])).get(connector.id)?.entities ?? [];
    const table = searchedTable(tableOf(tables), progress?.columnsVersion ?? 0);
    const { rows } = await sql<{ record: string }>`
      select ${recordJson(db(), table, 'r')} as record from ${sql.id(table.name)} as r
      where ${ofConnector(table, 'r', connector)} order by id`.execute(db());
    return rows.map(({ record }) => (JSON.parse(record) as { score: unknown }).score);
  };
  const columns = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = ${`records_${kind}_things`}::regclass
        and attnum > 0 and not attisdropped and attname like 'score%' order by attname`.execute(db());
    return rows.map(({ name }) => name);
  };

  test('is searched in its earlier column until a full sync has filled the new one', async () => {
    const older = await start('integer');
    await sync(older, { 1: 10, 2: 20 });
    const newer = await start('string');
    expect(await pendingRecordChanges(db(), newer)).toEqual([
      expect.objectContaining({ index: tableOf(newer).indexes[1]?.name }),
    ]);
    expect(await search(newer)).toEqual([10, 20]);
    // Each version finds what the other one stores.
    await sync(newer, { 3: '30' }, false);
    await sync(older, { 4: 40 }, false);
    for (const tables of [older, newer]) expect(await search(tables)).toEqual([10, 20, 30, 40]);
    await sync(newer, { 1: 'ten', 2: '20', 3: '30', 4: '40' });
    expect(await search(newer)).toEqual(['ten', '20', '30', '40']);
    expect(await search(older)).toEqual([null, 20, 30, 40]);
    expect(await columns()).toEqual(['score', 'score$text']);
  });

  test('is searched in its earlier column again while a process stores records that does not know the new one', async () => {
    const older = await start('integer');
    await sync(older, { 1: 10 });
    const newer = await start('string');
    await sync(newer, { 1: '10' });
    await sync(older, { 2: 20 }, false);
    expect(await search(newer)).toEqual([10, 20]);
    await sync(newer, { 1: '10', 2: '20' });
    expect(await search(newer)).toEqual(['10', '20']);

    // A full run that the older process continues does not fill the column.
    const begun = leaseOf(newer);
    await db()
      .transaction()
      .execute(transaction => beginRun(transaction, begun, { since: null, intervalMinutes: 60 }));
    const continued = leaseOf(older);
    const row = { run_since: null, position: '1', seen_run: begun.key.leaseId };
    await db()
      .transaction()
      .execute(transaction => resumeRun(transaction, continued, row));
    await store(older, { 3: 30 });
    await finishRun(db(), continued.key, { since: 'now', records: null, calls: 1 });
    expect(await search(newer)).toEqual([10, 20, 30]);
  });

  test('loses its earlier column once no process needs it', async () => {
    await sync(await start('integer'), { 1: 10, 2: 20 });
    const filling = await start('string');
    // It may not be filled yet.
    expect(tableOf(await start('string')).others).toHaveLength(1);
    await sync(filling, { 1: '10', 2: '20' });
    const filled = await start('string');
    expect(tableOf(filled).others).toEqual([]);
    expect(await columns()).toEqual(['score', 'score$text']);
    await sync(filled, { 3: '30' }, false);
    const last = await start('string');
    expect(await columns()).toEqual(['score$text']);
    await sync(last, { 4: '40' }, false);
    expect(await search(last)).toEqual(['10', '20', '30', '40']);
  });

  test('is searched as before when the earlier version returns, also after its column was unused or dropped', async () => {
    await sync(await start('integer'), { 1: 10 });
    await sync(await start('string'), { 1: '10', 2: '20' });
    // Both columns are complete.
    const returned = await start('integer');
    expect(await search(returned)).toEqual([10, 20]);
    await sync(returned, { 3: 30 }, false);
    const again = await start('string');
    expect(await search(again)).toEqual(['10', '20', '30']);

    await sync(await start('string'), { 4: '40' }, false);
    expect(tableOf(await start('string')).others).toEqual([]);
    const stale = await start('integer');
    expect(await search(stale)).toEqual(['10', '20', '30', '40']);
    await sync(stale, { 1: 10, 2: 20, 3: 30, 4: 40 });
    expect(await search(stale)).toEqual([10, 20, 30, 40]);

    await sync(await start('string'), { 1: '1', 2: '2', 3: '3', 4: '4' });
    await start('string');
    await start('string');
    expect(await columns()).toEqual(['score$text']);
    const dropped = await start('integer');
    expect(await search(dropped)).toEqual(['1', '2', '3', '4']);
    await sync(dropped, { 1: 1, 2: 2, 3: 3, 4: 4 });
    expect(await search(dropped)).toEqual([1, 2, 3, 4]);
  });

  test('cannot be part of the key', async () => {
    await start('integer');
    await expect(openRecordTables(db(), [declare('integer', 'string')])).rejects.toThrow(
      `Field id identifies the records of ${kind}.things, so its type cannot change from bigint to text`,
    );
  });

  // The embedded database has one process.
  if (engine === 'postgres') {
    test('keeps its earlier column while an earlier process is connected', async () => {
      await sync(await start('integer'), { 1: 10 });
      await db()
        .connection()
        .execute(async session => {
          await sql.raw(holdLivenessId(count)).execute(session);
          await sync(await start('string'), { 1: '10' });
          // The session is that of a process which knows no version, and then of one that does.
          expect(tableOf(await start('string')).others).toHaveLength(1);
          await sql.raw(holdColumnsVersion(10_000)).execute(session);
          expect(tableOf(await start('string')).others).toEqual([]);
          await sql.raw('select pg_advisory_unlock_all()').execute(session);
          await sql.raw(holdLivenessId(count)).execute(session);
          await start('string');
          expect(await columns()).toEqual(['score', 'score$text']);
          await sql.raw('select pg_advisory_unlock_all()').execute(session);
        });
      await start('string');
      expect(await columns()).toEqual(['score$text']);
    });
  }
});
