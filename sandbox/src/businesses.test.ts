import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUSINESSES } from './invented/businesses.ts';
import { startSandbox, type RunningSandbox } from './start.ts';

const businesses = ['juniper-bakery', 'northquay-logistics', 'okafor-dental'];

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ rateLimits: false });
});
afterAll(() => sandbox.close());

type Values = Readonly<Record<string, string>>;

async function send(path: string, options: Parameters<typeof request>[1] = {}): Promise<unknown> {
  const { statusCode, body } = await request(`${sandbox.url}${path}`, options);
  expect(statusCode).toBe(200);
  return body.json();
}

/** Reads records of each vendor as text. */
const readers: Readonly<Record<string, (values: Values) => Promise<unknown>>> = {
  granola: ({ api_key }) =>
    send('/public-api.granola.ai/v1/notes?page_size=30', { headers: { authorization: `Bearer ${api_key}` } }),
  gong: ({ access_key, access_key_secret }) => {
    const basic = Buffer.from(`${access_key}:${access_key_secret}`).toString('base64');
    return send('/api.gong.io/v2/calls', { headers: { authorization: `Basic ${basic}` } });
  },
  'google-ads': async ({ client_id = '', client_secret = '', refresh_token = '', developer_token = '' }) => {
    const form = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
    const { access_token } = (await send('/oauth2.googleapis.com/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'developer-token': developer_token };
    const ads = '/googleads.googleapis.com/v25/customers';
    const { resourceNames } = (await send(`${ads}:listAccessibleCustomers`, { headers })) as {
      resourceNames: string[];
    };
    return send(`/googleads.googleapis.com/v25/${resourceNames[0]}/googleAds:search`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'SELECT campaign.name, ad_group.name FROM ad_group' }),
    });
  },
  'tiktok-marketing': async ({ access_token = '', app_id = '', secret = '' }) => {
    const api = '/business-api.tiktok.com/open_api/v1.3';
    const headers = { 'access-token': access_token };
    const { data } = (await send(`${api}/oauth2/advertiser/get/?app_id=${app_id}&secret=${secret}`, {
      headers,
    })) as { data: { list: { advertiser_id: string }[] } };
    return send(`${api}/ad/get/?advertiser_id=${data.list[0]?.advertiser_id}&page_size=100`, { headers });
  },
};

const credentialsOf = (vendor: string, business: string) =>
  sandbox.control
    .vendors()
    .find(({ key }) => key === vendor)!
    .credentials.find(credential => credential.business === business)!.values;

test.each(Object.keys(readers))('each business has its own records at %s', async vendor => {
  const read = readers[vendor]!;
  const records: string[] = [];
  for (const business of businesses) {
    const text = JSON.stringify(await read(credentialsOf(vendor, business)));
    expect(text).not.toMatch(/soap|düfte|refill|tidewater|lumen|sso rollout/i);
    // Some vendors' credentials are new each time.
    expect(withoutRequestIds(JSON.stringify(await read(credentialsOf(vendor, business))))).toBe(
      withoutRequestIds(text),
    );
    records.push(text);
  }
  expect(new Set(records.map(withoutRequestIds)).size).toBe(businesses.length);
});

const withoutRequestIds = (text: string) => text.replaceAll(/"request_?id":"[^"]*"/gi, '');

const authorizeUrls: Readonly<Record<string, string>> = {
  gong: '/app.gong.io/oauth2/authorize?response_type=code&scope=api:users:read&client_id=',
  'google-ads':
    '/accounts.google.com/o/oauth2/v2/auth?response_type=code&scope=https://www.googleapis.com/auth/adwords&client_id=',
  'tiktok-marketing': '/business-api.tiktok.com/portal/auth?app_id=',
};

describe.each(Object.keys(authorizeUrls))('the sign-in page of %s', vendor => {
  test.each(businesses)('selects only the account of %s, and folds the others', async business => {
    const { oauthApps } = sandbox.control.vendors().find(({ key }) => key === vendor)!;
    const address = `${sandbox.url}${authorizeUrls[vendor]}${oauthApps[0]!.clientId}&redirect_uri=http://127.0.0.1:1/back`;
    const page = await (await request(`${address}&sandbox_customer=${business}`)).body.text();
    const [, before = '', folded = ''] = page.split(/<\/style>|More test accounts/);
    expect(page).toContain('Simulated');
    expect(before.match(/name="account"/g)).toHaveLength(1);
    expect(before.match(/\bchecked\b/g)).toHaveLength(1);
    expect(before).toContain(BUSINESSES.find(({ id }) => id === business)!.name);
    expect(folded.match(/name="account"/g)!.length).toBeGreaterThan(2);
    expect(folded).not.toMatch(/\bchecked\b/);
  });
});

test('every business has credentials that work at every vendor, and other credentials name none', () => {
  for (const { key, credentials } of sandbox.control.vendors()) {
    const owned = credentials.filter(({ business }) => business !== undefined);
    expect([...new Set(owned.map(({ business }) => business))], key).toEqual(businesses);
    expect(owned.every(({ works }) => works)).toBe(true);
    expect(credentials[0], key).not.toHaveProperty('business');
  }
});

test('a bakery’s notes and calls are about baking', async () => {
  const [granola, gong] = ['granola', 'gong'].map(vendor => credentialsOf(vendor, 'juniper-bakery'));
  const notes = JSON.stringify(await readers['granola']!(granola!));
  const calls = JSON.stringify(await readers['gong']!(gong!));
  expect(notes).toContain('@juniper-bakery.example');
  expect(notes + calls).toMatch(/croissants/);
  expect(notes + calls).not.toMatch(/pallet|implants|onboarding/);
});
