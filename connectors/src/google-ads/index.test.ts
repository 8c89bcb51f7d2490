import { describe, expect, test } from 'vitest';
import { credentials, customer_id, errorOf, sample, scriptedGoogleAds } from '../../test/google-ads.ts';
import { scriptedTransport } from '../../test/scripted.ts';
import { connect } from '../kind/connection.ts';
import { grantsInMemory, type Grant } from '../kind/grants.ts';
import { unlimited } from '../kind/rate-limit.ts';
import { googleAds } from './index.ts';

const grant: Grant = { method: 'credentials', credentials, state: {}, settings: {} };
const empty = { body: { fieldMask: 'campaign.id' } };

describe('the Google Ads developer token', () => {
  const consented: Grant = {
    method: 'credentials',
    credentials: { refresh_token: 'r' },
    state: {},
    settings: {},
  };

  async function sendAs(extras: Record<string, string>) {
    const { transport, requests } = scriptedTransport(sample('oauth_token_2_refresh'), empty);
    const app = { clientId: 'c', clientSecret: 's', extras };
    const connection = connect({
      kind: googleAds,
      grants: grantsInMemory(consented),
      transport,
      limiter: unlimited,
      app,
    });
    const vendor = await connection.vendorFor({ repeatable: true });
    await googleAds.entities.campaigns.actions.list.run({ customer_id }, vendor);
    return requests[1]?.headers?.['developer-token'];
  }

  test('uses the operator’s developer token if the credentials have none', async () => {
    expect(await sendAs({ developer_token: 'of-the-operator' })).toBe('of-the-operator');
  });

  test('reports a missing developer token before any call', async () => {
    expect(await errorOf(sendAs({}))).toMatchObject({
      code: 'vendor_misconfigured',
      message: expect.stringContaining('OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN') as string,
    });
  });
});

describe('the Google Ads daily limit', () => {
  const [limit] = googleAds.rateLimits;
  const request = {
    method: 'POST',
    url: 'https://x',
    headers: { 'developer-token': 't' },
    body: { query: 'q' },
  } as const;
  const app = (access_level: string) => ({ clientId: '', clientSecret: '', extras: { access_level } });

  test('counts requests by developer token, and only the first page of each query', () => {
    expect(limit?.subject(grant, request, null)).toBe('t');
    expect(limit?.subject(grant, { ...request, body: { query: 'q', pageToken: 'T' } }, null)).toBeNull();
  });

  test("does not apply a daily limit to standard access, whether the customer's or the operator's", () => {
    expect(limit?.subject({ ...grant, settings: { access_level: 'standard' } }, request, null)).toBeNull();
    expect(limit?.subject({ ...grant, method: 'oauth' }, request, app('standard'))).toBeNull();
    expect(limit?.subject({ ...grant, method: 'oauth' }, request, app('basic'))).toBe('t');
    expect(limit?.subject(grant, request, app('standard'))).toBe('t');
  });
});

describe('the Google Ads check', () => {
  test('reports healthy credentials if the accounts can be listed, and unhealthy ones if Google rejects them', async () => {
    const { googleAds: healthy, requests } = scriptedGoogleAds([sample('list_accessible_customers_1')]);
    expect(await healthy.check()).toEqual({
      status: 'healthy',
      error: null,
      checked_entity: 'accessible_customers',
      checked_action: 'list',
    });
    expect(requests).toHaveLength(1);
    const rejected = sample('error_401_not_ads_user');
    expect(await scriptedGoogleAds([rejected, rejected]).googleAds.check()).toMatchObject({
      status: 'unhealthy',
    });
  });

  async function accountOf(knownAs: string | null, ...ids: string[]) {
    const body = ids.length === 0 ? {} : { resourceNames: ids.map(id => `customers/${id}`) };
    const { transport } = scriptedTransport(sample('oauth_token_2_refresh'), { body });
    const connection = connect({
      kind: googleAds,
      grants: grantsInMemory(grant),
      transport,
      limiter: unlimited,
    });
    return googleAds.check.run(await connection.vendorFor({ repeatable: true }), knownAs);
  }

  test('identifies a connector by the same account for as long as the user can access it', async () => {
    const [first, known] = ['1110001111', '6120459183'];
    const accounts = [first, known];
    expect(await accountOf(null, known, first)).toEqual({ account: first, accounts });
    expect(await accountOf(known, known, first)).toEqual({ account: known, accounts });
    expect(await accountOf(known, first)).toEqual({ account: first, accounts: [first] });
    expect(await accountOf(null)).toEqual({ account: null, accounts: [] });
  });
});
