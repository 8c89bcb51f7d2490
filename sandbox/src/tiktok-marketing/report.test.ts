import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { EMPTY, sample, tiktokClient, US, type TikTokResponse } from '../../test/tiktok.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

let sandbox: RunningSandbox;
let client: ReturnType<typeof tiktokClient>;
beforeAll(async () => {
  sandbox = await startSandbox();
  client = tiktokClient(sandbox);
});
afterAll(() => sandbox.close());

const PATH = '/report/integrated/get/';
const IDS = {
  AUCTION_ADVERTISER: 'advertiser_id',
  AUCTION_CAMPAIGN: 'campaign_id',
  AUCTION_ADGROUP: 'adgroup_id',
  AUCTION_AD: 'ad_id',
};
const BASE = {
  advertiser_id: US,
  report_type: 'BASIC',
  service_type: 'AUCTION',
  start_date: '2026-10-20',
  end_date: '2026-11-18',
  page_size: 1000,
};

interface Row {
  dimensions: Record<string, string>;
  metrics: Record<string, string>;
}

const rows = async (parameters: object): Promise<Row[]> => {
  const found = await client.listAll(PATH, { ...BASE, ...parameters });
  // Another test compares the shape with the samples.
  return found as unknown as Row[];
};
const ask = async (parameters: object): Promise<TikTokResponse['body']> =>
  (await client.get(PATH, { ...BASE, ...parameters })).body;

const ADDITIVE = [
  'impressions',
  'clicks',
  'likes',
  'video_play_actions',
  'conversion',
  'result',
  'app_install',
];

function sumBy(list: Row[], key: (row: Row) => string, metric: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of list) {
    // Spend is a string with two decimals. Adding cents avoids rounding errors.
    const value = Math.round(Number(row.metrics[metric]) * 100);
    sums[key(row)] = (sums[key(row)] ?? 0) + value;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum > 0));
}

describe('TikTok report metrics', () => {
  fullTest('daily metrics add up from ads to ad groups to campaigns to the advertiser', async () => {
    const metrics = ['spend', ...ADDITIVE];
    const level = async (data_level: keyof typeof IDS, extra: string[] = []): Promise<Row[]> =>
      rows({ data_level, dimensions: [IDS[data_level], 'stat_time_day'], metrics: [...metrics, ...extra] });
    const [advertiser, campaigns, groups, ads] = await Promise.all([
      level('AUCTION_ADVERTISER'),
      level('AUCTION_CAMPAIGN'),
      level('AUCTION_ADGROUP', ['campaign_id']),
      level('AUCTION_AD', ['adgroup_id']),
    ]);
    const day = ({ dimensions }: Row): string => dimensions['stat_time_day'] ?? '';
    for (const metric of metrics) {
      const dayOf = (name: string) => (row: Row) => `${day(row)} ${row.dimensions[name]}`;
      const parentOf = (name: string) => (row: Row) => `${day(row)} ${row.metrics[name]}`;
      expect(sumBy(ads, parentOf('adgroup_id'), metric)).toEqual(sumBy(groups, dayOf('adgroup_id'), metric));
      expect(sumBy(groups, parentOf('campaign_id'), metric)).toEqual(
        sumBy(campaigns, dayOf('campaign_id'), metric),
      );
      expect(sumBy(campaigns, day, metric)).toEqual(sumBy(advertiser, day, metric));
    }
    expect(advertiser).toHaveLength(30);
    expect(ads.length).toBeGreaterThan(5000);
  });

  test('daily metrics vary with the day of the week and cover a year up to today', async () => {
    const daily: number[] = [];
    const weekdays = Array.from({ length: 7 }, () => 0);
    for (let window = 0; window < 12; window++) {
      const start = new Date(Date.UTC(2025, 10, 25 + window * 30));
      const list = await rows({
        data_level: 'AUCTION_ADVERTISER',
        dimensions: ['advertiser_id', 'stat_time_day'],
        start_date: start.toISOString().slice(0, 10),
        end_date: new Date(start.getTime() + 29 * 86_400_000).toISOString().slice(0, 10),
      });
      for (const { dimensions, metrics } of list) {
        daily.push(Number(metrics['spend']));
        weekdays[new Date(String(dimensions['stat_time_day']).slice(0, 10)).getUTCDay()]! += Number(
          metrics['spend'],
        );
      }
    }
    expect(daily).toHaveLength(360);
    expect(daily.every(spend => spend > 0)).toBe(true);
    expect(weekdays[6]! / weekdays[2]!).toBeGreaterThan(1.15);
  });

  fullTest(
    "metrics are strings (`-` if not applicable), and amounts use the currency's number of decimals",
    async () => {
      const metrics = ['spend', 'ctr', 'secondary_goal_result', 'ad_text', 'placement_type'];
      const list = await rows({ data_level: 'AUCTION_AD', dimensions: ['ad_id', 'stat_time_day'], metrics });
      for (const row of list)
        for (const value of Object.values(row.metrics)) expect(typeof value).toBe('string');
      const seen = (name: string): Set<string | undefined> => new Set(list.map(row => row.metrics[name]));
      expect(seen('ad_text')).toContain('-');
      expect(seen('secondary_goal_result')).toContain('-');
      expect(seen('placement_type')).toEqual(new Set(['TikTok', 'Automatic Placement']));
      for (const spend of seen('spend')) expect(spend).toMatch(/^\d+\.\d\d$/);
      const [yen] = await rows({
        advertiser_id: '7305518842910334977',
        data_level: 'AUCTION_CAMPAIGN',
        dimensions: ['campaign_id', 'stat_time_day'],
      });
      expect(yen?.metrics['spend']).toMatch(/^\d+$/);
    },
  );
});

