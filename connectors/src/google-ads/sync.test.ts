import { setImmediate as nextTurn } from 'node:timers/promises';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { credentials as anyCredentials, errorOf } from '../../test/google-ads.ts';
import { manualClock, scriptedTransport } from '../../test/scripted.ts';
import {
  asObject,
  asString,
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type SyncPage,
  type Transport,
} from '../kind/index.ts';
import { addDays } from './days.ts';
import { googleAds } from './index.ts';
import { findReachableAccounts } from './reachable-accounts.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
let credentials: Record<string, string>;
beforeAll(async () => {
  sandbox = await startSandbox();
  const known = sandbox.control.vendors().find(({ key }) => key === 'google-ads')?.credentials ?? [];
  credentials = known.find(({ works }) => works)?.values ?? {};
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

/** The sandbox's accounts. */
const soap = '6120459183';
const manager = '7330012455';
const subManager = '9020031100';
const japan = '8150023344';
const germany = '6660007788';
const empty = '5550009876';
/** The end of the sandbox's data. */
const now = Date.parse('2026-11-20T12:00:00Z');

interface Options {
  settings?: Record<string, unknown>;
  transport?: Transport;
  at?: number;
}
const vendorWith = ({ settings = {}, transport, at = now }: Options = {}) =>
  connect({
    kind: googleAds,
    grants: grantsInMemory({ method: 'credentials', credentials, state: {}, settings }),
    transport: transport ?? createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
    clock: manualClock(at),
  }).vendorFor({ repeatable: true, deadlineMs: Infinity });

type Searched = Exclude<keyof typeof googleAds.entities, 'accessible_customers' | 'labels'>;

async function runSync(
  entity: Searched,
  options: Options = {},
  since: string | null = null,
  position: unknown = null,
) {
  const pages: SyncPage[] = [];
  const { sync } = googleAds.entities[entity].search;
  for await (const page of sync.run(await vendorWith(options), { since, position })) {
    // A service stores positions as JSON.
    pages.push({ ...page, position: JSON.parse(JSON.stringify(page.position)) as unknown });
  }
  return pages;
}
const recordsOf = (pages: readonly SyncPage[]) => pages.flatMap(({ records }) => records);

/** Returns the records by primary key, as a store would contain them after upserts. */
function stored(entity: Searched, records: SyncPage['records']): Map<string, unknown> {
  const { primaryKey } = googleAds.entities[entity].search;
  return new Map(records.map(record => [JSON.stringify(primaryKey.map(name => record[name])), record]));
}

describe('the accounts of a Google Ads sync run', () => {
  test('reads each enabled account that the user can access exactly once, with its login account', async () => {
    expect(await findReachableAccounts(await vendorWith())).toEqual([
      { id: empty, loginId: empty, isManager: false, timeZone: 'America/Los_Angeles' },
      { id: soap, loginId: soap, isManager: false, timeZone: 'Europe/Amsterdam' },
      { id: germany, loginId: manager, isManager: false, timeZone: 'Europe/Berlin' },
      { id: manager, loginId: manager, isManager: true, timeZone: 'America/New_York' },
      { id: japan, loginId: manager, isManager: false, timeZone: 'Asia/Tokyo' },
      { id: subManager, loginId: manager, isManager: true, timeZone: 'Europe/Amsterdam' },
    ]);
  });

  test('asks for each account that the user can access directly once, up to five at the same time', async () => {
    const ids = Array.from({ length: 12 }, (_none, index) => String(1_000_000_000 + index));
    const asked: string[] = [];
    let [open, most] = [0, 0];
    const transport: Transport = async ({ url }) => {
      const id = /customers\/(\d+)\//.exec(url)?.[1];
      if (id === undefined) {
        const resourceNames = ids.map(name => `customers/${name}`);
        return { status: 200, headers: {}, body: { access_token: 'a', expires_in: 3599, resourceNames } };
      }
      asked.push(id);
      most = Math.max(most, ++open);
      await nextTurn();
      open--;
      const customerClient = { id, manager: false, status: 'ENABLED' };
      return { status: 200, headers: {}, body: { results: [{ customerClient }] } };
    };
    const accounts = await findReachableAccounts(await vendorWith({ transport }));
    expect(accounts.map(({ id }) => id)).toEqual(ids);
    expect(asked.toSorted()).toEqual(ids);
    expect(most).toBe(5);
  });

  test('reads only the accounts that the settings list, if any', async () => {
    const settings = { customer_id: [germany, '4440001112'] };
    const accounts = await findReachableAccounts(await vendorWith({ settings }));
    expect(accounts.map(({ id }) => id)).toEqual([germany]);
  });

  test('fails if the user can access none of the accounts in the settings', async () => {
    const settings = { customer_id: ['3210045566'] };
    expect(await errorOf(runSync('campaigns', { settings }))).toMatchObject({
      code: 'vendor_permission_missing',
      message: expect.stringContaining('3210045566') as string,
    });
  });
});

describe('a full Google Ads sync run', () => {
  test.each(['campaign_labels', 'ad_group_labels', 'ad_group_ad_labels'] as const)(
    'yields all %s of every account',
    async entity => {
      const pages = await runSync(entity);
      const records = recordsOf(pages);
      expect(stored(entity, records).size).toBe(records.length);
      const table = entity.replace(/s$/, '');
      const perAccount = await Promise.all([soap, germany, japan].map(id => countOf(id, table)));
      expect(records).toHaveLength(perAccount.reduce((sum, count) => sum + count, 0));
      expect(pages.at(-1)).toEqual({ records: [], position: null, since: null });
    },
  );

  test('yields managers without metrics, and other accounts with the days on which they were active', async () => {
    const records = recordsOf(await runSync('accounts', { settings: { start_date: '2026-11-10' } }));
    const standing = records.filter(record => record['segments.date'] === null);
    expect(standing.map(record => record['customer.id'])).toEqual([
      Number(empty),
      Number(soap),
      Number(germany),
      Number(manager),
      Number(japan),
      Number(subManager),
    ]);
    const days = records
      .filter(record => record['customer.id'] === Number(soap))
      .map(record => record['segments.date']);
    expect(days).toEqual([
      null,
      ...Array.from({ length: 11 }, (_none, index) => addDays('2026-11-10', index)),
    ]);
    expect(stored('accounts', records).size).toBe(records.length);
  });

  test('yields each campaign once, and its metrics by day, hour and network', async () => {
    const settings = { customer_id: [germany], start_date: '2026-11-01' };
    const records = recordsOf(await runSync('campaigns', { settings }));
    expect(stored('campaigns', records).size).toBe(records.length);
    const standing = records.filter(record => record['segments.date'] === null);
    expect(standing).toHaveLength(await countOf(germany, 'campaign'));
    const figures = records.filter(record => record['segments.date'] !== null);
    const days = [...new Set(figures.map(record => String(record['segments.date'])))];
    // Sorted by day, even across windows.
    expect(days).toEqual(days.toSorted());
    expect(days[0]).toBe('2026-11-01');
    expect(days.at(-1)).toBe('2026-11-20');
    const query = `SELECT metrics.clicks, metrics.cost_micros FROM customer WHERE segments.date BETWEEN '2026-11-01' AND '2026-11-20'`;
    const vendor = await vendorWith();
    const { result } = await googleAds.entities.accounts.actions.list.run(
      { customer_id: germany, query },
      vendor,
    );
    const total = result[0] as unknown as { metrics: Record<string, string> };
    const sum = (name: string) => figures.reduce((all, record) => all + Number(record[name]), 0);
    expect(sum('metrics.clicks')).toBe(Number(total.metrics['clicks']));
    expect(sum('metrics.cost_micros')).toBe(Number(total.metrics['costMicros']));
    for (const record of figures.slice(0, 100)) {
      expect(record['segments.hour']).toEqual(expect.any(Number));
      expect(record['segments.ad_network_type']).toEqual(expect.any(String));
      expect(record['metrics.ctr']).toEqual(expect.any(Number));
    }
  });

  test.each(['ad_groups', 'ad_group_ads'] as const)('yields every record of %s once', async entity => {
    const records = recordsOf(
      await runSync(entity, { settings: { customer_id: [japan], start_date: '2026-11-15' } }),
    );
    expect(stored(entity, records).size).toBe(records.length);
    expect(records.length).toBeGreaterThan(await countOf(japan, entity.replace(/s$/, '')));
  });

  test('defaults to a start date two years back, and never starts before Google’s history begins', async () => {
    expect(await firstWindow({})).toBe('2024-11-20');
    expect(await firstWindow({ start_date: '2025-06-15' })).toBe('2025-06-15');
    expect(await firstWindow({ start_date: '2015-01-01' })).toBe('2023-10-20');
  });

  test('ends with the current day in the account’s time zone', async () => {
    const lateEvening = Date.parse('2026-11-19T20:00:00Z');
    expect(await lastWindow(japan, lateEvening)).toBe('2026-11-20');
    expect(await lastWindow(germany, lateEvening)).toBe('2026-11-19');
  });
});

describe('an incremental Google Ads sync run', () => {
  test('reads the conversion window and all objects again', async () => {
    const settings = { customer_id: [germany], start_date: '2026-11-01' };
    const whole = await runSync('campaigns', { settings });
    const since = whole.at(-1)?.since ?? null;
    expect(since).toBe('2026-11-20');
    const again = await runSync('campaigns', { settings }, since);
    const days = recordsOf(again).flatMap(record => asString(record['segments.date']) ?? []);
    expect(days.reduce((first, day) => (day < first ? day : first))).toBe('2026-11-05');
    const merged = stored('campaigns', [...recordsOf(whole), ...recordsOf(again)]);
    expect(merged).toEqual(stored('campaigns', recordsOf(whole)));
  });

  test('reads as many past days as the settings specify', async () => {
    expect(await firstWindow({ conversion_window_days: 30 }, '2026-11-20')).toBe('2026-10-20');
    expect(await firstWindow({ conversion_window_days: 0 }, '2026-11-20')).toBe('2026-11-19');
    expect(await firstWindow({ start_date: '2026-11-15' }, '2026-11-20')).toBe('2026-11-15');
  });
});

describe('an interrupted Google Ads sync run', () => {
  // Each run reads all pages after the one that it resumes after.
  fullTest('resumes after any page without losing records', { timeout: 1_200_000 }, async () => {
    sandbox.control.vendor('google-ads').settings.set({ pageRows: 40 });
    const options = { settings: { customer_id: [germany, japan], start_date: '2026-11-14' } };
    const whole = await runSync('campaigns', options);
    expect(whole.length).toBeGreaterThan(10);
    for (const [index, { position }] of whole.slice(0, -1).entries()) {
      const rest = await runSync('campaigns', options, null, position);
      expect(recordsOf(rest)).toEqual(recordsOf(whole.slice(index + 1)));
      expect(rest.at(-1)).toEqual(whole.at(-1));
    }
  });

  test('reads a stretch again if its page token has expired', async () => {
    sandbox.control.vendor('google-ads').settings.set({ pageRows: 40 });
    const options = { settings: { customer_id: [germany], start_date: '2026-11-14' } };
    const whole = await runSync('campaigns', options);
    const index = whole.findLastIndex(({ position }) => hasToken(position));
    expect(index).toBeGreaterThan(0);
    sandbox.control.clock.advance(3 * 3600 * 1000);
    const rest = await runSync('campaigns', options, null, whole[index]?.position);
    const held = [...recordsOf(whole.slice(0, index + 1)), ...recordsOf(rest)];
    expect(stored('campaigns', held)).toEqual(stored('campaigns', recordsOf(whole)));
    expect(rest.at(-1)).toEqual(whole.at(-1));
  });

  test("preserves the run's first day and the interrupted account's last day", async () => {
    sandbox.control.vendor('google-ads').settings.set({ pageRows: 40 });
    const options = { settings: { customer_id: [germany], start_date: '2026-11-10' }, at: now - 86_400_000 };
    const whole = await runSync('campaigns', options);
    const index = whole.findLastIndex(({ position }) => hasToken(position));
    expect(index).toBeGreaterThan(0);
    const rest = await runSync('campaigns', { ...options, at: now }, null, whole[index]?.position);
    expect(rest).toEqual(whole.slice(index + 1));
    expect(rest.at(-1)?.since).toBe('2026-11-19');
  });
});

const hasToken = (position: unknown) => typeof asObject(position)['pageToken'] === 'string';

describe('closed Google Ads accounts', () => {
  test('skips an account that closes during a run and reads the others', async () => {
    const through = createTransport({ sandboxUrl: sandbox.url });
    const transport = rejecting(through, germany, 'CUSTOMER_NOT_ENABLED');
    const records = recordsOf(await runSync('campaign_labels', { transport }));
    expect(records).toHaveLength(
      (await countOf(soap, 'campaign_label')) + (await countOf(japan, 'campaign_label')),
    );
  });

  test('fails the run after an error that affects every account', async () => {
    const through = createTransport({ sandboxUrl: sandbox.url });
    const transport = rejecting(through, germany, 'DEVELOPER_TOKEN_NOT_APPROVED');
    expect(await errorOf(runSync('campaign_labels', { transport }))).toMatchObject({
      code: 'vendor_permission_missing',
    });
  });
});

/** Wraps a transport and rejects requests about one account. */
function rejecting(through: Transport, id: string, value: string): Transport {
  return (request, call) => {
    if (!request.url.includes(`/customers/${id}/`)) return through(request, call);
    const details = [{ errors: [{ errorCode: { authorizationError: value }, message: value }] }];
    return Promise.resolve({ status: 403, headers: {}, body: { error: { code: 403, details } } });
  };
}

async function countOf(id: string, table: string): Promise<number> {
  const query = `SELECT ${table}.resource_name FROM ${table}`;
  const { result } = await googleAds.entities.campaigns.actions.list.run(
    { customer_id: id, query },
    await vendorWith(),
  );
  return result.length;
}

/** Returns the queries that a sync run sends about one account if the vendor has no data. */
async function queriesOf(
  settings: Record<string, unknown>,
  since: string | null,
  account: string,
  at: number,
) {
  const zones: Record<string, string> = { [japan]: 'Asia/Tokyo', [germany]: 'Europe/Berlin' };
  const customerClient = { id: account, manager: false, status: 'ENABLED', timeZone: zones[account] };
  const { transport, requests } = scriptedTransport(
    { body: { access_token: 'a', expires_in: 3599 } },
    { body: { resourceNames: [`customers/${account}`] } },
    { body: { results: [{ customerClient }] } },
    ...Array.from({ length: 100 }, () => ({ body: { fieldMask: 'adGroup.id' } })),
  );
  const grant = { method: 'credentials', credentials: anyCredentials, state: {}, settings };
  const clock = manualClock(at);
  const connection = connect({
    kind: googleAds,
    grants: grantsInMemory(grant),
    transport,
    limiter: unlimited,
    clock,
  });
  const vendor = await connection.vendorFor({ repeatable: true, deadlineMs: Infinity });
  const { sync } = googleAds.entities.ad_groups.search;
  for await (const page of sync.run(vendor, { since, position: null })) expect(page.records).toEqual([]);
  return requests.slice(3).map(({ body }) => (body as { query: string }).query);
}

async function firstWindow(settings: Record<string, unknown>, since: string | null = null) {
  const [whole, first] = await queriesOf(settings, since, germany, now);
  expect(whole).not.toContain('segments.date');
  return /BETWEEN '(.*?)'/.exec(first ?? '')?.[1];
}

async function lastWindow(account: string, at: number) {
  const queries = await queriesOf({ start_date: '2026-11-01' }, null, account, at);
  return /AND '(.*?)'/.exec(queries.at(-1) ?? '')?.[1];
}
