import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { manualClock } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type OAuthApp,
  type SyncPage,
} from '../kind/index.ts';
import { tiktokMarketing } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
let access_token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'tiktok-marketing') ?? {};
  access_token = credentials.find(({ works }) => works)?.values['access_token'] ?? '';
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const us = '7210046633581101057';
const europe = '6998112233445566778';
/** This account exists only if a sandbox setting gives it ads. */
const large = '7502933100842217473';
const foreign = '7999999999999999999';
const app: OAuthApp = {
  clientId: '7100000000000000002',
  clientSecret: 'tiktok-sandbox-own-secret-91aa7e',
  extras: {},
};

interface Start {
  settings?: Record<string, unknown>;
  state?: Record<string, unknown>;
  app?: OAuthApp | null;
  token?: string;
  /** The app that issued the token, as a customer enters it. */
  credentials?: Record<string, string>;
  /** The current day. */
  today?: string;
}

function vendorWith({
  settings = {},
  state = {},
  app = null,
  token = access_token,
  credentials = {},
  today = '2026-11-20',
}: Start) {
  const grant = {
    method: 'access_token',
    credentials: { access_token: token, ...credentials },
    state,
    settings,
  };
  return connect({
    kind: tiktokMarketing,
    grants: grantsInMemory(grant),
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
    clock: manualClock(Date.parse(`${today}T12:00:00Z`)),
    app,
  }).vendorFor({ repeatable: true, deadlineMs: Infinity });
}

type EntityName = keyof typeof tiktokMarketing.entities;

async function runSync(
  entity: EntityName,
  start: Start,
  since: string | null = null,
  position: unknown = null,
) {
  const pages: SyncPage[] = [];
  const { sync } = tiktokMarketing.entities[entity].search;
  for await (const page of sync.run(await vendorWith(start), { since, position })) pages.push(page);
  return pages;
}

const recordsOf = (pages: SyncPage[]) => pages.flatMap(({ records }) => records);
const asked = () => sandbox.control.requests.list({ vendor: 'tiktok-marketing' });
const both: Start = { settings: { advertiser_ids: [us, europe] } };

describe('the advertisers of a TikTok sync run', () => {
  const idsOf = async (start: Start) =>
    recordsOf(await runSync('advertisers', start)).map(({ advertiser_id }) => String(advertiser_id));

  test('reads the advertisers in the settings, with integer ids', async () => {
    expect(recordsOf(await runSync('advertisers', { settings: { advertiser_ids: [us] } }))).toEqual([
      expect.objectContaining({ advertiser_id: BigInt(us), name: 'Tidewater US' }),
    ]);
  });

  test('reads the advertisers that TikTok lists for the app if the settings list none', async () => {
    expect((await idsOf({ app, state: { advertiser_ids: [us] } })).length).toBeGreaterThan(2);
  });

  test('reads the advertisers that TikTok lists for the app in the credentials', async () => {
    const credentials = { app_id: app.clientId, secret: app.clientSecret };
    expect((await idsOf({ credentials })).length).toBeGreaterThan(2);
  });

  test('falls back to the advertisers returned during the OAuth flow and skips those that it can no longer read', async () => {
    expect(await idsOf({ state: { advertiser_ids: [us, foreign, europe] } })).toEqual([europe, us]);
  });

  test('fails if the token cannot read an advertiser in the settings', async () => {
    await expect(idsOf({ settings: { advertiser_ids: [us, foreign] } })).rejects.toMatchObject({
      code: 'vendor_permission_missing',
    });
  });

  test('requires advertiser ids in the settings if they cannot be discovered', async () => {
    await expect(idsOf({})).rejects.toMatchObject({
      code: 'invalid_credentials',
      errors: [{ path: 'replication_config.advertiser_ids' }],
    });
  });
});

