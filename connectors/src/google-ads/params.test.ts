import type { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { credentials, customer_id, errorOf, scriptedGoogleAds } from '../../test/google-ads.ts';
import { parseGrant } from '../kind/credentials.ts';
import { GoogleAds, googleAds } from './index.ts';

const campaign = `customers/${customer_id}/campaigns/20411122233`;
const adGroup = `customers/${customer_id}/adGroups/150011223344`;
const label = `customers/${customer_id}/labels/22900000077`;

/** Runs an operation without type checks and returns the paths of its issues. */
async function issuePathsOf(entity: string, action: string, params: unknown): Promise<string[]> {
  const { run, requests, tokenRequests } = scriptedGoogleAds([]);
  const error = (await errorOf(run(entity, action, params))) as ConnectorAuthError;
  expect(error).toMatchObject({ code: 'invalid_params', status: 422 });
  expect([...requests, ...tokenRequests]).toEqual([]);
  for (const { message } of error.errors) expect(message).toMatch(/^[A-Z]/);
  return error.errors.map(({ path }) => path.replace(/^params\./, ''));
}

describe('invalid Google Ads parameters make no vendor call', () => {
  test.each([
    '612045918',
    '61204591830',
    '612-045-9183',
    ' 6120459183',
    '٦١٢٠٤٥٩١٨٣',
    6120459183,
    null,
    undefined,
  ])('rejects customer id %o', async wrong => {
    expect(await issuePathsOf('campaigns', 'list', { customer_id: wrong })).toEqual(['customer_id']);
  });

  test.each([0, -1, 10_001, 1.5, '10', null])('rejects page size %o', async pageSize => {
    expect(await issuePathsOf('ad_groups', 'list', { customer_id, pageSize })).toEqual(['pageSize']);
  });

  test.each(['', '~', '~abc', '~abcdefgh.0.', '~abcdefgh.x.T', 7])(
    'rejects page token %o',
    async pageToken => {
      expect(await issuePathsOf('accounts', 'list', { customer_id, pageToken })).toEqual(['pageToken']);
    },
  );

  test('reports all issues at once, including unknown parameters', async () => {
    const params = { customer_id: '123', pageSize: 0, pageToken: '', query: ' ', page_size: 5, cursor: 'x' };
    const paths = await issuePathsOf('ad_group_ads', 'list', params);
    expect(paths.sort()).toEqual(['cursor', 'customer_id', 'pageSize', 'pageToken', 'page_size', 'query']);
  });

  test('rejects parameters of accessible_customers, which takes none', async () => {
    expect(await issuePathsOf('accessible_customers', 'list', { customer_id })).toEqual(['customer_id']);
  });

  test('rejects an empty list of operations, too many operations and malformed ones', async () => {
    for (const operations of [undefined, [], {}, Array.from({ length: 10_001 }, () => ({}))]) {
      expect(await issuePathsOf('labels', 'create', { customer_id, operations })).toEqual(['operations']);
    }
  });

  test.each([
    ['labels', 'create'],
    ['campaign_labels', 'create'],
    ['ad_group_labels', 'create'],
    ['campaigns', 'update'],
    ['ad_groups', 'update'],
  ])('rejects an operation of %s without anything to %s', async (entity, action) => {
    const params = { customer_id, operations: [{}, { [action]: undefined }] };
    expect(await issuePathsOf(entity, action, params)).toEqual([
      `operations.0.${action}`,
      `operations.1.${action}`,
    ]);
  });

  test('rejects a mask that lists a field missing from `update`, together with all other issues', async () => {
    const paths = await issuePathsOf('campaigns', 'update', {
      customer_id: '12345678901',
      operations: [
        { updateMask: 'name,status', update: { resourceName: campaign, name: 'a' } },
        { updateMask: 'status', update: { resourceName: adGroup, status: 'REMOVED', budget: 1 } },
        { updateMask: 'name', update: { resourceName: campaign, status: 'PAUSED' } },
        { updateMask: 'name' },
        { updateMask: ' , ', update: { resourceName: campaign, name: '' } },
        { updateMask: 'resourceName', update: { resourceName: campaign, name: 'a' } },
        { update: { resourceName: campaign } },
        { update: { name: 'a' } },
        { mask: 'name', update: { resourceName: campaign, name: 'a' } },
        {},
      ],
    });
    expect(paths.sort()).toEqual([
      'customer_id',
      'operations.0.updateMask',
      'operations.1.update.budget',
      'operations.1.update.resourceName',
      'operations.1.update.status',
      'operations.2.updateMask',
      'operations.3.update',
      'operations.4.update.name',
      'operations.4.updateMask',
      'operations.5.updateMask',
      'operations.6.update',
      'operations.7.update.resourceName',
      'operations.8.mask',
      'operations.9.update',
    ]);
  });

  test.each([650_000, '-1', '1.5', '9223372036854775808', ''])('rejects a bid of %o', async cpcBidMicros => {
    const operations = [{ update: { resourceName: adGroup, cpcBidMicros } }];
    expect(await issuePathsOf('ad_groups', 'update', { customer_id, operations })).toEqual([
      'operations.0.update.cpcBidMicros',
    ]);
  });

  test('rejects a bid for a campaign', async () => {
    const operations = [{ update: { resourceName: campaign, cpcBidMicros: '1', name: 'a' } }];
    expect(await issuePathsOf('campaigns', 'update', { customer_id, operations })).toEqual([
      'operations.0.update.cpcBidMicros',
    ]);
  });

  test('rejects resource names of the wrong type', async () => {
    const operations = [{ create: { campaign: adGroup, label: campaign } }, { create: { campaign } }];
    expect(await issuePathsOf('campaign_labels', 'create', { customer_id, operations })).toEqual([
      'operations.0.create.campaign',
      'operations.0.create.label',
      'operations.1.create.label',
    ]);
    expect(
      await issuePathsOf('ad_group_labels', 'create', {
        customer_id,
        operations: [{ create: { adGroup: label } }],
      }),
    ).toEqual(['operations.0.create.adGroup', 'operations.0.create.label']);
  });

  test('rejects labels without a name, with too much text or with an invalid color', async () => {
    const operations = [
      { create: { description: 'x'.repeat(201), textLabel: { backgroundColor: 'red', size: 1 } } },
      { create: { name: 'x'.repeat(81) } },
      { create: null },
    ];
    expect((await issuePathsOf('labels', 'create', { customer_id, operations })).sort()).toEqual([
      'operations.0.create.description',
      'operations.0.create.name',
      'operations.0.create.textLabel.backgroundColor',
      'operations.0.create.textLabel.size',
      'operations.1.create.name',
      'operations.2.create',
    ]);
  });

  test.each([
    ['keywords', 'list', 'unknown_entity'],
    ['labels', 'list', 'unknown_action'],
    ['campaigns', 'delete', 'unknown_action'],
    ['campaigns', 'search', 'search_needs_hosted'],
    ['__proto__', 'list', 'unknown_entity'],
  ])('rejects %s.%s with %s', async (entity, action, code) => {
    const { run, requests } = scriptedGoogleAds([]);
    expect(await errorOf(run(entity, action))).toMatchObject({ code });
    expect(requests).toEqual([]);
  });
});

describe('operations in Google’s format', () => {
  async function sent(entity: string, action: string, operation: unknown): Promise<unknown> {
    const { run, requests } = scriptedGoogleAds([{ body: { results: [{ resourceName: 'r' }] } }]);
    await run(entity, action, { customer_id, operations: [operation] });
    return (JSON.parse(JSON.stringify(requests[0]?.body)) as { operations: unknown[] }).operations[0];
  }

  test('adds a mask with every field to an update without a mask', async () => {
    const update = {
      resourceName: adGroup,
      cpcBidMicros: '9223372036854775807',
      status: 'PAUSED',
      name: undefined,
    };
    expect(await sent('ad_groups', 'update', { update })).toEqual({
      updateMask: 'status,cpcBidMicros',
      update: { resourceName: adGroup, cpcBidMicros: '9223372036854775807', status: 'PAUSED' },
    });
  });

  test('converts a mask that lists only some of the fields to camelCase', async () => {
    const update = { resourceName: adGroup, cpcBidMicros: '1', status: 'PAUSED' };
    expect(
      await sent('ad_groups', 'update', { updateMask: ' cpc_bid_micros , cpcBidMicros ', update }),
    ).toEqual({
      updateMask: 'cpcBidMicros',
      update,
    });
  });

  test("moves a label's description into the text label unless the text label includes one", async () => {
    expect(await sent('labels', 'create', { create: { name: 'q3', description: 'third' } })).toEqual({
      create: { name: 'q3', textLabel: { description: 'third' } },
    });
    const textLabel = { backgroundColor: '#1E8E3E', description: 'own' };
    expect(
      await sent('labels', 'create', { create: { name: 'q3', description: 'third', textLabel } }),
    ).toEqual({
      create: { name: 'q3', textLabel },
    });
  });
});

describe('Google Ads settings', () => {
  const issues = (settings: Record<string, unknown>) => {
    try {
      return void new GoogleAds({ credentials, settings });
    } catch (error) {
      return (error as ConnectorAuthError).errors.map(({ path }) => path);
    }
  };

  test('accepts ids in the formats that users paste', () => {
    expect(issues({ customer_id: '612-045-9183, 7330012455' })).toBeUndefined();
    expect(
      issues({ customer_id: ['6120459183'], start_date: '2026-01-01', api_version: 'v22' }),
    ).toBeUndefined();
  });

  test('does not pin a new connector to the newest API version', () => {
    expect(parseGrant(googleAds, credentials).settings).not.toHaveProperty('api_version');
  });

  test('rejects invalid settings and reports every issue', () => {
    expect(
      issues({
        customer_id: ['1', '6120459183'],
        start_date: '2026-02-30',
        conversion_window_days: -1,
        api_version: '25',
        access_level: 'none',
        login_customer_id: 'x',
      })?.sort(),
    ).toEqual([
      'replication_config.access_level',
      'replication_config.api_version',
      'replication_config.conversion_window_days',
      'replication_config.customer_id.0',
      'replication_config.login_customer_id',
      'replication_config.start_date',
    ]);
  });
});
