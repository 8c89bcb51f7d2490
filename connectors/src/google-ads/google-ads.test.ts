import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from '../../test/google-ads.ts';
import { createTransport, unlimited } from '../kind/index.ts';
import { GoogleAds } from './index.ts';

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

/**
 * Accounts in the sandbox: one the user can access directly, one accessed through a manager, and one of
 * another user.
 */
const customer_id = '6120459183';
const manager = '7330012455';
const client = '8150023344';
const foreign = '3210045566';

function open(changed: Record<string, string> = {}) {
  return new GoogleAds({
    credentials: { ...credentials, ...changed },
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
  });
}
const asked = () => sandbox.control.requests.list({ vendor: 'google-ads' });

describe('Google Ads lists', () => {
  test('accessible_customers lists the accounts that the user can access directly', async () => {
    const { result } = await open().accessible_customers.list();
    expect(result[0]?.resourceNames.map(one => one.customerId).sort()).toEqual([
      '4440001112',
      '5550009876',
      customer_id,
      manager,
    ]);
  });

  test('accounts lists the account itself', async () => {
    const { result, connector_metadata } = await open().accounts.list({ customer_id });
    expect(result).toHaveLength(1);
    expect(result[0]?.customer).toMatchObject({ id: customer_id, descriptiveName: 'Tidewater Soap' });
    expect(connector_metadata).toEqual({ next_page_token: null });
  });

  test.each([
    'campaigns',
    'ad_groups',
    'ad_group_ads',
    'campaign_labels',
    'ad_group_labels',
    'ad_group_ad_labels',
  ] as const)(
    '%s lists the same records in small pages and in every API version',
    async entity => {
      const connector = open();
      const whole = await connector.execute(entity, 'list', { customer_id });
      expect(whole.result.length).toBeGreaterThan(0);
      const pageSize = Math.ceil(whole.result.length / 3);
      const pages: unknown[] = [];
      for await (const record of connector[entity].listAll({ customer_id, pageSize })) pages.push(record);
      expect(pages).toEqual(whole.result);
      const older = new GoogleAds({
        credentials,
        settings: { api_version: 'v22' },
        transport: createTransport({ sandboxUrl: sandbox.url }),
        limiter: unlimited,
      });
      expect((await older.execute(entity, 'list', { customer_id, pageSize })).result).toHaveLength(pageSize);
    },
    30_000,
  );

  test('iterates over pages that are shorter than Google’s page size', async () => {
    const connector = open();
    const whole = await connector.campaigns.list({ customer_id });
    sandbox.control.vendor('google-ads').settings.set({ pageRows: 70 });
    for (const size of [{}, { pageSize: 30 }, { pageSize: 100 }]) {
      const records: unknown[] = [];
      for await (const record of connector.campaigns.listAll({ customer_id, ...size })) records.push(record);
      expect(records).toEqual(whole.result);
    }
  });

  test("runs the caller's own query and returns null for fields that it does not select", async () => {
    const query =
      "SELECT campaign.id, metrics.clicks, segments.date FROM campaign WHERE segments.date DURING LAST_7_DAYS AND campaign.status = 'ENABLED' ORDER BY metrics.clicks DESC LIMIT 5";
    const { result } = await open().campaigns.list({ customer_id, query });
    expect(result).toHaveLength(5);
    for (const { campaign, campaignBudget, metrics, segments } of result) {
      expect(campaign?.id).toMatch(/^\d+$/);
      expect(metrics?.clicks).toMatch(/^\d+$/);
      expect(segments?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(campaignBudget).toBeNull();
    }
  });

  test('returns an empty list for a customer without campaigns', async () => {
    const empty = await open().campaigns.list({ customer_id: '5550009876', pageSize: 10 });
    expect(empty).toEqual({ result: [], connector_metadata: { next_page_token: null } });
  });

  test("accesses a client account through its manager and stores the manager's id", async () => {
    const connector = open();
    const { result } = await connector.campaigns.list({ customer_id: client });
    expect(result.length).toBeGreaterThan(0);
    const before = asked().length;
    await connector.ad_groups.list({ customer_id: client, pageSize: 1 });
    expect(asked()).toHaveLength(before + 1);
  });
});

describe('Google Ads changes', () => {
  test('updates campaigns and ad groups', async () => {
    const connector = open();
    const [campaign] = (await connector.campaigns.list({ customer_id, pageSize: 1 })).result;
    const [adGroup] = (await connector.ad_groups.list({ customer_id, pageSize: 1 })).result;
    const resourceName = campaign?.campaign?.resourceName ?? '';
    const update = { resourceName, name: 'Renamed – 2026', status: 'PAUSED' } as const;
    const renamed = await connector.campaigns.update({ customer_id, operations: [{ update }] });
    expect(renamed).toEqual({ result: { results: [{ resourceName }] }, connector_metadata: null });

    const adGroupName = adGroup?.adGroup?.resourceName ?? '';
    await connector.ad_groups.update({
      customer_id,
      operations: [
        {
          updateMask: 'cpcBidMicros',
          update: { resourceName: adGroupName, cpcBidMicros: '720000', name: 'Not in the mask' },
        },
      ],
    });
    const query = `SELECT campaign.name, campaign.status FROM campaign WHERE campaign.resource_name = '${resourceName}'`;
    const changed = await connector.campaigns.list({ customer_id, query });
    expect(changed.result[0]?.campaign).toMatchObject({ name: 'Renamed – 2026', status: 'PAUSED' });
    const [bid] = (await connector.ad_groups.list({ customer_id, pageSize: 1 })).result;
    expect(bid?.adGroup).toMatchObject({ cpcBidMicros: '720000', name: adGroup?.adGroup?.name });
  });

  test('creates a label and adds it to a campaign and an ad group', async () => {
    const connector = open();
    const create = { name: 'made by a test', description: 'why', textLabel: { backgroundColor: '#1E8E3E' } };
    const made = await connector.labels.create({ customer_id, operations: [{ create }] });
    const label = made.result.results[0]?.resourceName ?? '';
    expect(label).toMatch(new RegExp(`^customers/${customer_id}/labels/\\d+$`));
    const campaign =
      (await connector.campaigns.list({ customer_id, pageSize: 1 })).result[0]?.campaign?.resourceName ?? '';
    const adGroup =
      (await connector.ad_groups.list({ customer_id, pageSize: 1 })).result[0]?.adGroup?.resourceName ?? '';
    await connector.campaign_labels.create({ customer_id, operations: [{ create: { campaign, label } }] });
    await connector.ad_group_labels.create({ customer_id, operations: [{ create: { adGroup, label } }] });
    const where = `label.resource_name = '${label}'`;
    const query = `SELECT campaign.resource_name, label.name FROM campaign_label WHERE ${where}`;
    const { result } = await connector.campaign_labels.list({ customer_id, query });
    expect(result).toHaveLength(1);
    expect(result[0]).toMatchObject({
      campaign: { resourceName: campaign },
      label: { name: 'made by a test' },
    });
    const onAdGroups = await connector.ad_group_labels.list({
      customer_id,
      query: `SELECT ad_group.resource_name FROM ad_group_label WHERE ${where}`,
    });
    expect(onAdGroups.result[0]?.adGroup?.resourceName).toBe(adGroup);

    const again = connector.labels.create({
      customer_id,
      operations: [{ create: { name: 'another' } }, { create }],
    });
    expect(await errorOf(again)).toMatchObject({
      code: 'vendor_refused_request',
      errors: [{ path: 'params.operations.1.create.name' }],
      vendor: { code: 'labelError.DUPLICATE_NAME' },
    });
  });

  test('sends a change only once if the response is lost', async () => {
    sandbox.control.faults.add({ vendor: 'google-ads', path: '*:mutate', closeConnection: true });
    const created = open().labels.create({ customer_id, operations: [{ create: { name: 'lost' } }] });
    expect(await errorOf(created)).toMatchObject({ code: 'vendor_failed' });
    expect(asked().filter(({ path }) => path.endsWith(':mutate'))).toHaveLength(1);
  });
});

describe('Google Ads errors', () => {
  test.each([
    ['refresh_token', { refresh_token: '1//revoked' }, 'reauthentication_required'],
    ['client_secret', { client_secret: 'wrong' }, 'reauthentication_required'],
    ['developer_token', { developer_token: 'wrong' }, 'reauthentication_required'],
  ])('reports the invalid field when rejecting %s', async (field, changed, code) => {
    const error = await errorOf(open(changed).accounts.list({ customer_id }));
    expect(error).toMatchObject({ code, errors: [{ path: `credentials.${field}` }] });
    expect(String(error)).not.toContain(credentials['client_secret']);
    expect(await open(changed).check()).toMatchObject({ status: 'unhealthy' });
  });

  test("rejects another user's account with a permission error", async () => {
    expect(await errorOf(open().campaigns.list({ customer_id: foreign }))).toMatchObject({
      code: 'vendor_permission_missing',
      vendor: { code: 'authorizationError.USER_PERMISSION_DENIED' },
    });
  });

  test('reports `query` as the invalid parameter for an invalid query', async () => {
    const query = 'SELECT campaign.nam FROM campaign';
    expect(await errorOf(open().campaigns.list({ customer_id, query }))).toMatchObject({
      code: 'vendor_refused_request',
      errors: [{ path: 'params.query' }],
      vendor: { code: 'queryError.UNRECOGNIZED_FIELD' },
    });
  });

  test('reports the page token as the invalid parameter', async () => {
    expect(await errorOf(open().campaigns.list({ customer_id, pageToken: 'CICp8r' }))).toMatchObject({
      code: 'vendor_refused_request',
      errors: [{ path: 'params.pageToken' }],
    });
  });

  test('reports the API version setting as the cause if Google has removed the version', async () => {
    const connector = new GoogleAds({
      credentials,
      settings: { api_version: 'v20' },
      transport: createTransport({ sandboxUrl: sandbox.url }),
      limiter: unlimited,
    });
    expect(await errorOf(connector.accounts.list({ customer_id }))).toMatchObject({
      code: 'vendor_misconfigured',
    });
  });

  test('waits for as long as Google specifies after a rate-limit error', async () => {
    sandbox.control.faults.add({
      vendor: 'google-ads',
      path: '*googleAds:search',
      status: 429,
      retryAfter: 3600,
    });
    expect(await errorOf(open().accounts.list({ customer_id }))).toMatchObject({
      code: 'vendor_rate_limited',
      retryAfterSeconds: 3600,
    });
  });

  test.each([
    { status: 500 },
    { status: 503 },
    { truncate: true },
    { invalidJson: true },
    { html: true },
    { closeConnection: true },
  ])('a transient failure is retried: %o', async fault => {
    sandbox.control.faults.add({ vendor: 'google-ads', path: '*googleAds:search', count: 1, ...fault });
    expect((await open().accounts.list({ customer_id })).result).toHaveLength(1);
  });
});

test('refreshes an expired access token', async () => {
  sandbox.control.vendor('google-ads').settings.set({ accessTokenLifetimeSeconds: 1 });
  const connector = open();
  await connector.accounts.list({ customer_id });
  await connector.accounts.list({ customer_id });
  expect(asked().filter(({ path }) => path === '/token')).toHaveLength(2);
});