describe('TikTok report rows', () => {
  test('daily reports include only objects that deliver; reports without a date include every object', async () => {
    const days = await rows({
      data_level: 'AUCTION_AD',
      dimensions: ['ad_id', 'stat_time_day'],
      metrics: ['impressions'],
    });
    const whole = await rows({ data_level: 'AUCTION_AD', dimensions: ['ad_id'], metrics: ['impressions'] });
    const isIdle = (row: Row): boolean => row.metrics['impressions'] === '0';
    const active = new Set(days.map(row => row.dimensions['ad_id']));
    expect(whole.filter(isIdle).length).toBeGreaterThan(active.size);
    const delivered = whole.filter(row => !isIdle(row)).map(row => row.dimensions['ad_id']);
    expect(delivered.every(id => active.has(id))).toBe(true);
    expect(days.filter(isIdle).length).toBeLessThan(days.length / 10);
    expect(days.some(isIdle)).toBe(true);
  });

  test('reports are empty without ads, before the first campaign and after today', async () => {
    const daily = { data_level: 'AUCTION_CAMPAIGN', dimensions: ['campaign_id', 'stat_time_day'] };
    const empty = await ask({ ...daily, advertiser_id: EMPTY });
    expect({ ...empty, request_id: '' }).toEqual({
      ...sample('report_advertiser_2_no_rows'),
      request_id: '',
    });
    expect(await rows({ ...daily, start_date: '2020-01-01', end_date: '2020-01-30' })).toEqual([]);
    expect(await rows({ ...daily, start_date: '2026-11-21', end_date: '2026-12-20' })).toEqual([]);
  });

  test('a filter restricts a report to the ads of some ad groups', async () => {
    const by = { data_level: 'AUCTION_AD', dimensions: ['ad_id'], metrics: ['adgroup_id'] };
    const all = await rows(by);
    const ids = [...new Set(all.map(row => row.metrics['adgroup_id']))].slice(0, 3);
    const filtering = [{ field_name: 'adgroup_ids', filter_type: 'IN', filter_value: JSON.stringify(ids) }];
    expect(await rows({ ...by, filtering })).toEqual(
      all.filter(row => ids.includes(row.metrics['adgroup_id'])),
    );
    expect(await ask({ ...by, filtering: [{ ...filtering[0], field_name: 'campaign_ids' }] })).toMatchObject({
      code: 40008,
    });
  });

  test("report rows include their advertiser's id and currency", async () => {
    const [row] = await rows({
      data_level: 'AUCTION_ADVERTISER',
      dimensions: ['advertiser_id'],
      metrics: ['advertiser_id', 'currency', 'spend', 'cash_spend', 'voucher_spend'],
    });
    expect([row?.dimensions['advertiser_id'], row?.metrics['currency']]).toEqual([US, 'USD']);
    const { spend, cash_spend, voucher_spend } = row?.metrics ?? {};
    expect(Number(cash_spend) + Number(voucher_spend)).toBeCloseTo(Number(spend), 2);
  });
});

