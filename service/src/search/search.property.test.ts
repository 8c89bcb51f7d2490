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

/** Sets of records, the same ones each time; others, and as many as one likes, by `SEARCH_SETS`. */
const chosenSets = Number(process.env['SEARCH_SETS'] ?? 0);
const runs = chosenSets > 0 ? { numRuns: chosenSets } : { numRuns: 25, seed: 20261121 };
/** Asked of each set. */
const questions = 30;

onEachEngine('search', database => {
  const tables = new RecordTables([kindWith('everything', { things: everything })]);
  const [table] = tables.all as [RecordTable];
  const cursors = new Cursors(keyRing('own', 7));
  let connector: ConnectorRef;

  beforeAll(async () => {
    const db = database().kysely;
    await ensureRecordTables(db, tables);
    connector = await addConnector(db, 'everything');
    // Records of somebody else, which nobody must find.
    const other = await addConnector(db, 'everything');
    await upsertRecords(db, table, other, 1, [{ id: 1 }, { id: 2, 'campaign.name': 'Summer sale' }]);
  });

  const search = (params: Record<string, unknown>): Promise<SearchResponse> =>
    searchRecords({ db: database().search, cursors }, table, connector.id, params, () =>
      Promise.resolve('ready'),
    );

  const claim =
    'answers as a search in memory does, whatever the records, the filter, the order and the pages';
  test(claim, { timeout: 60_000 + runs.numRuns * 3_000 }, async () => {
    const question = fc.record({
      filter: filters,
      sort: sorts,
      limit: fc.integer({ min: 1, max: 6 }),
    });
    let answered = 0;
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.array(question, { minLength: questions, maxLength: questions }),
        async (stored, asked) => {
          await sql`delete from ${sql.id(table.name)} where "$connector" = ${connector.id}`.execute(
            database().kysely,
          );
          await upsertRecords(database().kysely, table, connector, 1, stored);
          for (const { filter, sort, limit } of asked) {
            const query = { filter, sort };
            const expected = naiveSearch(everything, stored, query);
            const found = await readPages({ query, limit });
            expect(found).toStrictEqual(expected);
            answered++;
            if (found.length > 0 && found.length < stored.length) hits++;
          }
        },
      ),
      runs,
    );
    // Many questions must tell some records from others, or the property says little; of other sets, a few less may.
    expect(hits).toBeGreaterThan(answered / (chosenSets > 0 ? 8 : 4));
  });

  /** Every page, each by the cursor of the one before. */
  async function readPages(params: Record<string, unknown>): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let cursor: string | null = null; ;) {
      const { data, meta } = await search(cursor === null ? params : { ...params, cursor });
      found.push(...data);
      expect(meta.has_more).toBe(meta.cursor !== null);
      if (meta.cursor === null) return found;
      expect(data.length).toBe(params['limit']);
      ({ cursor } = meta);
    }
  }
});
