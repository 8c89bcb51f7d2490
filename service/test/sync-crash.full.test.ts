import { findKind } from '@connector-auth/connectors';
import type { Kind } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { searchableEntities } from '../src/shared/definitions/searchable-entities.ts';
import { enginesInFull, makeDatabase, type TestDatabase, openTestDatabase } from './engines.ts';
import { startKillableService } from './service-process.ts';
import { goodCredentials, storedRecords, vendorRecords } from './synced-records.ts';

// Starts several processes.
vi.setConfig({ testTimeout: 240_000 });

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** The number of pages that are requested between each start and kill. */
const pagesBeforeKills = process.env['TEST_FULL'] ? [3, 25, 40] : [25];

/**
 * Two connectors with many pages. One has 5,000 notes (30 per page), and the other 1,500 calls (100 per
 * page).
 */
const connectors: readonly { readonly kind: Kind; readonly credentials: () => Record<string, string> }[] = [
  { kind: kindOf('granola'), credentials: () => ({ api_key: 'grn_sandbox_large' }) },
  { kind: kindOf('gong'), credentials: () => ({ ...goodCredentials(sandbox, 'gong') }) },
];

function kindOf(name: string): Kind {
  const kind = findKind(name);
  if (kind === null) throw new Error(`There is no kind ${name}`);
  return kind;
}

describe.each(enginesInFull)('on %s', engine => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await makeDatabase(engine);
  });
  afterAll(() => place.remove());

  const noteRequests = (): number => sandbox.control.requests.count({ vendor: 'granola' });

  test("a service that is killed during a sync resumes and stores exactly the vendor's records", async () => {
    const service = await startKillableService(place.location, sandbox.url);
    const ids: string[] = [];
    for (const { kind, credentials } of connectors) {
      const request = { customer_name: 'acme', connector_type: kind.key, name: kind.key };
      ids.push((await service.client.connectors.create({ ...request, credentials: credentials() })).id);
    }
    const first = noteRequests();
    // Kills the service after a number of page requests, regardless of what it is writing at that time.
    for (const pages of pagesBeforeKills) {
      const before = noteRequests();
      await vi.waitFor(() => expect(noteRequests() - before).toBeGreaterThanOrEqual(pages), {
        timeout: 60_000,
        interval: 1,
      });
      await service.kill();
    }
    for (const id of ids) {
      await vi.waitFor(
        async () => expect((await service.client.connectors.get(id)).sync.status).toBe('ready'),
        {
          timeout: 120_000,
          interval: 100,
        },
      );
    }
    await service.stop();
    // There are 167 pages. After each kill, the service requests at most two of them again.
    expect(noteRequests() - first).toBeLessThan(167 + 10);

    const database = await openTestDatabase(place.location);
    for (const [index, { kind, credentials }] of connectors.entries()) {
      for (const entity of searchableEntities(kind)) {
        const stored = await storedRecords(database.kysely, kind, entity, ids[index] ?? '');
        expect(stored, entity).toEqual(
          await vendorRecords(sandbox, kind, entity, { credentials: credentials() }),
        );
        expect(stored.length, entity).toBeGreaterThan(200);
      }
    }
    await database.close();
  });
});
