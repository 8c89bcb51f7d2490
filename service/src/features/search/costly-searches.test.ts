import { setImmediate, setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import { everything } from '../../../test/search/arbitrary.ts';
import {
  startTestService,
  type TestApplication,
  type TestResponse,
  type TestService,
} from '../../../test/test-service.ts';
import { createLog } from '../../platform/log/log.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables } from '../../shared/records/record-table.ts';
import { costOf } from './cost.ts';
import { readQuery } from './query.ts';

const connectors = '/api/v1/integrations/connectors';
const kind = kindWith('searchable', { things: everything });
const tables = new RecordTables([kind]);
const sizes = [1_000, 10_000, 100_000];
const listsPerAttack = 40;

const databaseLog: string[] = [];
const write = (line: string): void => void databaseLog.push(line);

/** A filter that no index can serve, and that no record matches. */
const attack = (comparisons: number) => ({
  or: Array.from({ length: comparisons }, (_, n) => ({ any: { labels: { like: { email: `%zz${n}%` } } } })),
});

onPostgresOrEachEngineInFull(
  'costly searches',
  (database, engine) => {
    let service: TestService;
    let applications: [TestApplication, TestApplication];
    let attacker: string;
    let neighbour: string;
    const [table] = tables.all;
    if (table === undefined) throw new Error('The kind has a searchable entity');

    beforeAll(async () => {
      await ensureRecordTables(database().kysely, tables);
      service = await startTestService(database(), { kinds: [kind] });
      applications = [
        await service.addApplication('attacker', ['Attacker']),
        await service.addApplication('neighbour', ['Neighbour']),
      ];
      await signIn();
      await create(neighbour, 'quiet');
    });
    afterAll(() => service.close());

    const signIn = async (): Promise<void> => {
      [attacker, neighbour] = [
        await service.tokenOf(applications[0]),
        await service.tokenOf(applications[1]),
      ];
    };

    const create = async (token: string, customer_name: string): Promise<string> => {
      const credentials = { api_key: goodKey };
      const body = { customer_name, connector_type: 'searchable', name: 'Things', credentials };
      return (await service.ask('POST', connectors, { token, body })).body.id;
    };
    /** Stores records with text of 300 characters and arrays of ten objects. */
    const fill = async (id: string, records: number): Promise<void> => {
      const db = database().kysely;
      const party = { name: 'Ada Lovelace', email: 'ada@lumen.example', affiliation: 'external' };
      const labels = JSON.stringify(Array.from({ length: 10 }, () => party));
      const atOnce = 5_000;
      for (let from = 0; from < records; from += atOnce) {
        await sql`
          insert into ${sql.id(table.name)} ("$organization", "$connector", "$generation", id, "segments.day", note, labels, clicks)
          select (select organization_id from connectors where id = ${id}), ${id}::uuid, 1, n, '2026-01-01', repeat('summer sale ', 25), ${labels}::jsonb, n
          from generate_series(${from}::int, ${Math.min(records, from + atOnce) - 1}::int) as n`.execute(db);
      }
      await db
        .updateTable('synced_entities')
        .set({ records, last_synced_at: sql<Date>`now()` })
        .where('connector_id', '=', id)
        .execute();
    };
    const search = (id: string, query: unknown): Promise<TestResponse> =>
      service.ask('POST', `${connectors}/${id}/execute`, {
        token: attacker,
        body: { entity: 'things', action: 'search', params: { query, limit: 1, fields: ['id'] } },
      });
    /** Returns the largest of a search's variants that the cost limit accepts. */
    const largest = (records: number, variant: (count: number) => object): object => {
      let [accepted, rejected] = [1, 1001];
      while (rejected - accepted > 1) {
        const count = Math.floor((accepted + rejected) / 2);
        const params = { query: variant(count), limit: 1, fields: ['id'] };
        if (costOf(table, readQuery(table, params), records).units <= database().searchCostLimit)
          accepted = count;
        else rejected = count;
      }
      return variant(accepted);
    };

    test('rejects costly searches without running them, and names the costliest part', async () => {
      const id = await create(attacker, 'costly');
      await fill(id, 1_000);
      const responses = await Promise.all([1, 2, 3].map(() => search(id, { filter: attack(990) })));
      for (const { status, body } of responses) {
        expect(status).toBe(422);
        expect(body).toMatchObject({
          code: 'query_too_expensive',
          detail: expect.stringMatching(
            /part is query\.filter\.any\.labels\.like\.email \(990 × 1,000 records\)/,
          ),
          errors: [{ path: 'params.query.filter.any.labels.like.email' }],
        });
      }
      expect((await search(id, { filter: { eq: { id: 7 } } })).body.result.data).toEqual([{ id: 7 }]);
    });

    const variants: [string, (count: number) => object][] = [
      ['like in any', count => ({ filter: attack(count) })],
      [
        'keyword',
        count => ({
          filter: { or: Array.from({ length: count }, (_, n) => ({ keyword: { note: `zz${n}` } })) },
        }),
      ],
      [
        'contains',
        count => ({ filter: { or: Array.from({ length: count }, (_, n) => ({ contains: { labels: n } })) } }),
      ],
      [
        'nested any',
        count => ({
          filter: {
            or: Array.from({ length: count }, (_, n) => ({
              any: { labels: { any: { '*': { eq: { a: n } } } } },
            })),
          },
        }),
      ],
      ['no comparison but a sort', () => ({ sort: [{ 'owner.name': 'asc' }, { note: 'desc' }] })],
    ];
    // `limited-search.test.ts` tests that searches of others do not wait.
    fullTest(
      'keeps another organization going during the costliest searches that the limit accepts',
      { timeout: 1_800_000 },
      async () => {
        const figures: object[] = [];
        for (const records of sizes) {
          const ids: string[] = [];
          for (const customer of ['first', 'second']) {
            const id = await create(attacker, `${customer} ${records}`);
            await fill(id, records);
            ids.push(id);
          }
          for (const [name, variant] of variants) {
            const query = largest(records, variant);
            const over = new AbortController();
            const statuses: number[] = [];
            const codes: string[] = [];
            const attacks = [...ids, ...ids, ...ids].map(async id => {
              while (!over.signal.aborted) {
                const { status, body } = await search(id, query);
                expect([200, 422, 429]).toContain(status);
                statuses.push(status);
                codes.push(body.code);
                // Lets the service handle other requests when searches are rejected immediately.
                if (status !== 200) await setImmediate();
              }
            });
            const lists: number[] = [];
            for (let count = 0; count < listsPerAttack; count++) {
              const startedAt = performance.now();
              const { status } = await service.ask('GET', connectors, { token: neighbour });
              lists.push(performance.now() - startedAt);
              expect(status).toBe(200);
              // The neighbour sends a request every 150 ms.
              await setTimeout(Math.max(0, 150 - (lists.at(-1) ?? 0)));
            }
            over.abort();
            await Promise.all(attacks);
            // Ends the pauses after searches that timed out. The tokens have expired by then, too.
            service.advance(3_600_000);
            await signIn();
            const p95 = percentile(lists, 95);
            figures.push({
              engine,
              records,
              name,
              found: statuses.filter(status => status === 200).length,
              slow: codes.filter(code => code === 'query_too_slow').length,
              p95,
              max: percentile(lists, 100),
            });
            expect(p95).toBeLessThan(1_000);
          }
        }
        process.stdout.write(figures.map(figure => `${JSON.stringify(figure)}\n`).join(''));
        expect(databaseLog.join('')).not.toContain('database_statement_stopped');
      },
    );
  },
  engine => ({
    log: createLog({ level: 'debug', destination: { write } }),
    // The defaults of `SEARCH_TIMEOUT_MS`.
    searchTimeoutMs: engine === 'pglite' ? 800 : 5_000,
  }),
);

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN);
}
