import type { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, it } from 'vitest';
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

describe('bad input is refused without a call of the vendor', () => {
  it.each([
    '612045918',
    '61204591830',
    '612-045-9183',
    ' 6120459183',
    '٦١٢٠٤٥٩١٨٣',
    6120459183,
    null,
    undefined,
  ])('customer id %o', async wrong => {
    expect(await issuePathsOf('campaigns', 'list', { customer_id: wrong })).toEqual(['customer_id']);
  });

  it.each([0, -1, 10_001, 1.5, '10', null])('page size %o', async pageSize => {
    expect(await issuePathsOf('ad_groups', 'list', { customer_id, pageSize })).toEqual(['pageSize']);
  });

  it.each(['', '~', '~abc', '~abcdefgh.0.', '~abcdefgh.x.T', 7])('page token %o', async pageToken => {
    expect(await issuePathsOf('accounts', 'list', { customer_id, pageToken })).toEqual(['pageToken']);
  });

  it('lists every fault at once, unknown parameters too', async () => {
    const params = { customer_id: '123', pageSize: 0, pageToken: '', query: ' ', page_size: 5, cursor: 'x' };
    const paths = await issuePathsOf('ad_group_ads', 'list', params);
    expect(paths.sort()).toEqual(['cursor', 'customer_id', 'pageSize', 'pageToken', 'page_size', 'query']);
  });

  it('a parameter of accessible_customers, which takes none', async () => {
    expect(await issuePathsOf('accessible_customers', 'list', { customer_id })).toEqual(['customer_id']);
  });

  it('operations that are none, too many or no list', async () => {
    for (const operations of [undefined, [], {}, Array.from({ length: 10_001 }, () => ({}))]) {
      expect(await issuePathsOf('labels', 'create', { customer_id, operations })).toEqual(['operations']);
    }
  });

  it('a mask that names a field not in update, beside every other fault', async () => {
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
      ],
    });
    expect(paths.sort()).toEqual([
      'customer_id',
      'operations.0.updateMask',
      'operations.1.update.budget',
      'operations.1.update.resourceName',
      'operations.1.update.status',
      'operations.2.updateMask',
      'operations.3.updateMask',
      'operations.4.update.name',
      'operations.4.updateMask',
      'operations.5.updateMask',
      'operations.6.update',
      'operations.7.update.resourceName',
      'operations.8.mask',
    ]);
  });

  it.each([650_000, '-1', '1.5', '9223372036854775808', ''])('a bid of %o', async cpcBidMicros => {
    const operations = [{ update: { resourceName: adGroup, cpcBidMicros } }];
    expect(await issuePathsOf('ad_groups', 'update', { customer_id, operations })).toEqual([
      'operations.0.update.cpcBidMicros',
    ]);
  });

  it('a bid for a campaign', async () => {
    const operations = [{ update: { resourceName: campaign, cpcBidMicros: '1', name: 'a' } }];
    expect(await issuePathsOf('campaigns', 'update', { customer_id, operations })).toEqual([
      'operations.0.update.cpcBidMicros',
    ]);
  });

  it('names of the wrong kind of resource', async () => {
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

  it('labels without a name, with too much text, or in a color that is none', async () => {
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

  it.each([
    ['keywords', 'list', 'unknown_entity'],
    ['labels', 'list', 'unknown_action'],
    ['campaigns', 'delete', 'unknown_action'],
    ['campaigns', 'search', 'search_needs_hosted'],
    ['__proto__', 'list', 'unknown_entity'],
  ])('%s.%s is %s', async (entity, action, code) => {
    const { run, requests } = scriptedGoogleAds([]);
    expect(await errorOf(run(entity, action))).toMatchObject({ code });
    expect(requests).toEqual([]);
  });
});

describe('operations in the form Google takes', () => {
  async function sent(entity: string, action: string, operation: unknown): Promise<unknown> {
    const { run, requests } = scriptedGoogleAds([{ body: { results: [{ resourceName: 'r' }] } }]);
    await run(entity, action, { customer_id, operations: [operation] });
    return (JSON.parse(JSON.stringify(requests[0]?.body)) as { operations: unknown[] }).operations[0];
  }

  it('get a mask of every given field when there is none', async () => {
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

  it('keep a mask that names fewer fields, in the names JSON has', async () => {
    const update = { resourceName: adGroup, cpcBidMicros: '1', status: 'PAUSED' };
    expect(
      await sent('ad_groups', 'update', { updateMask: ' cpc_bid_micros , cpcBidMicros ', update }),
    ).toEqual({
      updateMask: 'cpcBidMicros',
      update,
    });
  });

  it("have a label's description where Google's labels have it, unless one stands there", async () => {
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

  it('may be empty, as the specification has it: Google says what is missing', async () => {
    expect(await sent('labels', 'create', {})).toEqual({});
    expect(await sent('campaigns', 'update', {})).toEqual({});
    expect(await sent('campaign_labels', 'create', {})).toEqual({});
  });
});

describe('settings', () => {
  const issues = (settings: Record<string, unknown>) => {
    try {
      return void new GoogleAds({ credentials, settings });
    } catch (error) {
      return (error as ConnectorAuthError).errors.map(({ path }) => path);
    }
  };

  it('take ids as people copy them', () => {
    expect(issues({ customer_id: '612-045-9183, 7330012455' })).toBeUndefined();
    expect(
      issues({ customer_id: ['6120459183'], start_date: '2026-01-01', api_version: 'v22' }),
    ).toBeUndefined();
  });

  it('do not pin a connector to the version that is newest when it is made', () => {
    expect(parseGrant(googleAds, credentials).settings).not.toHaveProperty('api_version');
  });

  it('are refused with every fault listed', () => {
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