describe('TikTok report validation', () => {
  const daily = { data_level: 'AUCTION_ADGROUP', dimensions: ['adgroup_id', 'stat_time_day'] };

  test('returns the two recorded validation errors exactly', async () => {
    const level = await ask({ ...daily, dimensions: ['campaign_id', 'stat_time_day'] });
    expect({ ...level, request_id: '' }).toEqual({ ...sample('error_40002_level'), request_id: '' });
    const span = await ask({ ...daily, start_date: '2026-10-19' });
    expect({ ...span, request_id: '' }).toEqual({ ...sample('error_40002_span'), request_id: '' });
  });

  test.each([
    [{ data_level: '' }, /^data_level: Missing/],
    [{ data_level: 'AUCTION_MOON' }, /^data_level: Must be one of/],
    [{ dimensions: '' }, /^dimensions: Missing/],
    [{ dimensions: [] }, /^dimensions: Shorter/],
    [{ metrics: ['spend', 'happiness'] }, /^metrics: Invalid metric fields: happiness$/],
    [{ metrics: ['cash_spend'] }, /^metrics: Invalid metric fields: cash_spend$/],
    [{ metrics: ['adgroup_id'] }, /^metrics: Invalid metric fields: adgroup_id$/],
    [{ metrics: ['ad_name'] }, /^metrics: Invalid metric fields: ad_name$/],
    [{ start_date: '' }, /^start_date: Missing/],
    [{ start_date: '2026-02-30' }, /^start_date: Not a valid date/],
    [{ start_date: '2026-11-19' }, /^start_date, end_date: end_date must not be earlier/],
    [{ dimensions: ['adgroup_id'], start_date: '2025-10-01' }, /max time span is 365 days$/],
    [{ page_size: 1001 }, /^page_size: /],
    [{ page: 0 }, /^page: /],
    [{ filtering: '{"a":1}' }, /^filtering: /],
  ])('rejects the report parameters %j with code 40002', async (change, message) => {
    expect(await ask({ ...daily, ...change })).toMatchObject({
      code: 40002,
      message: expect.stringMatching(message),
    });
  });

  test.each([
    { report_type: 'AUDIENCE' },
    { service_type: 'RESERVATION' },
    { dimensions: ['adgroup_id', 'stat_time_hour'] },
    { dimensions: ['adgroup_id', 'gender'] },
    { dimensions: ['stat_time_day'] },
  ])('answers the report parameters %j, which are not simulated, with code 40008', async change => {
    expect(await ask({ ...daily, ...change })).toMatchObject({ code: 40008 });
  });

  test('returns spend and impressions for ten rows by default', async () => {
    const { page_size: _size, ...rest } = BASE;
    const { body } = await client.get(PATH, {
      ...rest,
      data_level: 'AUCTION_CAMPAIGN',
      dimensions: ['campaign_id'],
    });
    expect(body.data.list).toHaveLength(10);
    expect(Object.keys(Object(body.data.list[0]?.['metrics']))).toEqual(['spend', 'impressions']);
  });

  test('truncates a report of 30,000 ads to 10,000 rows', async () => {
    sandbox.control.vendor('tiktok-marketing').settings.set({ largeAdvertiserAds: 30_000 });
    const { body } = await client.get(
      PATH,
      { ...BASE, advertiser_id: '7502933100842217473', data_level: 'AUCTION_AD', dimensions: ['ad_id'] },
      tiktokClient(sandbox).token,
    );
    expect(body.data.page_info.total_number).toBe(10_000);
  });
});
