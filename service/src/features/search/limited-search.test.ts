import { systemClock } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import { everything } from '../../../test/search/arbitrary.ts';
import { keyRing, startTestService, type TestService } from '../../../test/test-service.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables } from '../../shared/records/record-table.ts';
import { findConnector } from '../../shared/repositories/connectors.ts';
import { createLimitedSearch } from './limited-search.ts';

const connectors = '/api/v1/integrations/connectors';
const kind = kindWith('searchable', { things: everything, others: everything });
const tables = new RecordTables([kind]);
const waiting = 16;

onEachEngine("one customer's searches", (database, engine) => {
  const atOnce = engine === 'pglite' ? 1 : 4;
  let service: TestService;
  let token: string;
  let organizationId = '';

  beforeAll(async () => {
    await ensureRecordTables(database().kysely, tables);
    service = await startTestService(database(), { kinds: [kind] });
    const application = await service.addApplication('own', ['Own']);
    token = await service.tokenOf(application);
    organizationId = application.organizationIds[0] ?? '';
  });
  afterAll(() => service.close());

  const create = async (customer_name: string): Promise<string> => {
    const body = {
      customer_name,
      connector_type: 'searchable',
      name: 'Things',
      credentials: { api_key: goodKey },
    };
    const { id } = (await service.ask('POST', connectors, { token, body })).body;
    // A search of an entity without synced records does not query its table.
    await database()
      .kysely.updateTable('synced_entities')
      .set({ records: 1 })
      .where('connector_id', '=', id)
      .execute();
    return id;
  };
  const search = (id: string, entity: string) =>
    service.ask('POST', `${connectors}/${id}/execute`, {
      token,
      body: { entity, action: 'search', params: { query: {} } },
    });

  test('runs searches up to a concurrency limit, queues more up to the queue limit, and rejects the rest', async () => {
    const searching = createLimitedSearch(database(), new RecordTables([kind]), {
      signingKeys: keyRing('signing', 1),
      clock: systemClock,
      costLimit: null,
    });
    const tenant = { organizationId, customerId: null };
    const stored = await findConnector(database().kysely, tenant, await create('acme'));
    if (stored === null) throw new Error('The connector is there');
    const ask = async (): Promise<unknown> => {
      await searching(stored, 'things', { query: {} }, new AbortController().signal);
      return 'found';
    };
    const asked = Array.from({ length: atOnce + waiting + 2 }, () => ask().catch((error: unknown) => error));
    const results = await Promise.all(asked);
    expect(results.slice(0, atOnce + waiting)).toEqual(Array(atOnce + waiting).fill('found'));
    for (const rejected of results.slice(atOnce + waiting)) {
      expect(rejected).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
    }
    expect(await ask()).toBe('found');
  });

  // PGlite has only one connection, so no other statement can run while one is blocked.
  if (engine === 'postgres')
    test("one customer's searches do not block another customer's", async () => {
      const [own, others] = [await create('acme'), await create('beta')];
      const blocked = Promise.withResolvers<void>();
      const done = Promise.withResolvers<void>();
      const table = tables.find('searchable', 'things')?.name ?? '';
      const blocking = database()
        .kysely.transaction()
        .execute(async transaction => {
          await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction);
          blocked.resolve();
          await done.promise;
        });
      await blocked.promise;
      try {
        const asked = Array.from({ length: atOnce + waiting + 1 }, () => search(own, 'things'));
        // Only the last search exceeds the queue limit, and therefore gets a response.
        const rejected = await Promise.race(asked);
        expect(rejected.status).toBe(429);
        expect(rejected.body.code).toBe('rate_limited');
        expect(rejected.headers['retry-after']).toBe('5');
        expect((await search(others, 'others')).status).toBe(200);
        done.resolve();
        await Promise.all(asked);
      } finally {
        done.resolve();
        await blocking;
      }
    });
});
