import type { Searchable } from '@connector-auth/connectors/kind';
import { sql, type CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addConnector, kindWith } from '../../../test/record-fixtures.ts';
import { ensureRecordTables } from './ensure.ts';
import { readHighlights } from './highlights.ts';
import { RecordTables, type RecordTable } from './record-table.ts';
import { upsertRecords } from './store.ts';

const search: Searchable = {
  fields: { id: 'integer', title: 'string', created_date: 'string' },
  primaryKey: ['id'],
  nullableKey: [],
  indexed: ['title', 'created_date'],
  text: ['title'],
  sync: { incremental: false, run: async function* () {} },
};

onPostgresOrEachEngineInFull('highlights', database => {
  const tables = new RecordTables([
    kindWith('dated', {
      things: search,
      // Without an index, nothing is read.
      slow: { ...search, indexed: ['title'] },
      odd: search,
      empty: search,
    }),
  ]);
  const db = () => database().kysely;
  const tableOf = (entity: string): RecordTable => {
    const table = tables.all.find(each => each.entity === entity);
    if (!table) throw new Error(`No table for ${entity}`);
    return table;
  };

  test('are the first and last time and the three newest titles, of one connector, from the ends of an index', async () => {
    await ensureRecordTables(db(), tables);
    const connector = await addConnector(db(), 'dated');
    const other = await addConnector(db(), 'dated');
    const day = (id: number) => new Date(Date.UTC(2026, 0, id)).toISOString();
    const records = Array.from({ length: 5_000 }, (_, id) => ({
      id,
      title: `Thing ${id}`,
      // The vendor leaves out the time of every tenth.
      created_date: id % 10 === 0 ? null : day(id),
    }));
    const write = (entity: string, items: Record<string, unknown>[], of = connector) =>
      upsertRecords(db(), tableOf(entity), { connector: of, seenRun: null }, items);
    await write('things', records);
    await write('slow', records.slice(0, 10));
    await write('things', [{ id: 1, title: 'Of another customer', created_date: day(9_999) }], other);
    await write('odd', [{ id: 1, title: 'Odd', created_date: 'last week' }]);
    await sql`analyze ${sql.id(tableOf('things').name)}`.execute(db());

    const statements: CompiledQuery[] = [];
    const recorded = db().withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(db().getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const found = await readHighlights(recorded, tables.all, connector);

    expect(Object.fromEntries(found)).toEqual({
      things: {
        dates: { from: day(1), to: day(4_999) },
        latest: [4_999, 4_998, 4_997].map(id => ({ title: `Thing ${id}`, at: day(id) })),
      },
    });
    const [statement, ...others] = statements;
    if (!statement) throw new Error('It must read something');
    expect(others).toEqual([]);
    const { rows } = await db().executeQuery<Record<string, string>>({
      ...statement,
      sql: `explain ${statement.sql}`,
    });
    const scans = rows
      .map(row => Object.values(row).join(''))
      .filter(line => /Scan.* on records_dated_things/.test(line));
    expect(scans).toHaveLength(3);
    expect(scans.filter(scan => !/Index( Only)? Scan/.test(scan))).toEqual([]);
  });
});
