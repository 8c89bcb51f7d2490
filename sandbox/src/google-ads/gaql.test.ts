import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { CLIENT, EMPTY, errorSample, googleClient, MANAGER, type GoogleClient } from '../../test/google.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

let sandbox: RunningSandbox;
let client: GoogleClient;
let campaigns: CampaignRow[];
beforeAll(async () => {
  sandbox = await startSandbox();
  client = await googleClient(sandbox);
  campaigns = (await client.rows(`SELECT ${FIELDS} FROM campaign`)).map(
    row => row['campaign'] as unknown as CampaignRow,
  );
});
afterAll(() => sandbox.close());

const FIELDS =
  'campaign.id, campaign.name, campaign.status, campaign.labels, campaign.advertising_channel_sub_type, campaign.network_settings.target_content_network, campaign.start_date_time';

interface CampaignRow {
  id: string;
  name: string;
  status: string;
  labels?: string[];
  advertisingChannelSubType?: string;
  networkSettings?: { targetContentNetwork?: boolean };
  startDateTime: string;
}

const select = async (where: string): Promise<string[]> =>
  (await client.rows(`SELECT campaign.id FROM campaign WHERE ${where}`)).map(row =>
    String(row['campaign']?.['id']),
  );
const idsOf = (list: CampaignRow[]): string[] => list.map(({ id }) => id);
const codeOf = async (query: string, customer = CLIENT): Promise<string> => {
  const { status, body } = await client.search(query, customer);
  expect(status).toBe(400);
  const [detail] = (body.error?.details ?? []) as { errors: { errorCode: Record<string, string> }[] }[];
  return detail?.errors[0]?.errorCode['queryError'] ?? '';
};

