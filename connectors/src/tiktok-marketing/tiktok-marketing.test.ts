import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTransport, unlimited } from '../kind/index.ts';
import { TikTokMarketing, tiktokMarketing } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
let access_token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'tiktok-marketing') ?? {};
  access_token = credentials.find(({ works }) => works)?.values['access_token'] ?? '';
});
afterEach(() => {
  sandbox.control.faults.clear();
  sandbox.control.requests.clear();
});
afterAll(() => sandbox.close());

/** Accounts in the sandbox: two of the pasted token's ad accounts, and one of another advertiser. */
const advertiser_id = '7210046633581101057';
const other = '6998112233445566778';
const foreign = '7999999999999999999';

function open(credentials: Record<string, unknown> = { access_token }) {
  return new TikTokMarketing({
    // Some tests pass invalid credentials.
    credentials: credentials as never,
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
  });
}

const asked = () => sandbox.control.requests.list({ vendor: 'tiktok-marketing' });

const report = {
  advertiser_id,
  service_type: 'AUCTION',
  report_type: 'BASIC',
  data_level: 'AUCTION_CAMPAIGN',
  dimensions: '["campaign_id","stat_time_day"]',
  metrics: '["campaign_name","spend","clicks","likes"]',
  start_date: '2026-05-01',
  end_date: '2026-05-30',
};

