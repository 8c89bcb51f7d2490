import { parseJson, stringifyJson } from '@connector-auth/api';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { onEachEngine, type Engine } from '../../../test/engines.ts';
import { addConnector, kindWith } from '../../../test/record-fixtures.ts';
import { everything, filters, records, sorts, unusualRecords } from '../../../test/search/arbitrary.ts';
import { naiveSearch } from '../../../test/search/naive.ts';
import { keyRing } from '../../../test/test-service.ts';
import { SignedCursors } from '../../platform/crypto/signed-cursors.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables, type RecordTable } from '../../shared/records/record-table.ts';
import { upsertRecords } from '../../shared/records/store.ts';
import type { ConnectorRef } from '../../shared/repositories/connectors.ts';
import type { Position } from './order.ts';
import { searchRecords, type SearchResponse } from './search.ts';

/**
 * If `SEARCH_SETS` is set, tests that many random sets of records. Otherwise, tests the same sets each time.
 */
const chosenSets = Number(process.env['SEARCH_SETS'] ?? 0);
/** Fewer on PGlite, which is slower and runs the same statements. */
const runsOn = (engine: Engine) =>
  chosenSets > 0 ? { numRuns: chosenSets } : { numRuns: engine === 'pglite' ? 4 : 8, seed: 20261121 };
const queriesPerSet = 30;

onEachEngine('search', (database, engine) => {
  const runs = runsOn(engine);
  const tables = new RecordTables([kindWith('everything', { things: everything })]);
  const [table] = tables.all as [RecordTable];
  const cursors = new SignedCursors<Position>(keyRing('own', 7), 'search cursor');
  let connector: ConnectorRef;

  beforeAll(async () => {
    const db = database().kysely;
    await ensureRecordTables(db, tables);
    connector = await addConnector(db, 'everything');
    // Records of another connector, which no search may find.
    const other = await addConnector(db, 'everything');
    await upsertRecords(db, table, { connector: other, seenRun: null }, [
      { id: 1 },
      { id: 2, 'campaign.name': 'Summer sale' },
    ]);
  });

  const search = (params: Record<string, unknown>): Promise<SearchResponse> =>
    searchRecords(
      {
        db: database().search,
        cursors,
        limits: { cost: Infinity, deadlineMs: database().searchDeadlineMs },
      },
      {
        table,
        connector,
        readProgress: () =>
          Promise.resolve({ status: 'ready', records: 0, lastSyncedAt: null, columnsVersion: 0 }),
      },
      params,
    );

  const title =
    'finds the same records as a search in memory, for random records, filters, sorts and page sizes';
  test(title, { timeout: 60_000 + runs.numRuns * 3_000 }, async () => {
    const searches = fc.record({
      filter: filters,
      sort: sorts,
      limit: fc.integer({ min: 1, max: 6 }),
    });
    let searched = 0;
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.array(searches, { minLength: queriesPerSet, maxLength: queriesPerSet }),
        async (stored, asked) => {
          await storeOnly(stored);
          for (const { filter, sort, limit } of asked) {
            const query = { filter, sort };
            const expected = naiveSearch(everything, stored, query);
            const found = await readPages({ query, limit });
            expect(found).toStrictEqual(expected);
            searched++;
            if (found.length > 0 && found.length < stored.length) hits++;
          }
        },
      ),
      runs,
    );
    // The test is meaningful only if many searches find some records but not all. Random sets may have fewer
    // such searches.
    expect(hits).toBeGreaterThan(searched / (chosenSets > 0 ? 8 : 4));
  });

  test('writes each value as the service would write it as JSON', async () => {
    const scalars = Object.entries(everything.fields).flatMap(([field, type]) =>
      type === 'array' || type === 'object' ? [] : [field],
    );
    await fc.assert(
      fc.asyncProperty(unusualRecords, async stored => {
        await storeOnly(stored);
        const { data: written } = await search({ query: {}, fields: scalars });
        expect(written.text).toBe(stringifyJson(await readRows(scalars)));
        const { data } = await search({ query: {} });
        // The engines write a space between the members of JSON columns.
        const expected = stringifyJson(await readRows(Object.keys(everything.fields)));
        expect(data.parse()).toStrictEqual(parseJson(expected));
      }),
      { ...runs, numRuns: Math.max(40, chosenSets) },
    );
  });

  test('writes the digits of every number', async () => {
    const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 1,
      maxLength: 50,
    });
    await fc.assert(
      fc.asyncProperty(doubles, async ratios => {
        await storeOnly(ratios.map((ratio, id) => ({ id, ratio })));
        const { data } = await search({ query: {}, fields: ['ratio'] });
        expect(JSON.parse(data.text)).toEqual(ratios.map(ratio => ({ ratio: ratio === 0 ? 0 : ratio })));
      }),
      { ...runs, numRuns: Math.max(20, chosenSets) },
    );
  });

  async function storeOnly(stored: Record<string, unknown>[]): Promise<void> {
    const db = database().kysely;
    await sql`delete from ${sql.id(table.name)} where "$connector" = ${connector.id}`.execute(db);
    await upsertRecords(db, table, { connector, seenRun: null }, stored);
  }

  /** Reads columns as values, in the order of a search without a sort. */
  async function readRows(fields: readonly string[]): Promise<unknown[]> {
    const { rows } = await sql`
      select ${sql.join(fields.map(field => sql.id(field)))} from ${sql.id(table.name)}
      where "$connector" = ${connector.id} order by id`.execute(database().kysely);
    return rows;
  }

  /** Reads all pages by their cursors. */
  async function readPages(params: Record<string, unknown>): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let cursor: string | null = null; ;) {
      const { data, meta } = await search(cursor === null ? params : { ...params, cursor });
      const page = data.parse() as unknown[];
      expect(page).toHaveLength(data.length ?? -1);
      found.push(...page);
      expect(meta.has_more).toBe(meta.cursor !== null);
      if (meta.cursor === null) return found;
      expect(page).toHaveLength(params['limit'] as number);
      ({ cursor } = meta);
    }
  }
});
