import { kinds } from '@connector-auth/connectors';
import type { Kind } from '@connector-auth/connectors/kind';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials, storedRecords, untilReady, vendorRecords } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';

/** Limits the data of large accounts, so that the test does not take minutes. */
const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tiktok-marketing': {
    advertiser_ids: ['7210046633581101057', '6998112233445566778'],
    start_date: '2026-11-12',
  },
  'google-ads': { start_date: '2026-11-12' },
};

onPostgresOrEachEngineInFull('the stored records of a new connector', database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database());
    await service.startSync();
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterAll(() => service.close());

  describe.each(kinds.map((kind): [string, Kind] => [kind.key, kind]))('%s', (key, kind) => {
    test(
      "synced records equal the vendor's records in every searchable entity",
      { timeout: 180_000 },
      async () => {
        const credentials = goodCredentials(service.sandbox, key);
        const body = {
          customer_name: 'acme',
          connector_type: key,
          name: key,
          credentials,
          replication_config: settings[key],
        };
        const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
        expect(created.status, JSON.stringify(created.body)).toBe(201);
        const { sync } = await untilReady(service, token, created.body.id);
        expect(Object.keys(sync.entities).toSorted()).toEqual(searchableEntities(kind).toSorted());
        let total = 0;
        for (const entity of searchableEntities(kind)) {
          const expected = await vendorRecords(service.sandbox, kind, entity, {
            credentials,
            settings: settings[key],
          });
          const stored = await storedRecords(database().kysely, kind, entity, created.body.id);
          expect(stored, entity).toEqual(expected);
          expect(sync.entities[entity], entity).toMatchObject({
            state: 'done',
            records: expected.length,
            last_synced_at: expect.any(String),
            last_error: null,
          });
          total += expected.length;
        }
        expect(total).toBeGreaterThan(100);
      },
    );
  });
});