describe('GAQL WHERE', () => {
  const LABEL = 'customers/6120459183/labels/22901000001';
  const OTHER = 'customers/6120459183/labels/22901000008';

  test.each<[string, (campaign: CampaignRow) => boolean]>([
    ["campaign.status = 'ENABLED'", ({ status }) => status === 'ENABLED'],
    ['campaign.status = ENABLED', ({ status }) => status === 'ENABLED'],
    ["campaign.status != 'REMOVED'", ({ status }) => status !== 'REMOVED'],
    ["campaign.status IN ('ENABLED', 'PAUSED')", ({ status }) => status !== 'REMOVED'],
    ["campaign.status NOT IN ('ENABLED', 'PAUSED')", ({ status }) => status === 'REMOVED'],
    ["campaign.name LIKE '%refill%'", ({ name }) => name.toLowerCase().includes('refill')],
    ["campaign.name NOT LIKE 'Refill%'", ({ name }) => !name.startsWith('Refill')],
    ["campaign.name LIKE '%#_5'", ({ name }) => /#.5$/s.test(name)],
    ["campaign.name LIKE '%[#]15'", ({ name }) => name.endsWith('#15')],
    ["campaign.name REGEXP_MATCH 'Savon d.hiver.*'", ({ name }) => name.startsWith('Savon d’hiver')],
    ["campaign.name REGEXP_MATCH '(?i)BRAND.*'", ({ name }) => name.startsWith('Brand')],
    ["campaign.name REGEXP_MATCH 'BRAND.*'", () => false],
    ["campaign.name NOT REGEXP_MATCH '.*NL.*'", ({ name }) => !name.includes('NL')],
    ['campaign.name LIKE "Düfte%"', ({ name }) => name.startsWith('Düfte')],
    ['campaign.id > 20512000000', ({ id }) => Number(id) > 20512000000],
    [
      'campaign.id BETWEEN 20511500000 AND 20512000000',
      ({ id }) => Number(id) >= 20511500000 && Number(id) <= 20512000000,
    ],
    [
      `campaign.labels CONTAINS ANY ('${LABEL}', '${OTHER}')`,
      ({ labels = [] }) => labels.includes(LABEL) || labels.includes(OTHER),
    ],
    [
      `campaign.labels CONTAINS ALL ('${LABEL}', '${OTHER}')`,
      ({ labels = [] }) => labels.includes(LABEL) && labels.includes(OTHER),
    ],
    [`campaign.labels CONTAINS NONE ('${LABEL}')`, ({ labels = [] }) => !labels.includes(LABEL)],
    ['campaign.labels IS NULL', ({ labels }) => labels === undefined],
    ['campaign.advertising_channel_sub_type IS NOT NULL', one => one.advertisingChannelSubType !== undefined],
    [
      'campaign.network_settings.target_content_network = TRUE',
      one => one.networkSettings?.targetContentNetwork === true,
    ],
    [
      'campaign.network_settings.target_content_network != true',
      one => one.networkSettings?.targetContentNetwork === false,
    ],
    ["campaign.start_date_time >= '2026-01-01'", one => one.startDateTime >= '2026-01-01'],
    [
      "campaign.status = 'ENABLED' AND campaign.name LIKE 'Brand%'",
      ({ status, name }) => status === 'ENABLED' && name.startsWith('Brand'),
    ],
  ])('WHERE %s returns exactly the matching campaigns', async (where, fits) => {
    const expected = idsOf(campaigns.filter(fits));
    expect(await select(where)).toEqual(expected);
    // A condition that matches all campaigns or none would verify nothing.
    if (!where.includes('BRAND.*')) expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(campaigns.length);
  });

  test('WHERE filters by fields from joined resources and from the account', async () => {
    const rows = await client.rows(
      "SELECT ad_group.id, campaign.status FROM ad_group WHERE campaign.status = 'ENABLED'",
    );
    expect(new Set(rows.map(row => row['campaign']?.['status']))).toEqual(new Set(['ENABLED']));
    expect(rows.length).toBeGreaterThan(20);
    expect(await select("customer.currency_code = 'USD'")).toEqual([]);
  });
});

describe('GAQL ORDER BY, LIMIT and PARAMETERS', () => {
  test('orders rows by several fields, compares numbers numerically, and limits rows', async () => {
    const rows = await client.rows(
      'SELECT campaign.status, campaign_budget.amount_micros FROM campaign ORDER BY campaign.status DESC, campaign_budget.amount_micros LIMIT 40',
    );
    const keys = rows.map(
      row => [String(row['campaign']?.['status']), Number(row['campaignBudget']?.['amountMicros'])] as const,
    );
    const sorted = keys.toSorted((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? 1 : -1));
    expect(keys).toEqual(sorted);
    expect(rows).toHaveLength(40);
  });

  test('includes resource names unless the query omits them', async () => {
    const [row] = await client.rows('SELECT ad_group.id, campaign.name FROM ad_group LIMIT 1');
    expect(row?.['campaign']?.['resourceName']).toMatch(/^customers\/6120459183\/campaigns\/\d+$/);
    const [bare] = await client.rows(
      'SELECT ad_group.id, campaign.name FROM ad_group LIMIT 1 PARAMETERS omit_unselected_resource_names=true',
    );
    expect(Object.keys(bare?.['adGroup'] ?? {})).toEqual(['id']);
  });

  test('ignores extra white space and the case of keywords', async () => {
    const rows = await client.rows(
      "select campaign.id\n  from campaign\n  where campaign.status='ENABLED' order by campaign.id desc limit 2",
    );
    expect(rows).toHaveLength(2);
  });
});

describe('GAQL segments and metrics', () => {
  const WEEK = "segments.date BETWEEN '2026-11-09' AND '2026-11-15'";
  const sum = (rows: Record<string, Record<string, unknown>>[], metric: string): number =>
    rows.reduce((total, row) => total + Number(row['metrics']?.[metric]), 0);

  test('queries without segments return one row per object, even without activity', async () => {
    const rows = await client.rows(
      `SELECT campaign.id, metrics.impressions, metrics.ctr FROM campaign WHERE ${WEEK}`,
    );
    expect(rows).toHaveLength(campaigns.length);
    const idle = rows.filter(row => row['metrics']?.['impressions'] === '0');
    expect(idle.length).toBeGreaterThan(100);
    expect(idle[0]?.['metrics']).toEqual({ impressions: '0' });
  });

  test('queries with segments return one row per object and segment value with activity', async () => {
    const rows = await client.rows(
      `SELECT campaign.id, segments.date, metrics.impressions FROM campaign WHERE ${WEEK}`,
    );
    expect(rows.every(row => Number(row['metrics']?.['impressions']) > 0)).toBe(true);
    const keys = rows.map(row => `${String(row['campaign']?.['id'])} ${String(row['segments']?.['date'])}`);
    expect(new Set(keys).size).toBe(keys.length);
    const alone = await client.rows(`SELECT campaign.id, segments.date FROM campaign WHERE ${WEEK}`);
    expect(alone).toHaveLength(rows.length);
  });

  test('metrics add up from campaigns to the account and from ads to their ad group', async () => {
    const metrics = 'metrics.impressions, metrics.clicks, metrics.cost_micros';
    const [account, days, hours, groups, ads] = await Promise.all([
      client.rows(`SELECT ${metrics} FROM customer WHERE ${WEEK}`),
      client.rows(`SELECT segments.date, ${metrics} FROM campaign WHERE ${WEEK}`),
      client.rows(
        `SELECT segments.date, segments.hour, segments.ad_network_type, ${metrics} FROM campaign WHERE ${WEEK}`,
      ),
      client.rows(`SELECT ad_group.id, segments.date, ${metrics} FROM ad_group WHERE ${WEEK}`),
      client.rows(`SELECT ad_group.id, segments.date, ${metrics} FROM ad_group_ad WHERE ${WEEK}`),
    ]);
    for (const metric of ['impressions', 'clicks', 'costMicros']) {
      expect(sum(days, metric)).toBe(sum(account, metric));
      expect(sum(hours, metric)).toBe(sum(account, metric));
      expect(sum(ads, metric)).toBe(sum(groups, metric));
    }
    expect(hours.length).toBeGreaterThan(days.length * 3);
    const segments = hours.map(row => row['segments']);
    expect(new Set(segments.map(one => one?.['adNetworkType'])).size).toBeGreaterThan(2);
    expect(segments.every(one => typeof one?.['hour'] === 'number')).toBe(true);
  });

  test('groups days by week, month and weekday', async () => {
    const range = "segments.date BETWEEN '2026-01-01' AND '2026-06-30'";
    const months = await client.rows(`SELECT segments.month, metrics.clicks FROM customer WHERE ${range}`);
    expect(months.map(row => row['segments']?.['month'])).toEqual(
      ['01', '02', '03', '04', '05', '06'].map(month => `2026-${month}-01`),
    );
    const weekdays = await client.rows(
      `SELECT segments.day_of_week, metrics.clicks FROM customer WHERE ${range}`,
    );
    const days = await client.rows(`SELECT segments.date, metrics.clicks FROM customer WHERE ${range}`);
    expect(days).toHaveLength(181);
    expect(sum(months, 'clicks')).toBe(sum(days, 'clicks'));
    expect(sum(weekdays, 'clicks')).toBe(sum(days, 'clicks'));
    const clicksOn = (day: string): number =>
      sum(
        weekdays.filter(row => row['segments']?.['dayOfWeek'] === day),
        'clicks',
      );
    expect(clicksOn('SATURDAY') / clicksOn('TUESDAY')).toBeGreaterThan(1.15);
  });

  test('computes ratios, and omits a ratio if its divisor is zero', async () => {
    const rows = await client.rows(
      `SELECT segments.date, segments.hour, metrics.clicks, metrics.impressions, metrics.cost_micros, metrics.ctr, metrics.average_cpc, metrics.average_cpm FROM campaign WHERE ${WEEK}`,
    );
    for (const { metrics = {} } of rows) {
      const [clicks, impressions, cost] = [
        Number(metrics['clicks']),
        Number(metrics['impressions']),
        Number(metrics['costMicros']),
      ];
      expect(metrics['ctr']).toBe(impressions === 0 ? undefined : clicks / impressions);
      expect(metrics['averageCpc']).toBe(clicks === 0 ? undefined : cost / clicks);
    }
    expect(rows.some(({ metrics }) => !('averageCpc' in (metrics ?? {})))).toBe(true);
  });

  test("resolves named date ranges with the sandbox's clock", async () => {
    const days = async (range: string): Promise<unknown[]> =>
      (await client.rows(`SELECT segments.date FROM customer WHERE segments.date DURING ${range}`)).map(
        row => row['segments']?.['date'],
      );
    expect(await days('TODAY')).toEqual(['2026-11-20']);
    expect(await days('YESTERDAY')).toEqual(['2026-11-19']);
    expect((await days('LAST_7_DAYS')).at(0)).toBe('2026-11-13');
    expect((await days('LAST_30_DAYS')).length).toBe(30);
    expect(await days('LAST_BUSINESS_WEEK')).toEqual(
      [9, 10, 11, 12, 13].map(day => `2026-11-${String(day).padStart(2, '0')}`),
    );
    expect((await days('LAST_WEEK_SUN_SAT')).at(0)).toBe('2026-11-08');
    expect((await days('THIS_MONTH')).length).toBe(20);
    expect((await days('LAST_MONTH')).at(-1)).toBe('2026-10-31');
  });

  test('filters and orders rows by metrics', async () => {
    const rows = await client.rows(
      `SELECT campaign.id, metrics.clicks FROM campaign WHERE ${WEEK} AND metrics.clicks > 50 ORDER BY metrics.clicks DESC`,
    );
    const clicks = rows.map(row => Number(row['metrics']?.['clicks']));
    expect(clicks).toEqual(clicks.toSorted((a, b) => b - a));
    expect(clicks.at(-1)).toBeGreaterThan(50);
  });

  test('returns no daily rows for an empty account or a manager', async () => {
    const query = `SELECT customer.id, segments.date FROM customer WHERE ${WEEK}`;
    expect(await client.rows(query, EMPTY)).toEqual([]);
    expect(await client.rows(query, MANAGER)).toEqual([]);
  });
});

describe('Google Ads pages', () => {
  const HOURS =
    "SELECT campaign.id, segments.date, segments.hour, segments.ad_network_type FROM campaign WHERE segments.date BETWEEN '2026-09-01' AND '2026-11-19' ORDER BY segments.date";

  fullTest('pages contain 10,000 rows, and the last page omits the page token', async () => {
    const first = await client.search(HOURS, CLIENT);
    expect(first.body.results).toHaveLength(10_000);
    const rows = await client.rows(HOURS);
    expect(rows.length).toBeGreaterThan(20_000);
    expect(new Set(rows.map(row => JSON.stringify(row))).size).toBe(rows.length);
    const dates = rows.map(row => String(row['segments']?.['date']));
    expect(dates).toEqual(dates.toSorted());
  });

  test('accepts a page token for two hours, and only for its own query and account', async () => {
    sandbox.control.vendor('google-ads').settings.set({ pageRows: 5 });
    const query = 'SELECT campaign.id FROM campaign';
    const pageToken = (await client.search(query)).body.nextPageToken;
    expect((await client.search(query, CLIENT, { body: { pageToken } })).body.results).toHaveLength(5);
    const invalid = errorSample('error_400_page_token').body.error?.message;
    for (const [other, customer] of [
      [`${query} LIMIT 50`, CLIENT],
      [query, MANAGER],
    ] as const) {
      const { status, body } = await client.search(other, customer, { body: { pageToken } });
      expect([status, body.error?.message]).toEqual([400, invalid]);
      expect(JSON.stringify(body)).toContain('INVALID_PAGE_TOKEN');
    }
    sandbox.control.clock.advance(2.1 * 3600 * 1000);
    const fresh = await googleClient(sandbox);
    expect(JSON.stringify((await fresh.search(query, CLIENT, { body: { pageToken } })).body)).toContain(
      'EXPIRED_PAGE_TOKEN',
    );
    sandbox.control.vendor('google-ads').settings.reset();
    client = fresh;
  });
});

describe('GAQL errors', () => {
  test.each([
    ['', 'REQUIRED'],
    ['FETCH campaign.id', 'EXPECTED_SELECT'],
    ['SELECT campaign.id', 'EXPECTED_FROM'],
    ['SELECT FROM campaign', 'BAD_FIELD_NAME'],
    ['SELECT campaign.id FROM', 'UNEXPECTED_END_OF_QUERY'],
    ['SELECT * FROM campaign', 'BAD_FIELD_NAME'],
    ['SELECT campaign.id FROM campaigns', 'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE'],
    ['SELECT campaign.nam FROM campaign', 'UNRECOGNIZED_FIELD'],
    ['SELECT ad_group.id FROM campaign', 'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE'],
    ['SELECT campaign.id FROM campaign WHERE ad_group.id = 1', 'PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE'],
    ['SELECT campaign.id FROM campaign ORDER BY ad_group.id', 'PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE'],
    ['SELECT label.id, metrics.clicks FROM label', 'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE'],
    [
      "SELECT label.id FROM label WHERE segments.date = '2026-01-01'",
      'PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    ['SELECT campaign.id, segments.date FROM campaign', 'EXPECTED_FILTERS_ON_DATE_RANGE'],
    [
      "SELECT campaign.id, segments.date FROM campaign WHERE segments.date >= '2026-01-01'",
      'EXPECTED_FILTERS_ON_DATE_RANGE',
    ],
    [
      "SELECT campaign.id FROM campaign WHERE segments.date BETWEEN '2026-02-01' AND '2026-01-01'",
      'DATE_RANGE_TOO_NARROW',
    ],
    ["SELECT campaign.id FROM campaign WHERE segments.date = '2026-02-30'", 'INVALID_DATE_FORMAT'],
    [
      'SELECT campaign.id FROM campaign WHERE segments.date DURING LAST_DECADE',
      'INVALID_VALUE_WITH_DURING_OPERATOR',
    ],
    [
      'SELECT campaign.id FROM campaign WHERE segments.hour = 5',
      'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    ],
    [
      'SELECT campaign.id FROM campaign ORDER BY metrics.clicks',
      'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    ],
    ["SELECT campaign.id FROM campaign WHERE campaign.status = 'ASLEEP'", 'BAD_ENUM_CONSTANT'],
    ["SELECT campaign.id FROM campaign WHERE campaign.id = 'one'", 'BAD_NUMBER'],
    ['SELECT campaign.id FROM campaign WHERE campaign.name = Brand', 'BAD_VALUE'],
    ["SELECT campaign.id FROM campaign WHERE campaign.id LIKE '1%'", 'OPERATOR_FIELD_MISMATCH'],
    ["SELECT campaign.id FROM campaign WHERE campaign.labels = 'x'", 'OPERATOR_FIELD_MISMATCH'],
    ["SELECT campaign.id FROM campaign WHERE campaign.name CONTAINS ANY ('x')", 'OPERATOR_FIELD_MISMATCH'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id IN ()', 'PROHIBITED_EMPTY_LIST_IN_CONDITION'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id IN 1', 'EXPECTED_LIST'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id = (1)', 'EXPECTED_SINGLE_VALUE'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id BETWEEN 1', 'EXPECTED_VALUE_WITH_BETWEEN_OPERATOR'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id', 'BAD_OPERATOR'],
    ["SELECT campaign.id FROM campaign WHERE campaign.name = 'open", 'STRING_NOT_TERMINATED'],
    ["SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH '('", 'BAD_VALUE'],
    ["SELECT campaign.id FROM campaign WHERE campaign.name LIKE '[a'", 'INVALID_VALUE_WITH_LIKE_OPERATOR'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id = 1 OR campaign.id = 2', 'EXPECTED_AND'],
    ['SELECT campaign.id FROM campaign ORDER campaign.id', 'EXPECTED_BY'],
    ['SELECT campaign.id FROM campaign LIMIT many', 'BAD_LIMIT_VALUE'],
    ['SELECT campaign.id FROM campaign LIMIT 0', 'LIMIT_VALUE_TOO_LOW'],
    ['SELECT campaign.id FROM campaign PARAMETERS colour=true', 'BAD_PARAMETER_NAME'],
    ['SELECT campaign.id FROM campaign;', 'UNEXPECTED_INPUT'],
    ['SELECT campaign.id FROM campaign nonsense', 'UNEXPECTED_INPUT'],
  ])('rejects the query %s with %s', async (query, code) => {
    if (code === 'REQUIRED')
      return expect(JSON.stringify((await client.search(query)).body)).toContain('REQUIRED_FIELD_MISSING');
    expect(await codeOf(query)).toBe(code);
  });

  test('accepts escaped quotes and backslashes in strings', async () => {
    expect(await select(String.raw`campaign.name = 'it\'s "here" \\'`)).toEqual([]);
    expect(await select(String.raw`campaign.name REGEXP_MATCH "Refill.*#\d+"`)).toEqual(
      idsOf(campaigns.filter(({ name }) => /^Refill.*#\d+$/.test(name))),
    );
  });
});