describe('TikTok lists', () => {
  test('gets advertisers by id in pages', async () => {
    const { advertisers } = open();
    const advertiser_ids = JSON.stringify([advertiser_id, other]);
    const both = await advertisers.list({ advertiser_ids });
    expect(both.result.map(one => one.advertiser_id)).toEqual([advertiser_id, other]);
    expect(both.connector_metadata).toEqual({
      page_info: { page: 1, page_size: 100, total_number: 2, total_page: 1 },
    });

    const second = await advertisers.list({ advertiser_ids, page: 2, page_size: 1 });
    expect(second.result).toEqual([both.result[1]]);
    expect(second.connector_metadata.page_info).toMatchObject({ page: 2, total_page: 2 });
    expect((await advertisers.list({ advertiser_ids, page: 3, page_size: 1 })).result).toEqual([]);

    const listed = [];
    for await (const one of advertisers.listAll({ advertiser_ids, page_size: 1 })) listed.push(one);
    expect(listed).toEqual(both.result);
  });

  test.each([
    ['campaigns', 'campaign_id'],
    ['ad_groups', 'adgroup_id'],
    ['ads', 'ad_id'],
    ['audiences', 'audience_id'],
    ['creative_assets_images', 'image_id'],
    ['creative_assets_videos', 'video_id'],
  ] as const)('iterates over all %s exactly once', async (entity, id) => {
    const connector = open();
    const first = await connector[entity].list({ advertiser_id, page_size: 7 });
    const total = first.connector_metadata.page_info.total_number;
    expect(total).toBeGreaterThan(7);
    expect(first.result).toHaveLength(7);

    const ids: unknown[] = [];
    const records: AsyncIterable<Record<string, unknown>> = connector[entity].listAll({ advertiser_id });
    for await (const one of records) {
      expect(one[id]).toEqual(expect.stringMatching(/\S/));
      ids.push(one[id]);
    }
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  test.each([
    ['advertisers_reports_daily', 'AUCTION_ADVERTISER', 'advertiser_id'],
    ['campaigns_reports_daily', 'AUCTION_CAMPAIGN', 'campaign_id'],
    ['ad_groups_reports_daily', 'AUCTION_ADGROUP', 'adgroup_id'],
    ['ads_reports_daily', 'AUCTION_AD', 'ad_id'],
  ] as const)('lists %s as flat rows', async (entity, data_level, id) => {
    const { fields } = tiktokMarketing.entities[entity].search;
    const metrics = Object.keys(fields).filter(name => name !== id && name !== 'stat_time_day');
    const { result, connector_metadata } = await open()[entity].list({
      ...report,
      data_level,
      dimensions: JSON.stringify([id, 'stat_time_day']),
      metrics: JSON.stringify(metrics),
    });
    expect(result.length).toBeGreaterThan(0);
    expect(connector_metadata.page_info.page).toBe(1);
    const [row] = result as Record<string, unknown>[];
    expect(Object.keys(row ?? {}).toSorted()).toEqual(Object.keys(fields).toSorted());
    expect(['number', 'bigint']).toContain(typeof row?.[id]);
    expect(row).toMatchObject({
      stat_time_day: expect.stringMatching(/^2026-05-\d\d 00:00:00$/) as string,
      spend: expect.stringMatching(/^\d+(\.\d+)?$/) as string,
      likes: expect.any(Number) as number,
    });
  });

  test('keeps all digits of ids beyond the safe range', async () => {
    const { result } = await open().advertisers_reports_daily.list({
      ...report,
      data_level: 'AUCTION_ADVERTISER',
      dimensions: '["advertiser_id","stat_time_day"]',
      metrics: '["spend"]',
    });
    expect(result[0]?.advertiser_id).toBe(BigInt(advertiser_id));
    // Declared but not requested, so null.
    expect(result[0]).toMatchObject({ clicks: null, likes: null, cash_spend: null });
  });
});

describe('TikTok errors', () => {
  test('gives an example of each constant that is missing from a report’s params', async () => {
    const { service_type: _s, report_type: _r, data_level: _d, ...rest } = report;
    // A call that does not compile.
    const untyped = open() as unknown as { execute: (...args: unknown[]) => Promise<unknown> };
    await expect(untyped.execute('campaigns_reports_daily', 'list', rest)).rejects.toMatchObject({
      code: 'invalid_params',
      errors: [
        { path: 'params.service_type', message: 'Must be a constant such as AUCTION' },
        { path: 'params.report_type', message: 'Must be a constant such as BASIC' },
        { path: 'params.data_level', message: 'Must be a constant such as AUCTION_CAMPAIGN' },
      ],
    });
  });

  test('reports a rejected token although the status is 200', async () => {
    const connector = open({ access_token: 'revoked' });
    await expect(connector.campaigns.list({ advertiser_id })).rejects.toMatchObject({
      code: 'reauthentication_required',
      vendor: { status: 200, code: '40105' },
    });
  });

  test("reports the vendor's error for another user's advertiser and for an invalid request", async () => {
    const connector = open();
    await expect(connector.ads.list({ advertiser_id: foreign })).rejects.toMatchObject({
      code: 'vendor_permission_missing',
      vendor: { code: '40001', message: expect.stringContaining(foreign) as string },
    });
    await expect(
      connector.campaigns_reports_daily.list({ ...report, end_date: '2026-08-30' }),
    ).rejects.toMatchObject({ code: 'vendor_refused_request', vendor: { code: '40002' } });
  });

  test.each([
    ['too many requests', { status: 429 }],
    ['an internal TikTok error', { status: 500 }],
    ['a failing gateway', { status: 502 }],
    ['a truncated response', { truncate: true }],
    ['a response that is not JSON', { invalidJson: true }],
  ])('retries after %s', async (_what, fault) => {
    sandbox.control.faults.add({ vendor: 'tiktok-marketing', count: 1, ...fault });
    const { result } = await open().campaigns.list({ advertiser_id, page_size: 1 });
    expect(result).toHaveLength(1);
    expect(asked()).toHaveLength(2);
  });
});

describe('TikTok parameters', () => {
  /** Lists an entity without type checks and returns the paths of the issues. */
  async function issuePathsOf(entity: string, params: unknown): Promise<string[]> {
    const untyped = open() as unknown as { execute(...args: unknown[]): Promise<unknown> };
    const error: unknown = await untyped.execute(entity, 'list', params).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid_params', status: 422 });
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted();
  }

  test.each([
    ['campaigns', {}, ['params.advertiser_id']],
    ['campaigns', { advertiser_id: 7210046633581101057n }, ['params.advertiser_id']],
    [
      'campaigns',
      { advertiser_id: 'abc', page: 0, page_size: 1001, color: 'red' },
      ['params.advertiser_id', 'params.color', 'params.page', 'params.page_size'],
    ],
    ['ads', { advertiser_id, page_size: 1.5 }, ['params.page_size']],
    ['audiences', { advertiser_id, page_size: 101 }, ['params.page_size']],
    ['creative_assets_images', { advertiser_id, page_size: '20' }, ['params.page_size']],
    ['creative_assets_videos', { advertiser_id, page: -1 }, ['params.page']],
    ['advertisers', { advertiser_ids: advertiser_id }, ['params.advertiser_ids']],
    ['advertisers', { advertiser_ids: [advertiser_id] }, ['params.advertiser_ids']],
    ['advertisers', { advertiser_ids: '[]' }, ['params.advertiser_ids']],
    ['advertisers', { advertiser_ids: '{"0":"1"}' }, ['params.advertiser_ids']],
    [
      'advertisers',
      { advertiser_ids: `["${advertiser_id}",${other},"x"]` },
      ['params.advertiser_ids.1', 'params.advertiser_ids.2'],
    ],
    ['advertisers', { advertiser_ids: JSON.stringify(Array(101).fill(other)) }, ['params.advertiser_ids']],
    [
      'campaigns_reports_daily',
      { advertiser_id },
      ['data_level', 'dimensions', 'end_date', 'metrics', 'report_type', 'service_type', 'start_date'].map(
        name => `params.${name}`,
      ),
    ],
    [
      'ads_reports_daily',
      {
        ...report,
        dimensions: 'ad_id',
        metrics: '["spend",1]',
        data_level: 'auction ad',
        end_date: '2026-02-30',
      },
      ['params.data_level', 'params.dimensions', 'params.end_date', 'params.metrics.1'],
    ],
    [
      'ads_reports_daily',
      { ...report, start_date: '2026-06-01', page_size: 5000 },
      ['params.end_date', 'params.page_size'],
    ],
  ])('rejects invalid parameters of %s with a path for each issue: %o', async (entity, params, paths) => {
    expect(await issuePathsOf(entity, params)).toEqual(paths);
    expect(asked()).toEqual([]);
  });

  test('rejects a malformed JSON array with an example', async () => {
    const attempt = open().advertisers.list({ advertiser_ids: '7210046633581101057' });
    await expect(attempt).rejects.toThrow(/Not a JSON array.*\["7210046633581101057"\]/);
  });
});

describe('TikTok types', () => {
  test('rejects unknown entities, actions and parameters at compile time', () => {
    // Compiled, not run.
    const _ = async (connector: InstanceType<typeof TikTokMarketing>) => {
      const { result, connector_metadata } = await connector.execute('campaigns', 'list', { advertiser_id });
      result[0]?.campaign_name satisfies string | null | undefined;
      result[0]?.roas_bid satisfies number | null | undefined;
      connector_metadata.page_info.total_page satisfies number;
      const row = (await connector.ads_reports_daily.list(report)).result[0];
      row?.ad_id satisfies number | bigint | null | undefined;
      row?.spend satisfies string | null | undefined;
      // @ts-expect-error a count is not a string
      row?.likes satisfies string | null | undefined;
      // @ts-expect-error campaigns have no such field
      void result[0]?.likes;
      // @ts-expect-error no such entity
      await connector.execute('campaign', 'list', { advertiser_id });
      // @ts-expect-error campaigns cannot be updated
      await connector.execute('campaigns', 'update', { advertiser_id });
      // @ts-expect-error the advertiser is required
      await connector.execute('campaigns', 'list', {});
      // @ts-expect-error an id is a string
      await connector.campaigns.list({ advertiser_id: 1 });
      // @ts-expect-error no such parameter
      await connector.campaigns.list({ advertiser_id, color: 'red' });
      // @ts-expect-error reports need dates
      await connector.ads_reports_daily.list({ ...report, start_date: undefined });
    };
    expect(_).toBeTypeOf('function');
  });
});
