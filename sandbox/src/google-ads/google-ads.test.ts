import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  BELOW_SUB_MANAGER,
  CLIENT,
  CLOSED,
  comparable,
  EMPTY,
  errorSample,
  googleClient,
  INDIRECT,
  MANAGER,
  sample,
  type GoogleClient,
  type GoogleResponse,
} from '../../test/google.ts';
import { describeShape } from '../../test/shape.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

let sandbox: RunningSandbox;
let client: GoogleClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  client = await googleClient(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

/** Reconstructs the query for a recorded response from the response's field mask. */
const queryOf = (name: string, rest = ''): string => {
  const fields = (sample(name).fieldMask ?? '')
    .split(',')
    .map(field => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
  return `SELECT ${fields.join(', ')} FROM ${rest}`;
};

const SYNC = "WHERE segments.date BETWEEN '2026-11-01' AND '2026-11-07' ORDER BY segments.date";

describe('Google Ads rows', () => {
  test.each([
    ['search_accounts_1', 'customer'],
    ['search_campaigns_1_page1_v25', 'campaign'],
    ['search_campaigns_4_sync_query_v25', `campaign ${SYNC}`],
    ['search_ad_groups_1', 'ad_group'],
    ['search_ad_groups_2_sync_query', `ad_group ${SYNC}`],
    ['search_ad_group_ads_1', 'ad_group_ad'],
    ['search_ad_group_ads_2_sync_query', `ad_group_ad ${SYNC}`],
    ['search_campaign_labels_1', 'campaign_label'],
    ['search_ad_group_labels_1', 'ad_group_label'],
    ['search_ad_group_ad_labels_1', 'ad_group_ad_label'],
  ])('rows match the keys and types of the recorded sample %s', async (name, from) => {
    const { status, body } = await client.search(queryOf(name, from));
    expect(status).toBe(200);
    const shape = describeShape(...(body.results ?? []));
    const family = name.replace(/_\d.*/, '');
    const expected = describeShape(
      ...SAMPLES.filter(one => one.startsWith(family)).flatMap(one => sample(one).results ?? []),
    );
    const own = describeShape(...(sample(name).results ?? []));
    expect(own.filter(line => !shape.includes(line))).toEqual([]);
    const additions = shape.filter(line => !expected.includes(line));
    expect(additions).toEqual(from === 'customer' ? DOCUMENTED_BESIDES_SAMPLES : []);
    expect(body.fieldMask).toBe(sample(name).fieldMask);
    expect(body['queryResourceConsumption']).toMatch(/^\d+$/);
  });

  /** Documented fields of accounts that no sample has. */
  const DOCUMENTED_BESIDES_SAMPLES = [
    '$.customer.finalUrlSuffix: string',
    '$.customer.trackingUrlTemplate: string',
  ];
  const SAMPLES = [
    'search_accounts_1',
    'search_accounts_2_sparse_manager',
    'search_campaigns_1_page1_v25',
    'search_campaigns_4_sync_query_v25',
    'search_ad_groups_1',
    'search_ad_groups_2_sync_query',
    'search_ad_group_ads_1',
    'search_ad_group_ads_2_sync_query',
    'search_campaign_labels_1',
    'search_ad_group_labels_1',
    'search_ad_group_ad_labels_1',
  ];

  test('omits the unset fields of a manager account', async () => {
    const { body } = await client.search(queryOf('search_accounts_2_sparse_manager', 'customer'), MANAGER);
    expect(describeShape(body.results)).toEqual(
      [
        ...describeShape(sample('search_accounts_2_sparse_manager').results),
        '$[].customer.descriptiveName: string',
      ].toSorted(),
    );
  });

  test('campaigns include start and end dates in v22, and date-times since v23', async () => {
    const query = queryOf('search_campaigns_3_v22_start_date', 'campaign');
    const { body } = await client.search(query, CLIENT, { version: 'v22' });
    const campaigns = body.results?.map(row => row['campaign']) ?? [];
    expect(campaigns.every(one => /^\d{4}-\d\d-\d\d$/.test(String(one?.['startDate'])))).toBe(true);
    expect(campaigns.some(one => one?.['endDate'] === '2037-12-30')).toBe(true);
    for (const version of ['v23', 'v24', 'v25']) {
      expect((await client.search(query, CLIENT, { version })).status).toBe(400);
      const newer = await client.search(
        'SELECT campaign.start_date_time, campaign.end_date_time FROM campaign',
        CLIENT,
        { version },
      );
      expect(describeShape(newer.body.results)).toContain('$[].campaign.startDateTime: string');
      expect(newer.body.results?.some(row => !('endDateTime' in (row['campaign'] ?? {})))).toBe(true);
      expect(JSON.stringify(newer.body)).not.toContain('2037');
    }
  });

  test('customer_client rows list the account hierarchy with its levels', async () => {
    const query = queryOf('search_customer_client_1_manager', 'customer_client');
    const { body } = await client.search(query, MANAGER);
    expect(describeShape(body.results)).toEqual(
      describeShape(sample('search_customer_client_1_manager').results),
    );
    const clients = (body.results ?? []).map(({ customerClient }) => [
      customerClient?.['id'],
      customerClient?.['level'],
    ]);
    expect(clients[0]).toEqual([MANAGER, '0']);
    expect(clients).toContainEqual([INDIRECT, '1']);
    expect(clients).toContainEqual([BELOW_SUB_MANAGER, '2']);
    expect(body.results?.map(row => row['customerClient']?.['status'])).toContain('CANCELED');
    expect(body.results?.map(row => row['customerClient']?.['status'])).toContain('SUSPENDED');
    const leaf = await client.search(query, CLIENT);
    expect(leaf.body.results).toHaveLength(1);
    expect(describeShape(leaf.body.results)).toEqual(
      describeShape(sample('search_customer_client_2_leaf').results),
    );
  });

  test('omits the results key if no row matches', async () => {
    const { body } = await client.search(queryOf('search_campaigns_5_empty', 'campaign'), EMPTY);
    expect(Object.keys(body)).toEqual(Object.keys(sample('search_campaigns_5_empty')));
    expect(body.fieldMask).toBe(sample('search_campaigns_5_empty').fieldMask);
  });

  test('generates the same rows on every run, and different rows for another seed', async () => {
    const query =
      'SELECT campaign.name, metrics.cost_micros, segments.date FROM campaign WHERE segments.date DURING LAST_7_DAYS';
    const responses = await Promise.all(
      [{}, { seed: 'other' }].map(async options => {
        const other = await startSandbox(options);
        const { body } = await (await googleClient(other)).search(query);
        await other.close();
        return body.results;
      }),
    );
    const { body } = await client.search(query);
    expect(responses[0]).toEqual(body.results);
    expect(responses[1]).not.toEqual(body.results);
  });
});

describe('Google Ads access', () => {
  const list = (headers: Record<string, string | undefined>): Promise<GoogleResponse> =>
    client.send('/customers:listAccessibleCustomers', undefined, { method: 'GET', headers });

  test("lists the user's accounts regardless of login-customer-id", async () => {
    const { body } = await list({ 'login-customer-id': '1' });
    expect(describeShape(body)).toEqual(describeShape(sample('list_accessible_customers_1')));
    expect(body['resourceNames']).toEqual([CLIENT, MANAGER, CLOSED, EMPTY].map(id => `customers/${id}`));
  });

  test("returns Google's own error for an unknown, expired or missing token", async () => {
    const expired = errorSample('error_401_google');
    sandbox.control.vendor('google-ads').act('expire-access-tokens');
    const response = await list({});
    expect(comparable(response)).toEqual(comparable(expired));
    expect(response.headers['www-authenticate']).toContain('invalid_token');
    expect((await list({ authorization: 'Bearer nonsense' })).body.error?.details).toMatchObject([
      { reason: 'ACCESS_TOKEN_TYPE_UNSUPPORTED' },
    ]);
    expect((await list({ authorization: undefined })).body.error?.details).toMatchObject([
      { reason: 'CREDENTIALS_MISSING' },
    ]);
    client = await googleClient(sandbox);
  });

  test('requires a valid developer token that is approved for the account', async () => {
    expect(await list({ 'developer-token': undefined })).toMatchObject({ status: 400 });
    expect(JSON.stringify((await list({ 'developer-token': 'x' })).body)).toContain(
      'DEVELOPER_TOKEN_INVALID',
    );
    const limited = await googleClient(sandbox, 2);
    expect(comparable(await limited.search('SELECT customer.id FROM customer'))).toEqual(
      comparable(errorSample('error_403_dev_token')),
    );
    const single = await googleClient(sandbox, 1);
    const headers = { 'developer-token': limited.headers['developer-token'] };
    expect((await single.search('SELECT customer.id FROM customer', '3210045566', { headers })).status).toBe(
      200,
    );
  });

  test('allows an indirect client only through its manager', async () => {
    const query = 'SELECT customer.id FROM customer';
    expect(comparable(await client.search(query, INDIRECT))).toEqual(
      comparable(errorSample('error_403_permission')),
    );
    for (const id of [INDIRECT, BELOW_SUB_MANAGER]) {
      const { body } = await client.search(query, id, { headers: { 'login-customer-id': MANAGER } });
      expect(body.results).toEqual([{ customer: { resourceName: `customers/${id}`, id } }]);
    }
    const codeOf = async (id: string, login: string): Promise<string> =>
      JSON.stringify((await client.search(query, id, { headers: { 'login-customer-id': login } })).body);
    expect(await codeOf(BELOW_SUB_MANAGER, '9020031100')).toContain('"results"');
    expect(await codeOf(INDIRECT, CLIENT)).toContain(
      'INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION',
    );
    expect(await codeOf(INDIRECT, '3210045566')).toContain('USER_PERMISSION_DENIED');
    expect(await codeOf(CLIENT, '733-001-2455')).toContain('INVALID_LOGIN_CUSTOMER_ID');
    expect(await codeOf('1234567890', MANAGER)).toContain('USER_PERMISSION_DENIED');
  });

  test('rejects a closed account and a user without Google Ads', async () => {
    const query = 'SELECT customer.id FROM customer';
    expect(comparable(await client.search(query, CLOSED))).toEqual(
      comparable(errorSample('error_403_customer_not_enabled')),
    );
    const nonUser = await googleClient(sandbox, 3);
    expect(comparable(await nonUser.search(query))).toEqual(
      comparable(errorSample('error_401_not_ads_user')),
    );
  });

  test('supports v22 to v25, rejects v21 as unsupported and v20 as unknown', async () => {
    const statuses = async (version: string): Promise<number> =>
      (await client.search('SELECT customer.id FROM customer', CLIENT, { version })).status;
    expect(await Promise.all(['v20', 'v21', 'v22', 'v25', 'v26'].map(statuses))).toEqual([
      404, 400, 200, 200, 404,
    ]);
    const gone = await client.search('SELECT customer.id FROM customer', CLIENT, { version: 'v21' });
    expect(JSON.stringify(gone.body)).toContain('UNSUPPORTED_VERSION');
  });
});

describe('Google Ads errors', () => {
  test.each([
    ['error_400_customer_id', '12', 'SELECT campaign.id FROM campaign', {}],
    ['error_400_query', CLIENT, 'SELECT campaign.nam FROM campaign', {}],
    ['error_400_page_size', CLIENT, 'SELECT campaign.id FROM campaign', { pageSize: 100 }],
    ['error_400_page_token', CLIENT, 'SELECT campaign.id FROM campaign', { pageToken: 'CAIQyq' }],
    ['error_400_manager_metrics', MANAGER, 'SELECT metrics.clicks FROM customer', {}],
  ])('returns the recorded %s exactly', async (name, customer, query, body) => {
    const response = await client.search(query, customer, { body });
    expect(comparable(response)).toEqual(comparable(errorSample(name)));
    expect(response.headers['request-id']).toMatch(/^[\w-]{22}$/);
    expect(JSON.stringify(response.body)).toContain(
      `"requestId":"${String(response.headers['request-id'])}"`,
    );
  });

  test("injected faults return Google's errors with a retry delay", async () => {
    const { faults } = sandbox.control;
    const ask = (): Promise<GoogleResponse> => client.search('SELECT campaign.id FROM campaign');
    faults.add({ vendor: 'google-ads', status: 429, count: 1 });
    expect(comparable(await ask())).toEqual(comparable(errorSample('error_429_quota')));
    faults.add({ vendor: 'google-ads', status: 429, retryAfter: 7, count: 1 });
    expect(JSON.stringify((await ask()).body)).toContain('"retryDelay":"7s"');
    faults.add({ vendor: 'google-ads', status: 500, count: 1 });
    expect(comparable(await ask())).toEqual(comparable(errorSample('error_500')));
    faults.add({ vendor: 'google-ads', status: 503, count: 1 });
    expect(await ask()).toMatchObject({ status: 503, body: { error: { status: 'UNAVAILABLE' } } });
    expect((await ask()).status).toBe(200);
  });

  test.each([
    [{ query: 5 }, /Invalid value at 'query' \(TYPE_STRING\), 5/],
    [
      { query: 'SELECT campaign.id FROM campaign', colour: 'red' },
      /Unknown name \\"colour\\": Cannot find field/,
    ],
    [[], /Expected an object/],
    ['{', /Invalid JSON payload/],
    [{}, /REQUIRED_FIELD_MISSING/],
  ])('rejects the request body %j', async (body, message) => {
    const response = await client.send(`/customers/${CLIENT}/googleAds:search`, body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toMatch(message);
  });

  test('returns 429 while an account exceeds its rate limit', async () => {
    // The vendor's clock stands still, so that the limit does not depend on how fast the requests are sent.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const limited = await startSandbox({ rateLimits: true });
    const fast = await googleClient(limited);
    const statuses = await Promise.all(
      Array.from({ length: 80 }, async () => (await fast.search('SELECT customer.id FROM customer')).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    limited.control.clock.advance(10_000);
    expect((await fast.search('SELECT customer.id FROM customer')).status).toBe(200);
    await limited.close();
  });
});
