import { describe, expect, test } from 'vitest';
import {
  credentials,
  customer_id,
  errorOf,
  fixture,
  sample,
  scriptedGoogleAds,
} from '../../test/google-ads.ts';
import { describeAuthMethods } from '../kind/describe.ts';
import type { Grant } from '../kind/grants.ts';
import { ownApp } from './auth.ts';
import { GoogleAds, googleAds } from './index.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const grant: Grant = { method: 'credentials', credentials, state: { other: 1 }, settings: {} };
const refresh = ownApp.refresh;
const empty = { body: { fieldMask: 'campaign.id' } };

describe('Google Ads credentials', () => {
  test('describes four credential fields with titles and help text, and marks secrets', () => {
    const [method] = describeAuthMethods(googleAds);
    const properties = method?.schema['properties'] as Record<string, Record<string, unknown>>;
    expect(Object.keys(properties)).toEqual([
      'client_id',
      'client_secret',
      'refresh_token',
      'developer_token',
    ]);
    expect(method?.schema['required']).toEqual(Object.keys(properties));
    for (const field of Object.values(properties)) {
      expect(field).toMatchObject({
        title: expect.any(String) as string,
        description: expect.any(String) as string,
      });
    }
    const secrets = Object.keys(properties).filter(name => properties[name]?.['writeOnly'] === true);
    expect(secrets).toEqual(['client_secret', 'refresh_token', 'developer_token']);
    expect(method?.help_url).toMatch(/^https:\/\/developers\.google\.com\//);
  });

  test('rejects invalid credentials and reports every issue before any call', () => {
    const wrong = { client_id: ' ', client_secret: 'a b', refresh_token: 1, login_customer_id: 'x' };
    expect(() => new GoogleAds({ credentials: wrong })).toThrow(
      expect.objectContaining({
        code: 'invalid_credentials',
        errors: ['client_id', 'client_secret', 'refresh_token', 'developer_token', 'login_customer_id'].map(
          path => expect.objectContaining({ path: `credentials.${path}` }) as unknown,
        ),
      }),
    );
  });
});

describe('Google Ads access tokens', () => {
  test('requests access tokens in Google’s format', () => {
    expect(refresh.request(grant, null)).toEqual({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      form: {
        grant_type: 'refresh_token',
        refresh_token: credentials.refresh_token,
        client_id: credentials.client_id,
        client_secret: credentials.client_secret,
      },
    });
  });

  test('requests access tokens with the operator’s app if the credentials have none', () => {
    const consented = { ...grant, method: 'oauth', credentials: { refresh_token: 'r' } };
    const app = { clientId: 'operator', clientSecret: 'secret', extras: {} };
    expect(refresh.request(consented, app).form).toMatchObject({
      client_id: 'operator',
      client_secret: 'secret',
    });
  });

  test('stores access tokens in the state and leaves the refresh token unchanged', () => {
    const renewed = refresh.read(sample('oauth_token_2_refresh'), grant, now);
    expect(renewed.credentials).toEqual(credentials);
    expect(renewed.state).toMatchObject({ other: 1, access: { token: 'ya29.sample-access-2' } });
    expect(
      ownApp.authorize({ method: 'GET', url: 'https://x', headers: { a: 'b' } }, renewed).headers,
    ).toEqual({
      a: 'b',
      authorization: 'Bearer ya29.sample-access-2',
    });
    // The token is valid for 3599 seconds and is refreshed a minute before it expires.
    expect(refresh.isDue(renewed, now + 3538_000)).toBe(false);
    expect(refresh.isDue(renewed, now + 3540_000)).toBe(true);
  });

  test('stores a refresh token that Google replaced', () => {
    const renewed = refresh.read(
      {
        ...sample('oauth_token_1_code_exchange'),
        body: { ...(fixture('oauth_token_1_code_exchange') as object), refresh_token: 'new' },
      },
      grant,
      now,
    );
    expect(renewed.credentials).toEqual({ ...credentials, refresh_token: 'new' });
    expect(refresh.isDue(renewed, now)).toBe(false);
  });

  test('does not use an access token created with another refresh token', () => {
    const renewed = refresh.read(sample('oauth_token_2_refresh'), grant, now);
    const replaced = { ...renewed, credentials: { ...credentials, refresh_token: 'of another person' } };
    expect(refresh.isDue(replaced, now)).toBe(true);
  });

  test.each([
    [
      'an expired grant',
      sample('oauth_token_3_error'),
      'reauthentication_required',
      ['credentials.refresh_token'],
    ],
    [
      'a wrong client secret',
      { status: 401, headers: {}, body: { error: 'invalid_client' } },
      'reauthentication_required',
      ['credentials.client_secret'],
    ],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '9' }, body: null },
      'vendor_rate_limited',
      [],
    ],
    ['an outage', { status: 503, headers: {}, body: undefined }, 'vendor_failed', []],
    ['a success without a token', { status: 200, headers: {}, body: {} }, 'vendor_failed', []],
  ])('rejects a token response: %s', (_name, response, code, paths) => {
    expect(() => refresh.read(response, grant, now)).toThrow(
      expect.objectContaining({
        code,
        errors: paths.map(path => expect.objectContaining({ path }) as unknown),
      }),
    );
  });

  test("reports an operator error if Google rejects the operator's app", () => {
    const response = {
      status: 401,
      headers: {},
      body: { error: 'invalid_client', error_description: 'Unauthorized' },
    };
    expect(() => refresh.read(response, { ...grant, method: 'oauth' }, now)).toThrow(
      expect.objectContaining({ code: 'vendor_misconfigured' }),
    );
  });

  test('fetches one access token for concurrent calls and stores it before it is used', async () => {
    const changes: unknown[] = [];
    const {
      googleAds: connector,
      requests,
      tokenRequests,
    } = scriptedGoogleAds(
      Array.from({ length: 50 }, () => empty),
      {
        onCredentialsChanged: async changed => {
          await Promise.resolve();
          expect(requests).toHaveLength(0);
          changes.push(changed);
        },
      },
    );
    await Promise.all(Array.from({ length: 50 }, () => connector.campaigns.list({ customer_id })));
    expect(tokenRequests).toHaveLength(1);
    expect(requests).toHaveLength(50);
    expect(changes).toHaveLength(1);
  });

  test('uses the stored access token in another process', async () => {
    let state: Record<string, unknown> = {};
    const first = scriptedGoogleAds([empty], {
      onCredentialsChanged: changed => {
        state = JSON.parse(JSON.stringify(changed.state)) as typeof state;
      },
    });
    await first.googleAds.campaigns.list({ customer_id });
    const second = scriptedGoogleAds([empty], { state });
    await second.googleAds.campaigns.list({ customer_id });
    expect(second.tokenRequests).toEqual([]);
  });

  test('refreshes an access token once if Google rejects it before it expires, even for calls that write', async () => {
    const results = { body: { results: [{}] } };
    const {
      googleAds: connector,
      requests,
      tokenRequests,
    } = scriptedGoogleAds([sample('error_401_google'), results]);
    await connector.labels.create({ customer_id, operations: [{ create: { name: 'a' } }] });
    expect(tokenRequests).toHaveLength(2);
    expect(requests).toHaveLength(2);

    const rejecting = scriptedGoogleAds([sample('error_401_not_ads_user'), sample('error_401_not_ads_user')]);
    expect(await errorOf(rejecting.googleAds.accounts.list({ customer_id }))).toMatchObject({
      code: 'reauthentication_required',
      vendor: { code: 'authenticationError.NOT_ADS_USER' },
    });
  });

  test('refreshes an access token even if another call updated the state in the meantime', async () => {
    let attempts = 0;
    const { googleAds: connector, tokenRequests } = scriptedGoogleAds([], {
      transport: async request => {
        const response = (status: number, body: unknown) => ({ status, headers: {}, body });
        if (request.url.includes('oauth2')) {
          tokenRequests.push(request);
          return response(200, { access_token: `token-${tokenRequests.length}`, expires_in: 3599 });
        }
        if (request.method === 'GET') return response(200, { resourceNames: ['customers/7330012455'] });
        if (request.url.includes('7330012455')) return response(200, { results: [{}] });
        if (request.headers?.['authorization'] === 'Bearer token-1' && request.url.includes('1110001111')) {
          attempts += 1;
          // Lets the other call find its manager before this rejection arrives.
          await connector.campaigns.list({ customer_id });
          return sample('error_401_google');
        }
        const isThroughManager = request.headers?.['login-customer-id'] !== undefined;
        return isThroughManager || request.url.includes('1110001111')
          ? response(200, empty.body)
          : sample('error_403_permission');
      },
    });
    await connector.campaigns.list({ customer_id: '1110001111' });
    expect(attempts).toBe(1);
    expect(tokenRequests).toHaveLength(2);
  });
});