describe('a TikTok sync run of records', () => {
  test.each([
    'campaigns',
    'ad_groups',
    'ads',
    'audiences',
    'creative_assets_images',
    'creative_assets_videos',
  ] as const)('yields all %s once, with the searchable fields only', async entity => {
    const { search } = tiktokMarketing.entities[entity];
    const { primaryKey } = search;
    const fields: Readonly<Record<string, string>> = search.fields;
    const records = recordsOf(await runSync(entity, both));
    const keys = records.map(record => primaryKey.map(name => String(record[name])).join());
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(20);
    // The thousands of records have few different shapes, which are compared instead of each record.
    const shapes = new Set(records.map(record => Object.keys(record).join()));
    expect([...shapes]).toEqual([Object.keys(fields).join()]);
    const integers = Object.keys(fields).filter(name => fields[name] === 'integer');
    const types = new Set(records.flatMap(record => integers.map(name => typeof record[name])));
    expect(['number', 'bigint', 'object']).toEqual(expect.arrayContaining([...types]));
  });

  test("restarts an advertiser's sync a limited number of times across resumed runs", async () => {
    const vendor = await vendorWith({ settings: { advertiser_ids: [us] } });
    let total = 1000;
    const shrinking: typeof vendor = {
      ...vendor,
      send: async request => {
        if (!request.url.endsWith('/dmp/custom_audience/list/')) return vendor.send(request);
        const page = Number(request.query?.['page']);
        const page_info = { page, page_size: 1, total_number: --total, total_page: 3 };
        return {
          status: 200,
          headers: {},
          body: { code: 0, data: { list: [{ audience_id: String(page) }], page_info } },
        };
      },
    };
    const { sync } = tiktokMarketing.entities.audiences.search;
    const pages: unknown[] = [];
    let position: unknown = null;
    for (let turn = 0; turn < 20; turn++) {
      for await (const page of sync.run(shrinking, { since: null, position })) {
        pages.push(page.records.map(({ audience_id }) => audience_id).join());
        position = JSON.parse(JSON.stringify(page.position));
        break;
      }
    }
    expect(pages).toEqual(['1', '2', '1', '2', '1', '2', '1', '2', '3']);
  });

  test('resumes after any page without losing records', async () => {
    const whole = await runSync('audiences', both);
    expect(whole.length).toBeGreaterThan(1);
    for (const [index, { position }] of whole.entries()) {
      const stored: unknown = JSON.parse(JSON.stringify(position));
      expect(recordsOf(await runSync('audiences', both, null, stored))).toEqual(
        recordsOf(whole.slice(index + 1)),
      );
    }
  });

  test.each([
    ['in one time slice', Infinity],
    ['in a time slice per page', 1],
  ])("restarts an advertiser's sync if records are deleted midway, %s", async (_turns, pagesPerTurn) => {
    const vendor = await vendorWith({ settings: { advertiser_ids: [us] } });
    const list = ['5', '4', '3', '2', '1'];
    const asked: string[] = [];
    const shrinking: typeof vendor = {
      ...vendor,
      send: async request => {
        if (!request.url.endsWith('/dmp/custom_audience/list/')) return vendor.send(request);
        const page = Number(request.query?.['page']);
        asked.push(String(page));
        // Pages of two; a record of the first page is deleted before the second is requested.
        if (asked.length === 2) list.shift();
        const page_info = {
          page,
          page_size: 2,
          total_number: list.length,
          total_page: Math.ceil(list.length / 2),
        };
        const records = list.slice((page - 1) * 2, page * 2).map(audience_id => ({ audience_id }));
        return { status: 200, headers: {}, body: { code: 0, data: { list: records, page_info } } };
      },
    };
    const seen = new Set<unknown>();
    const { sync } = tiktokMarketing.entities.audiences.search;
    let position: unknown = null;
    const takeTurn = async (): Promise<boolean> => {
      let pages = 0;
      for await (const page of sync.run(shrinking, { since: null, position })) {
        for (const { audience_id } of page.records) seen.add(audience_id);
        position = JSON.parse(JSON.stringify(page.position));
        if (++pages === pagesPerTurn) return false;
      }
      return true;
    };
    while (!(await takeTurn())) expect(asked.length).toBeLessThan(10);
    expect(asked).toEqual(['1', '2', '1', '2']);
    expect(seen).toEqual(new Set(['1', '2', '3', '4', '5']));
  });
});

