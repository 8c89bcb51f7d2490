import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { credentials, customer_id, fixture, sample, scriptedGoogleAds } from '../../test/google-ads.ts';
import { asArray, asObject } from '../kind/record.ts';
import { readErrors } from './failure.ts';
import { googleAds } from './index.ts';

const fixtures = readdirSync(new URL('fixtures/', import.meta.url)).map(file => file.replace('.json', ''));
const named = (pattern: RegExp) => fixtures.filter(name => pattern.test(name)).sort();
const lists = [
  'ad_group_ad_labels',
  'ad_group_ads',
  'ad_group_labels',
  'ad_groups',
  'accounts',
  'campaign_labels',
  'campaigns',
];
const entityOf = (name: string) => lists.find(entity => name.startsWith(`search_${entity}_`)) ?? '';

describe('Google Ads list samples', () => {
  test.each(named(/^search_(?!customer_client|fields)/))(
    'maps %s to records with every documented object',
    async name => {
      const entity = entityOf(name);
      const { results, nextPageToken } = asObject(fixture(name));
      const rows = asArray(results).map(asObject);
      const { googleAds: connector } = scriptedGoogleAds([sample(name)]);
      // The entity has a list action.
      const page = await connector.execute(entity as 'campaigns', 'list', { customer_id });
      const stated = Object.keys(statedObjects(entity));
      expect(page.result).toEqual(rows.map(row => ({ ...statedObjects(entity), ...row })));
      for (const record of page.result) expect(Object.keys(record)).toEqual(expect.arrayContaining(stated));
      expect(page.connector_metadata).toEqual({ next_page_token: nextPageToken ?? null });
    },
  );

  test('preserves 64-bit integers as strings', async () => {
    const { googleAds: connector } = scriptedGoogleAds([sample('search_campaigns_4_sync_query_v25')]);
    const { result } = await connector.campaigns.list({ customer_id });
    expect(result[0]?.campaign?.id).toBe('20411122233');
    expect(result[0]?.metrics?.costMicros).toBe('18230000');
    expect(result[1]?.segments?.hour).toBe(0);
    expect(result[0]?.metrics?.averageCpc).toBe(444634.1463414634);
  });

  test.each([
    ['list_accessible_customers_1', ['6120459183', '7330012455']],
    ['list_accessible_customers_2_none', []],
  ])('maps %s to one record', async (name, ids) => {
    const { googleAds: connector, requests } = scriptedGoogleAds([sample(name)]);
    const { result, connector_metadata } = await connector.accessible_customers.list();
    const resourceNames = ids.map(id => ({ resourceName: `customers/${id}`, customerId: id }));
    expect(result).toEqual([{ resourceNames }]);
    expect(connector_metadata).toBeNull();
    expect(requests[0]).toEqual({
      method: 'GET',
      url: 'https://googleads.googleapis.com/v25/customers:listAccessibleCustomers',
      headers: {
        'developer-token': credentials.developer_token,
        authorization: 'Bearer ya29.sample-access-2',
      },
    });
  });
});

function statedObjects(entity: string): Record<string, null> {
  // The entity has a list action.
  const { record } = googleAds.entities[entity as 'campaigns'].actions.list;
  return Object.fromEntries(Object.keys((record as { shape?: object }).shape ?? {}).map(key => [key, null]));
}

describe('Google Ads mutation samples', () => {
  const actions = {
    campaigns: ['campaigns', 'update'],
    ad_groups: ['ad_groups', 'update'],
    labels: ['labels', 'create'],
    campaign_labels: ['campaign_labels', 'create'],
    ad_group_labels: ['ad_group_labels', 'create'],
  } as const;
  const services: Record<keyof typeof actions, string> = {
    campaigns: 'campaigns',
    ad_groups: 'adGroups',
    labels: 'labels',
    campaign_labels: 'campaignLabels',
    ad_group_labels: 'adGroupLabels',
  };

  test.each(named(/^mutate_.*request/))('sends the operations of %s as in the sample', async name => {
    // Each name contains the entity.
    const entity = /^mutate_(.*?)_\d/.exec(name)?.[1] as keyof typeof actions;
    const { operations } = asObject(fixture(name));
    const response = sample(name.replace('request', 'response'));
    const { googleAds: connector, requests } = scriptedGoogleAds([response]);
    const [, action] = actions[entity];
    const outcome = await connector.execute(
      entity as 'campaigns',
      action as 'update',
      // The sample's operations are those of this entity.
      { customer_id, operations: operations as [] },
    );
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: `https://googleads.googleapis.com/v25/customers/${customer_id}/${services[entity]}:mutate`,
    });
    expect(requests[0]?.body).toEqual({ operations });
    expect(outcome).toEqual({ result: response.body, connector_metadata: null });
  });

  test('reports which operation of a partial failure failed', () => {
    const { partialFailureError } = asObject(fixture('mutate_campaigns_2_response_partial'));
    expect(readErrors(asObject(partialFailureError)['details'])).toEqual([
      {
        code: 'campaignError.DUPLICATE_CAMPAIGN_NAME',
        message: 'The name is already used by another campaign.',
        path: 'operations.1.update.name',
        retryAfterSeconds: null,
      },
    ]);
  });
});
