import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { addConnector, kindWith } from '../../test/record-fixtures.ts';
import { everything, filters, records, sorts } from '../../test/search/arbitrary.ts';
import { naiveSearch } from '../../test/search/naive.ts';
import { keyRing } from '../../test/test-service.ts';
import { ensureRecordTables } from '../records/ensure.ts';
import { RecordTables, type RecordTable } from '../records/record-table.ts';
import { upsertRecords } from '../records/store.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { Cursors } from './cursor.ts';
import { searchRecords, type SearchResponse } from './search.ts';

/**
 * If `SEARCH_SETS` is set, tests that many random sets of records. Otherwise, tests the same sets each time.
 */
const chosenSets = Number(process.env['SEARCH_SETS'] ?? 0);
const runs = chosenSets > 0 ? { numRuns: chosenSets } : { numRuns: 25, seed: 20261121 };
const queriesPerSet = 30;

onEachEngine('search', database => {
  const tables = new RecordTables([kindWith('everything', { things: everything })]);
  const [table] = tables.all as [RecordTable];
  const cursors = new Cursors(keyRing('own', 7));
  let connector: ConnectorRef;

  beforeAll(async () => {
    const db = database().kysely;
    await ensureRecordTables(db, tables);
    connector = await addConnector(db, 'everything');
    // Records of another connector, which no search may find.
    const other = await addConnector(db, 'everything');
    await upsertRecords(db, table, { connector: other, generation: 1 }, [
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
        connectorId: connector.id,
        readProgress: () => Promise.resolve({ status: 'ready', records: 0, lastSyncedAt: null }),
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
          await sql`delete from ${sql.id(table.name)} where "$connector" = ${connector.id}`.execute(
            database().kysely,
          );
          await upsertRecords(database().kysely, table, { connector, generation: 1 }, stored);
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
