import { describe, expect, test } from 'vitest';
import { customer_id, errorOf, sample, scriptedGoogleAds } from '../../test/google-ads.ts';

const manager = '7330012455';
const denied = sample('error_403_permission');
const none = { body: { fieldMask: 'customerClient.id' } };
const client = { body: { results: [{ customerClient: { id: customer_id } }] } };
const campaigns = sample('search_campaigns_2_last_page_v25');
const reaches = (...ids: string[]) => ({ body: { resourceNames: ids.map(id => `customers/${id}`) } });

const logins = (requests: readonly { headers?: Readonly<Record<string, string>> }[]) =>
  requests.map(({ headers }) => headers?.['login-customer-id'] ?? null);

describe('accounts behind a manager account', () => {
  test('requests an account directly first, then through its manager', async () => {
    const script = [denied, reaches('1110001111', manager), none, client, campaigns];
    const { googleAds, requests, left } = scriptedGoogleAds(script);
    const { result } = await googleAds.campaigns.list({ customer_id });
    expect(result).toHaveLength(1);
    expect(logins(requests)).toEqual([null, null, '1110001111', manager, manager]);
    expect(requests[3]?.body).toEqual({
      query: `SELECT customer_client.id FROM customer_client WHERE customer_client.id = ${customer_id}`,
    });
    expect(left()).toBe(0);
  });

  test('sends later calls, including changes, directly through the manager found earlier', async () => {
    const script = [denied, reaches(manager), client, campaigns, campaigns, { body: { results: [{}] } }];
    const { googleAds, requests } = scriptedGoogleAds(script);
    await googleAds.campaigns.list({ customer_id });
    await googleAds.campaigns.list({ customer_id });
    await googleAds.labels.create({ customer_id, operations: [{ create: { name: 'a' } }] });
    expect(logins(requests.slice(4))).toEqual([manager, manager]);
  });

  test('stores the manager in the state before using it', async () => {
    const events: unknown[] = [];
    const script = [denied, reaches(manager), client, campaigns];
    const { googleAds, requests } = scriptedGoogleAds(script, {
      onCredentialsChanged: ({ state }) => {
        events.push([state['login_customer_ids'], requests.length]);
      },
    });
    await googleAds.campaigns.list({ customer_id });
    expect(events).toEqual([
      [undefined, 0],
      [{ [customer_id]: manager }, 3],
    ]);
  });

  test('uses the manager in the stored state', async () => {
    const state = { login_customer_ids: { [customer_id]: manager } };
    const { googleAds, requests } = scriptedGoogleAds([campaigns, campaigns], { state });
    await googleAds.campaigns.list({ customer_id });
    await googleAds.campaigns.list({ customer_id: '1110001111' });
    expect(logins(requests)).toEqual([manager, null]);
  });

  test('finds the new manager after an account moves', async () => {
    const state = { login_customer_ids: { [customer_id]: '2220002222', '1110001111': '2220002222' } };
    let stored: unknown;
    const { googleAds, requests } = scriptedGoogleAds([denied, reaches(manager), client, campaigns], {
      state,
      onCredentialsChanged: changed => {
        stored = changed.state['login_customer_ids'];
      },
    });
    await googleAds.campaigns.list({ customer_id });
    expect(logins(requests)).toEqual(['2220002222', null, manager, manager]);
    expect(stored).toEqual({ [customer_id]: manager, '1110001111': '2220002222' });
  });

  test('resends a rejected change through the manager, because the rejected change had no effect', async () => {
    const script = [denied, reaches(manager), client, { body: { results: [{ resourceName: 'r' }] } }];
    const { googleAds, requests } = scriptedGoogleAds(script);
    await googleAds.labels.create({ customer_id, operations: [{ create: { name: 'a' } }] });
    expect(requests.filter(({ url }) => url.endsWith(':mutate'))).toHaveLength(2);
  });
});

describe('accounts without access', () => {
  test("fails with Google's own error after looking for the customer in every accessible account", async () => {
    const closed = sample('error_403_customer_not_enabled');
    const script = [denied, reaches('1110001111', '2220002222', manager), closed, none, none];
    const { googleAds, left } = scriptedGoogleAds(script);
    expect(await errorOf(googleAds.campaigns.list({ customer_id }))).toMatchObject({
      code: 'vendor_permission_missing',
      vendor: { code: 'authorizationError.USER_PERMISSION_DENIED' },
    });
    expect(left()).toBe(0);
  });

  test('does not search for a manager after other errors', async () => {
    const { googleAds, requests } = scriptedGoogleAds([sample('error_403_dev_token')]);
    expect(await errorOf(googleAds.campaigns.list({ customer_id }))).toMatchObject({
      code: 'vendor_permission_missing',
      vendor: { code: 'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED' },
    });
    expect(requests).toHaveLength(1);
  });
});

describe('concurrent calls', () => {
  test('stores every manager that concurrent calls find', async () => {
    const customers = ['1110001111', '2220002222', '3330003333'];
    let stored: unknown;
    const { googleAds } = scriptedGoogleAds([], {
      transport: request => {
        const response = (body: unknown, status = 200) => Promise.resolve({ status, headers: {}, body });
        if (request.url.includes('oauth2')) return response({ access_token: 'a', expires_in: 3599 });
        if (request.method === 'GET') return response(reaches(manager).body);
        if (request.url.includes(manager)) return response(client.body);
        return request.headers?.['login-customer-id'] === manager
          ? response(none.body)
          : response(denied.body, 403);
      },
      onCredentialsChanged: async ({ state }) => {
        await Promise.resolve();
        stored = state['login_customer_ids'];
      },
    });
    await Promise.all(customers.map(id => googleAds.campaigns.list({ customer_id: id })));
    expect(stored).toEqual(Object.fromEntries(customers.map(id => [id, manager])));
  });
});
