import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manualClock, scriptedTransport } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  parseGrant,
  unlimited,
  type SyncPage,
} from '../kind/index.ts';
import { gong } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
let accessKeys: Record<string, string>[];
beforeAll(async () => {
  sandbox = await startSandbox();
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
  accessKeys = credentials
    .filter(({ values, works }) => works && 'access_key' in values)
    .map(({ values }) => values);
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

/** A day after the last call in the sandbox. */
const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'));

type EntityName = 'users' | 'calls' | 'calls_extensive';

async function runSync(entity: EntityName, since: string | null = null, position: unknown = null, key = 0) {
  const connection = connect({
    kind: gong,
    grants: grantsInMemory(parseGrant(gong, accessKeys[key] ?? {})),
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
    clock,
  });
  const vendor = await connection.vendorFor({ repeatable: true });
  const pages: SyncPage[] = [];
  for await (const page of gong.entities[entity].search.sync.run(vendor, { since, position }))
    pages.push(page);
  return pages;
}

/** Runs a sync against scripted responses and returns up to `maxPages` pages. */
function scriptedSync(entity: EntityName, ...script: Parameters<typeof scriptedTransport>) {
  const { transport, requests } = scriptedTransport(...script);
  const grants = grantsInMemory(parseGrant(gong, { access_key: 'a', access_key_secret: 'b' }));
  const connection = connect({ kind: gong, grants, transport, limiter: unlimited, clock });
  const { run } = gong.entities[entity].search.sync;
  return {
    requests,
    pages: async (position: unknown = null, maxPages = 10) => {
      const pages: SyncPage[] = [];
      for await (const page of run(await connection.vendorFor({ repeatable: true }), {
        since: null,
        position,
      })) {
        pages.push(page);
        if (pages.length === maxPages) break;
      }
      return pages;
    },
  };
}

const recordsOf = (pages: SyncPage[]) => pages.flatMap(({ records }) => records);
const entities: EntityName[] = ['users', 'calls', 'calls_extensive'];

describe('a Gong sync run', () => {
  test.each(entities)('yields all %s once, with the searchable fields only', async entity => {
    const records = recordsOf(await runSync(entity));
    const { fields } = gong.entities[entity].search;
    for (const record of records) expect(Object.keys(record)).toEqual(Object.keys(fields));
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(records.length).toBeGreaterThan(100);
  });

  test.each(entities)('resumes %s after any page without losing records', async entity => {
    const whole = await runSync(entity);
    for (const index of new Set([0, whole.length - 2])) {
      const stored: unknown = JSON.parse(JSON.stringify(whole[index]?.position));
      const rest = await runSync(entity, null, stored);
      expect(recordsOf(rest)).toEqual(recordsOf(whole.slice(index + 1)));
      expect(rest.at(-1)?.since).toBe(whole.at(-1)?.since);
    }
  });

  test.each(entities)('restarts the sync of %s if Gong rejects the cursor as unknown', async entity => {
    const stale = { cursor: 'forgotten', latest: null };
    expect(recordsOf(await runSync(entity, null, stale))).toEqual(recordsOf(await runSync(entity)));
  });

  test.each(entities)(
    'restarts the sync of %s once and fails if a cursor is rejected again',
    async entity => {
      const page = { body: { users: [], calls: [], records: { cursor: 'c' } } };
      const rejected = { status: 400, body: { errors: ['Invalid cursor'] } };
      const { requests, pages } = scriptedSync(entity, page, rejected, page, rejected);
      await expect(pages()).rejects.toMatchObject({ code: 'vendor_refused_request' });
      expect(requests).toHaveLength(4);
    },
  );

  test.each(entities)('restarts the sync of %s only once across resumed runs', async entity => {
    const page = { body: { users: [], calls: [], records: { cursor: 'c' } } };
    const rejected = { status: 400, body: { errors: ['Invalid cursor'] } };
    const [again] = await scriptedSync(entity, rejected, page).pages({ cursor: 'old', latest: null }, 1);
    const stored: unknown = JSON.parse(JSON.stringify(again?.position));
    const { requests, pages } = scriptedSync(entity, rejected);
    await expect(pages(stored)).rejects.toMatchObject({ code: 'vendor_refused_request' });
    expect(requests).toHaveLength(1);
  });

  test.each(['calls', 'calls_extensive'] as const)(
    'starts the next run of %s at the latest call that has begun, not at a future one',
    async entity => {
      const started = ['2031-01-01T00:00:00Z', '2026-11-02T10:00:00Z', '2026-11-01T10:00:00Z', 'soon'];
      const calls = started.map((started, index) => {
        const metaData = { id: String(index), started };
        return { ...metaData, metaData };
      });
      const pages = await scriptedSync(entity, { body: { calls } }).pages();
      expect(pages).toMatchObject([{ since: '2026-11-02T10:00:00.000Z' }]);
      expect(recordsOf(pages)).toHaveLength(4);
    },
  );

  test('skips private calls', async () => {
    const calls = recordsOf(await runSync('calls'));
    expect(calls.some(({ isPrivate }) => isPrivate === false)).toBe(true);
    expect(calls.some(({ isPrivate }) => isPrivate === true)).toBe(false);
    const extensive = recordsOf(await runSync('calls_extensive'));
    expect(extensive.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(extensive[0]).toMatchObject({
      startdatetime: calls[0]?.['started'],
      parties: expect.any(Array) as unknown,
      media: null,
    });
  });

  test.each(['calls', 'calls_extensive'] as const)(
    'reads only %s from one day before the last call seen',
    async entity => {
      const since = (await runSync(entity)).at(-1)?.since ?? null;
      expect(since).toMatch(/^\d{4}-\d\d-\d\dT/);
      const again = await runSync(entity, since);
      const records = recordsOf(again);
      expect(records.length).toBeLessThan(100);
      expect(again.at(-1)?.since).toBe(since);
    },
  );

  test('ends immediately for a company without calls', async () => {
    const empty = accessKeys.findIndex(({ access_key }) => access_key === 'gong_sandbox_empty');
    const pages = await runSync('calls', null, null, empty);
    expect(pages).toEqual([{ records: [], position: null, since: null }]);
  });
});
