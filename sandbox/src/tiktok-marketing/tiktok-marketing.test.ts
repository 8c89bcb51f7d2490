import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeShape } from '../../test/shape.ts';
import { EMPTY, EU, JAPAN, LARGE, OTHER_OWNER, sample, tiktokClient, US } from '../../test/tiktok.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';
import { productsOf } from './special-fields.ts';

let sandbox: RunningSandbox;
let client: ReturnType<typeof tiktokClient>;
beforeAll(async () => {
  sandbox = await startSandbox();
  client = tiktokClient(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

/** Lists the keys and types of the records. A field that is null in some records has two lines. */
const recordShape = (...bodies: { data: { list: unknown[] } }[]): string[] =>
  describeShape(...bodies.flatMap(({ data }) => data.list));

describe('TikTok wire format', () => {
  test.each([
    ['campaign', ['campaign_get_1', 'campaign_get_2_last_page'], ['boolean', 'null']],
    ['adgroup', ['adgroup_get_1', 'adgroup_get_2_last_page'], []],
    ['ad', ['ad_get_1', 'ad_get_2_last_page_no_modify_time'], []],
  ])('%s records match the keys and types of the recorded samples', async (kind, names) => {
    const lists = await Promise.all(
      [US, EU, JAPAN].map(advertiser_id =>
        client.listAll(`/${kind}/get/`, { advertiser_id, page_size: 1000 }),
      ),
    );
    const expected = recordShape(...names.map(sample));
    const shape = withoutSpecial(describeShape(...lists.flat()), expected, LEVELS[kind]);
    expect(expected.filter(line => !shape.includes(line))).toEqual([]);
    const keys = (lines: string[]): string[] => [...new Set(lines.map(line => line.split(':')[0] ?? ''))];
    expect(keys(shape)).toEqual(keys(expected));
    const additions = shape.filter(line => !expected.includes(line));
    expect(additions).toEqual(DOCUMENTED_BESIDES_SAMPLES[kind]);
  });

  const LEVELS: Record<string, keyof typeof productsOf> = {
    campaign: 'campaign',
    adgroup: 'adGroup',
    ad: 'ad',
  };

  /** Removes the lines for products that no sample uses. */
  function withoutSpecial(
    shape: string[],
    expected: readonly string[],
    level: keyof typeof productsOf | undefined,
  ): string[] {
    const special = level === undefined ? [] : describeShape(...productsOf[level]);
    return shape.filter(line => expected.includes(line) || !special.includes(line));
  }

  /** Documented types that do not occur in any sample. */
  const DOCUMENTED_BESIDES_SAMPLES: Record<string, string[]> = {
    campaign: [
      '$.catalog_enabled: boolean',
      '$.disable_skan_campaign: boolean',
      '$.is_advanced_dedicated_campaign: boolean',
    ],
    adgroup: ['$.age_groups: null'],
    ad: [],
  };

  test.each([
    [
      '/dmp/custom_audience/list/',
      ['custom_audience_list_1', 'custom_audience_list_2'],
      ['$.expired_time: null'],
    ],
    ['/file/image/ad/search/', ['image_ad_search_1', 'image_ad_search_2_page2'], []],
    ['/file/video/ad/search/', ['video_ad_search_1', 'video_ad_search_2_page2'], ['$.file_name: null']],
  ])('%s responses match the keys and types of the recorded samples', async (path, names, additions) => {
    const records = await client.listAll(path, { advertiser_id: US, page_size: 100 });
    const expected = recordShape(...names.map(sample));
    const shape = describeShape(...records);
    const level = path.startsWith('/file/video/') ? 'video' : undefined;
    expect(withoutSpecial(shape, expected, level)).toEqual([...expected, ...additions].sort());
  });

  test('advertiser responses match the recorded samples, with contact data masked', async () => {
    const { body } = await client.get('/advertiser/info/', { advertiser_ids: [US, EU, JAPAN, EMPTY] });
    const expected = recordShape(sample('advertiser_info_1'), sample('advertiser_info_2'));
    // Only one account has the fields that all samples leave empty.
    const filled = recordShape(body).filter(line => !expected.includes(line));
    expect(recordShape(body).filter(line => !filled.includes(line))).toEqual(expected);
    expect(
      filled.map(line => line.replace('string', 'null')).filter(line => !expected.includes(line)),
    ).toEqual([]);
    expect(body.data.list[0]).toMatchObject({
      advertiser_id: US,
      email: 't***@*******',
      create_time: 1681234567,
    });
    expect(Object.keys(body.data)).toEqual(['list']);
  });

  test.each([
    ['AUCTION_ADVERTISER', 'advertiser_id', 'report_advertiser_1'],
    ['AUCTION_CAMPAIGN', 'campaign_id', 'report_campaign_1'],
    ['AUCTION_ADGROUP', 'adgroup_id', 'report_adgroup_1'],
    ['AUCTION_AD', 'ad_id', 'report_ad_1'],
  ])('%s report rows match the recorded sample, with all values as strings', async (data_level, id, name) => {
    const wanted = sample(name);
    const [row] = wanted.data.list;
    const { body } = await client.get('/report/integrated/get/', {
      advertiser_id: US,
      report_type: 'BASIC',
      service_type: 'AUCTION',
      data_level,
      dimensions: [id, 'stat_time_day'],
      metrics: Object.keys(Object(row?.['metrics'])),
      start_date: '2026-10-20',
      end_date: '2026-11-18',
      page_size: 1000,
    });
    expect(recordShape(body)).toEqual(recordShape(wanted));
    expect(describeShape(body.data.page_info)).toEqual(describeShape(wanted.data.page_info));
  });

  test('returns an empty list as one empty page', async () => {
    const { body } = await client.get('/campaign/get/', { advertiser_id: EMPTY, page_size: 1000 });
    expect({ ...body, request_id: '' }).toEqual({ ...sample('campaign_get_3_empty'), request_id: '' });
    for (const path of [
      '/adgroup/get/',
      '/ad/get/',
      '/file/image/ad/search/',
      '/dmp/custom_audience/list/',
    ]) {
      expect((await client.get(path, { advertiser_id: EMPTY })).body.data.list).toEqual([]);
    }
  });

  test('audience ids are unique across advertisers', async () => {
    const ids: unknown[] = [];
    for (const advertiser_id of [US, EU, JAPAN]) {
      const audiences = await client.listAll('/dmp/custom_audience/list/', { advertiser_id, page_size: 100 });
      ids.push(...audiences.map(({ audience_id }) => audience_id));
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(100);
  });

  test('returns the same responses on every run, regardless of earlier requests', async () => {
    const again = await startSandbox();
    const other = tiktokClient(again);
    await other.get('/report/integrated/get/', {
      ...REPORT,
      data_level: 'AUCTION_AD',
      dimensions: ['ad_id'],
    });
    for (const path of ['/campaign/get/', '/ad/get/', '/dmp/custom_audience/list/']) {
      const parameters = { advertiser_id: JAPAN, page: 2 };
      expect((await other.get(path, parameters)).body.data).toEqual(
        (await client.get(path, parameters)).body.data,
      );
    }
    await again.close();
  });
});

const REPORT = {
  advertiser_id: US,
  report_type: 'BASIC',
  service_type: 'AUCTION',
  start_date: '2026-11-01',
  end_date: '2026-11-14',
};

describe('TikTok ids', () => {
  test('ids are unique 16-digit strings, and parent ids refer to existing objects', async () => {
    const [campaigns, groups, ads] = await Promise.all(
      ['campaign', 'adgroup', 'ad'].map(kind =>
        client.listAll(`/${kind}/get/`, { advertiser_id: US, page_size: 1000 }),
      ),
    );
    const idsOf = (records: Record<string, unknown>[] = [], key: string): unknown[] =>
      records.map(one => one[key]);
    const all = [...idsOf(campaigns, 'campaign_id'), ...idsOf(groups, 'adgroup_id'), ...idsOf(ads, 'ad_id')];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter(id => !/^\d{16}$/.test(String(id)))).toEqual([]);
    expect(all.length).toBeGreaterThan(2000);
    const campaignIds = new Set(idsOf(campaigns, 'campaign_id'));
    expect(idsOf(groups, 'campaign_id').every(id => campaignIds.has(id))).toBe(true);
    const groupIds = new Set(idsOf(groups, 'adgroup_id'));
    expect(idsOf(ads, 'adgroup_id').every(id => groupIds.has(id))).toBe(true);
  });
});

describe('TikTok lists', () => {
  test('lists ads newest first, without gaps or duplicates, and ends with an empty page', async () => {
    const whole = await client.listAll('/ad/get/', { advertiser_id: EU, page_size: 1000 });
    const pieces = await client.listAll('/ad/get/', { advertiser_id: EU, page_size: 77 });
    expect(pieces).toEqual(whole);
    const ids = whole.map(ad => String(ad['ad_id']));
    expect(ids).toEqual(ids.toSorted().toReversed());
    const { body } = await client.get('/ad/get/', { advertiser_id: EU, page: 99, page_size: 1000 });
    expect(body.data).toMatchObject({
      list: [],
      page_info: { page: 99, total_number: whole.length, total_page: 1 },
    });
  });

  test('returns only requested fields', async () => {
    const { body } = await client.get('/campaign/get/', {
      advertiser_id: US,
      fields: ['campaign_id', 'budget'],
    });
    expect(Object.keys(body.data.list[0] ?? {})).toEqual(['campaign_id', 'budget']);
  });

  test.each([
    ['/campaign/get/', 'page_size', 1001],
    ['/campaign/get/', 'page_size', 0],
    ['/ad/get/', 'page', 0],
    ['/ad/get/', 'page', 'two'],
    ['/dmp/custom_audience/list/', 'page_size', 101],
    ['/file/image/ad/search/', 'page_size', 101],
    ['/file/video/ad/search/', 'page_size', 101],
  ])('%s rejects the parameter %s=%s with code 40002', async (path, name, value) => {
    const { status, body } = await client.get(path, { advertiser_id: US, [name]: value });
    expect([status, body.code]).toEqual([200, 40002]);
    expect(body.message.startsWith(name)).toBe(true);
  });

  test('file libraries return signed URLs that expire in the future', async () => {
    const { body } = await client.get('/file/image/ad/search/', { advertiser_id: US });
    const expiry = Number(/x-expires=(\d+)/.exec(String(body.data.list[0]?.['image_url']))?.[1]);
    expect(expiry * 1000).toBeGreaterThan(sandbox.control.clock.now());
    expect(body.data.page_info.page_size).toBe(20);
  });

  test('returns the first and the hundredth page of 100,000 ads', async () => {
    sandbox.control.vendor('tiktok-marketing').settings.set({ largeAdvertiserAds: 100_000 });
    const { token } = tiktokClient(sandbox);
    const first = await client.get('/ad/get/', { advertiser_id: LARGE, page_size: 1000, page: 1 }, token);
    const last = await client.get('/ad/get/', { advertiser_id: LARGE, page_size: 1000, page: 100 }, token);
    expect(first.body.data.page_info).toMatchObject({ total_number: 100_000, total_page: 100 });
    expect([first.body.data.list.length, last.body.data.list.length]).toEqual([1000, 1000]);
    expect(Number(last.body.data.list.at(-1)?.['ad_id'])).toBeLessThan(
      Number(first.body.data.list[0]?.['ad_id']),
    );
    sandbox.control.vendor('tiktok-marketing').settings.reset();
    expect((await client.get('/ad/get/', { advertiser_id: LARGE }, token)).body.code).toBe(40001);
  });
});

describe('TikTok errors', () => {
  test.each([
    ['error_40002', '/campaign/get/', {}, undefined],
    ['error_40104', '/campaign/get/', { advertiser_id: US }, null],
    ['error_40105', '/campaign/get/', { advertiser_id: US }, 'nonsense'],
  ])('returns the recorded %s exactly, with HTTP 200', async (name, path, parameters, token) => {
    const { status, body } = await client.get(path, parameters, token);
    expect(status).toBe(200);
    expect({ ...body, request_id: '' }).toEqual({ ...sample(name), request_id: '' });
  });

  test("rejects an unknown advertiser or another owner's advertiser with code 40001, even within a list of ids", async () => {
    for (const id of [OTHER_OWNER, '7000000000000000001']) {
      const message = `No permission to operate advertiser ${id}`;
      expect((await client.get('/ad/get/', { advertiser_id: id })).body).toMatchObject({
        code: 40001,
        message,
      });
      const info = await client.get('/advertiser/info/', { advertiser_ids: [US, id] });
      expect(info.body).toMatchObject({ code: 40001, message, data: {} });
    }
  });

  test.each(['not json', '{"a":1}', '[]', JSON.stringify(Array.from({ length: 101 }, () => US))])(
    'rejects advertiser_ids %s with code 40002',
    async advertiser_ids => {
      const { body } = await client.get('/advertiser/info/', { advertiser_ids });
      expect(body).toMatchObject({ code: 40002, message: expect.stringMatching(/^advertiser_ids: /) });
    },
  );

  test('returns HTTP 200 with a code for injected faults, except for gateway errors', async () => {
    const { faults } = sandbox.control;
    faults.add({ vendor: 'tiktok-marketing', status: 429, count: 1 });
    faults.add({ vendor: 'tiktok-marketing', status: 500, count: 1 });
    const limited = await client.get('/ad/get/', { advertiser_id: US });
    expect(limited).toMatchObject({
      status: 200,
      body: { code: 40100, message: 'App reaches the QPS limit.' },
    });
    expect(limited.headers['retry-after']).toBeUndefined();
    const failing = await client.get('/ad/get/', { advertiser_id: US });
    expect(failing).toMatchObject({ status: 200, body: { code: 50000, message: 'System error.' } });
    faults.add({ vendor: 'tiktok-marketing', status: 502, count: 1 });
    await expect(client.get('/ad/get/', { advertiser_id: US })).rejects.toThrow(/JSON/);
    expect((await client.get('/ad/get/', { advertiser_id: US })).body.code).toBe(0);
  });

  test('returns a planned code on demand, and 40067 for a report with too many rows', async () => {
    const vendor = sandbox.control.vendor('tiktok-marketing');
    vendor.act('answer-code', { code: 40133, message: 'slow down', count: 2 });
    const codes = [];
    for (let call = 0; call < 3; call++) codes.push((await client.get('/user/info/')).body.code);
    expect(codes).toEqual([40133, 40133, 0]);
    expect(() => vendor.act('answer-code', { code: 'x' })).toThrow(/"code" must be an integer/);

    vendor.settings.set({ maxReportRows: 100 });
    const daily = { ...REPORT, data_level: 'AUCTION_AD', dimensions: ['ad_id', 'stat_time_day'] };
    expect((await client.get('/report/integrated/get/', daily)).body.code).toBe(40067);
    const small = { ...REPORT, data_level: 'AUCTION_ADVERTISER', dimensions: ['advertiser_id'] };
    expect((await client.get('/report/integrated/get/', small)).body.code).toBe(0);
  });

  test('returns code 40100 while an app exceeds its rate limit', async () => {
    // The vendor's clock stands still, so that the limit does not depend on how fast the requests are sent.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const limited = await startSandbox({ rateLimits: true });
    const fast = tiktokClient(limited);
    const codes = async (count: number): Promise<number[]> =>
      Promise.all(
        Array.from(
          { length: count },
          async () => (await fast.get('/campaign/get/', { advertiser_id: US })).body.code,
        ),
      );
    expect(new Set(await codes(40))).toEqual(new Set([0, 40100]));
    limited.control.clock.advance(1000);
    expect(await codes(5)).toEqual([0, 0, 0, 0, 0]);
    await limited.close();
  });
});