describe('a TikTok sync run of reports', () => {
  const recent: Start = { settings: { advertiser_ids: [us, europe], start_date: '2026-09-10' } };

  test('reads windows of at most 30 days from the first day to today', async () => {
    const pages = await runSync('advertisers_reports_daily', recent);
    const windows = asked()
      .filter(({ path }) => path.includes('/report/'))
      .map(({ query }) => [query['advertiser_id'], query['start_date'], query['end_date']]);
    expect(windows.slice(0, 3)).toEqual([
      [europe, '2026-09-10', '2026-10-09'],
      [europe, '2026-10-10', '2026-11-08'],
      [europe, '2026-11-09', '2026-11-20'],
    ]);
    expect(windows).toHaveLength(6);
    expect(pages.at(-1)).toMatchObject({ since: '2026-11-20' });
    const days = recordsOf(pages)
      .filter(({ advertiser_id }) => advertiser_id === BigInt(us))
      .map(({ stat_time_day }) => stat_time_day);
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBeGreaterThan(60);
  });

  test('does not read days before the account was created', async () => {
    await runSync('advertisers_reports_daily', { settings: { advertiser_ids: [us] } });
    // Created on 2023-04-11.
    const first = asked().find(({ path }) => path.includes('/report/'));
    expect(first?.query['start_date']).toBe('2023-04-10');
  });

  test('reads only the days that may have changed since the previous run', async () => {
    await runSync('campaigns_reports_daily', both, '2026-11-18');
    const starts = asked().flatMap(({ query }) => query['start_date'] ?? []);
    expect(new Set(starts)).toEqual(new Set(['2026-10-21', '2026-11-20']));
  });

  test('resumes a report after any page without losing rows', async () => {
    const start: Start = { settings: { advertiser_ids: [europe], start_date: '2026-10-10' } };
    const whole = await runSync('campaigns_reports_daily', start);
    expect(whole.length).toBeGreaterThan(2);
    for (const [index, { position }] of whole.slice(0, -1).entries()) {
      const stored: unknown = JSON.parse(JSON.stringify(position));
      const rest = await runSync('campaigns_reports_daily', start, null, stored);
      expect(recordsOf(rest)).toEqual(recordsOf(whole.slice(index + 1)));
    }
  });

  test('halves the number of days if TikTok reports that a query is too large', async () => {
    const vendor = await vendorWith({ settings: { advertiser_ids: [us], start_date: '2026-11-01' } });
    const spans: string[] = [];
    const picky = connect({
      kind: tiktokMarketing,
      grants: grantsInMemory(vendor.grant),
      limiter: unlimited,
      clock: manualClock(Date.parse('2026-11-20T12:00:00Z')),
      transport: (request, call) => {
        const { start_date, end_date } = request.query ?? {};
        if (start_date !== undefined) {
          spans.push(`${String(start_date).slice(8)}-${String(end_date).slice(8)}`);
          const days = Date.parse(String(end_date)) - Date.parse(String(start_date));
          if (days > 8 * 24 * 3600 * 1000)
            return Promise.resolve({ status: 200, headers: {}, body: { code: 40067, message: 'too large' } });
        }
        return createTransport({ sandboxUrl: sandbox.url })(request, call);
      },
    });
    const { sync } = tiktokMarketing.entities.advertisers_reports_daily.search;
    const days: unknown[] = [];
    const strict = await picky.vendorFor({ repeatable: true });
    for await (const { records } of sync.run(strict, { since: null, position: null })) {
      days.push(...records.map(({ stat_time_day }) => stat_time_day));
    }
    expect(spans).toEqual(['01-20', '01-15', '01-08', '09-16', '17-20']);
    expect(days).toHaveLength(20);
  });

  fullTest(
    'yields every ad of an advertiser with more ads than one report covers',
    async () => {
      sandbox.control.vendor('tiktok-marketing').settings.set({ largeAdvertiserAds: 11_500 });
      const settings = { advertiser_ids: [large], start_date: '2026-11-19' };
      const start: Start = { settings, today: '2026-11-19' };
      const pages = await runSync('ads_reports_daily', start);
      const filters = asked().flatMap(({ query }) => query['filtering'] ?? []);
      expect(new Set(filters).size).toBeGreaterThan(10);

      const spent = (pages: SyncPage[]) =>
        recordsOf(pages).reduce((sum, { spend }) => sum + Number(spend), 0);
      // The account's own metrics are the sum of its ads' only if no ad is omitted.
      expect(spent(pages)).toBeCloseTo(spent(await runSync('advertisers_reports_daily', start)), 0);

      const last = pages.length - 5;
      const stored: unknown = JSON.parse(JSON.stringify(pages[last]?.position));
      const rest = await runSync('ads_reports_daily', start, null, stored);
      expect(recordsOf(rest)).toEqual(recordsOf(pages.slice(last + 1)));
      // The sandbox generates the metrics of eleven thousand ads.
    },
    60_000,
  );
});

describe('the TikTok check', () => {
  const run = async (start: Start, knownAs?: string) =>
    tiktokMarketing.check.run(await vendorWith(start), knownAs);

  test('identifies the account by the oldest known advertiser', async () => {
    const accounts = [us, europe];
    const settings = { advertiser_ids: accounts };
    expect(await run({ settings })).toEqual({ account: europe, accounts });
    expect(await run({ settings }, us)).toEqual({ account: us, accounts });
    expect(await run({ settings }, '7')).toEqual({ account: europe, accounts });
    expect(await run({ state: { advertiser_ids: [us] } })).toEqual({ account: us, accounts: [us] });
  });

  test('requests the advertisers from TikTok if an app is configured, and stores them', async () => {
    const { account, state } = await run({ app });
    expect(account).toBe(europe);
    expect(state?.['advertiser_ids']).toEqual(expect.arrayContaining([us, europe]));
  });

  test('reads the token’s user if no advertiser is known', async () => {
    expect(await run({})).toEqual({ account: null });
    // The token belongs to a different app than the operator's.
    expect(await run({ app: { ...app, clientId: '71', clientSecret: 'x' } })).toEqual({ account: null });
    expect(asked().at(-1)?.path).toContain('/user/info/');
  });

  test.each([{}, { state: { advertiser_ids: [us] } }, { app }])(
    'rejects an expired or revoked token: %o',
    async start => {
      await expect(run({ ...start, token: 'dead' })).rejects.toMatchObject({
        code: 'reauthentication_required',
      });
    },
  );
});
