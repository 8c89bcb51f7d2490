import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { addScript, scriptedKind, type Scripts } from '../../../test/scripted-kind.ts';
import { storedRecords, untilReady } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { type Database } from '../../platform/database/database.ts';
import { releaseAbandonedLeases } from '../../shared/repositories/sync-state.ts';
import type { EntityLease } from './sync-queue.ts';

/**
 * Two processes on one PostgreSQL server sync the same connectors. Each has its own connection pool and
 * worker.
 */

const path = '/api/v1/integrations/connectors';
const scripts: Scripts = new Map();
const kind = scriptedKind(scripts);
let place: TestDatabase;
let databases: readonly [Database, Database];
let service: TestService;
let other: TestService;
let token: string;
beforeAll(async () => {
  place = await makeDatabase('postgres');
  databases = [await openTestDatabase(place.location), await openTestDatabase(place.location)];
  service = await startTestService(databases[0], { kinds: [kind] });
  other = await startTestService(databases[1], { kinds: [kind], sandbox: service.sandbox });
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
});
afterAll(async () => {
  await other.close();
  await service.close();
  await Promise.all(databases.map(database => database.close()));
  await place.remove();
});

const create = async (customer_name: string, script: string): Promise<string> => {
  const body = {
    customer_name,
    connector_type: kind.key,
    name: script,
    credentials: { api_key: goodKey },
    replication_config: { script },
  };
  return (await service.ask('POST', path, { token, body })).body.id;
};

/**
 * Forces a connector's leases to expire. A worker keeps extending its leases while its event loop is running,
 * and the two workers in this file share an event loop, so one cannot be stalled without the other.
 */
async function expireLeases({ kysely }: Database, connectorId: string): Promise<void> {
  await kysely
    .updateTable('synced_entities')
    .set({ lease_until: new Date(0) })
    .where('connector_id', '=', connectorId)
    .execute();
}

async function hasLease({ kysely }: Database, connectorId: string): Promise<boolean> {
  const rows = await kysely
    .selectFrom('synced_entities')
    .select('entity')
    .where('connector_id', '=', connectorId)
    .where('lease_id', 'is not', null)
    .execute();
  return rows.length > 0;
}

async function countLiveProcesses({ kysely }: Database): Promise<number> {
  const { rows } = await sql`select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`.execute(kysely);
  return rows.length;
}

test('two processes never sync the same type of data at the same time, and fetch each page once', async () => {
  const pages = Array.from({ length: 8 }, (_, page) => [page * 2, page * 2 + 1]);
  const running = new Map<string, number>();
  const seen = new Map<string, number>();
  let maxRunning = 0;
  const scripted = Array.from({ length: 12 }, (_, index) => `shared ${index}`);
  for (const name of scripted) {
    for (const entity of ['things', 'changes']) {
      const before = async (page: number): Promise<void> => {
        const type = `${name} ${entity}`;
        running.set(type, (running.get(type) ?? 0) + 1);
        seen.set(`${type} ${page}`, (seen.get(`${type} ${page}`) ?? 0) + 1);
        maxRunning = Math.max(maxRunning, running.get(type) ?? 0);
        await delay(4);
        running.set(type, (running.get(type) ?? 0) - 1);
      };
      addScript(scripts, name, entity, { pages, before });
    }
  }
  const slices: EntityLease[][] = [[], []];
  const ids = await Promise.all(scripted.map((name, index) => create(`customer ${index % 5}`, name)));
  const workers = await Promise.all(
    [service, other].map((each, process) =>
      each.startSync({ sliceMs: 12, onSliceEnd: lease => slices[process]?.push(lease) }),
    ),
  );
  for (const id of ids) {
    await untilReady(service, token, id);
    expect(await storedRecords(databases[0].kysely, kind, 'things', id)).toHaveLength(16);
  }
  await Promise.all(workers.map(worker => worker.close()));
  expect(maxRunning).toBe(1);
  expect([...seen.values()].filter(times => times !== 1)).toEqual([]);
  // Both processes had work to do.
  for (const own of slices) expect(own.length).toBeGreaterThan(5);
});

test('a process takes over from a stalled process, which can no longer write', async () => {
  const stalled = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const script = addScript(scripts, 'stalling', 'things', {
    pages: [[1], [2], [3]],
    before: async page => {
      if (page !== 1 || script.runs.length > 1) return;
      reached.resolve();
      await stalled.promise;
    },
  });
  const ends: string[] = [];
  const first = await service.startSync({
    leaseSeconds: 600,
    onSliceEnd: ({ entity }, end) => ends.push(`${entity} ${end}`),
  });
  const id = await create('stalling', 'stalling');
  await reached.promise;
  await until(async () =>
    expect(await storedRecords(databases[0].kysely, kind, 'things', id)).toHaveLength(1),
  );
  await expireLeases(databases[1], id);
  const second = await other.startSync();
  await untilReady(service, token, id);
  script.pages = [[1], [99], [3]];
  stalled.resolve();
  await until(() => expect(ends).toContain('things lost'));
  await Promise.all([first.close(), second.close()]);
  const records = await storedRecords(databases[0].kysely, kind, 'things', id);
  expect(records).toEqual([1, 2, 3].map(key => ({ id: String(key), name: `things ${key}` })));
  expect(script.runs.map(({ position }) => position)).toEqual([null, { next: 1 }]);
});

test('a process takes over from a process that lost its database connection before the lease expires', async () => {
  const { location } = place;
  if (!('databaseUrl' in location)) throw new Error('A PostgreSQL server has a URL');
  const never = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const script = addScript(scripts, 'abandoned', 'things', {
    pages: [[1], [2], [3]],
    before: async page => {
      if (page !== 1 || script.runs.length > 1) return;
      reached.resolve();
      await never.promise;
    },
  });
  const abandoned = await startTestService(databases[0], {
    kinds: [kind],
    sandbox: service.sandbox,
    databaseUrl: location.databaseUrl,
  });
  await until(async () => expect(await countLiveProcesses(databases[0])).toBe(1));
  const ends: string[] = [];
  const first = await abandoned.startSync({
    leaseSeconds: 600,
    onSliceEnd: ({ entity }, end) => ends.push(`${entity} ${end}`),
  });
  const id = await create('abandoned', 'abandoned');
  await reached.promise;
  await until(async () =>
    expect(await storedRecords(databases[0].kysely, kind, 'things', id)).toHaveLength(1),
  );
  const second = await other.startSync({ leaseSeconds: 600, pollMs: 50 });
  // No other process takes the lease while the first one is connected.
  await releaseAbandonedLeases(databases[1].kysely);
  expect(await hasLease(databases[0], id)).toBe(true);
  await abandoned.disconnect();
  await untilReady(service, token, id);
  never.resolve();
  await until(() => expect(ends).toContain('things lost'));
  await Promise.all([first.close(), second.close()]);
  await abandoned.close();
  expect(script.runs.map(({ position }) => position)).toEqual([null, { next: 1 }]);
});
