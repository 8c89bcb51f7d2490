import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeShape } from '../../test/shape.ts';
import { API, EMPTY, EU, OTHER_OWNER, sample, tiktokClient, US } from '../../test/tiktok.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

const APP = { app_id: '7100000000000000001', secret: 'tiktok-sandbox-secret-4f0c2b' };
const BACK = 'http://127.0.0.1:8787/oauth/callback?own=yes';

let sandbox: RunningSandbox;
let client: ReturnType<typeof tiktokClient>;
beforeAll(async () => {
  sandbox = await startSandbox();
  client = tiktokClient(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

const authorizeUrl = (query: Record<string, string> = {}): string => {
  const parameters = new URLSearchParams({ app_id: APP.app_id, state: 's-1', redirect_uri: BACK, ...query });
  return `${sandbox.url}/business-api.tiktok.com/portal/auth?${parameters.toString()}`;
};

/** Submits the consent page; returns the redirect URL. */
const decide = async (decision: 'allow' | 'deny', advertisers: string[] = [US]): Promise<URL> => {
  const form = new URLSearchParams({ decision });
  for (const id of advertisers) form.append('account', id);
  const { statusCode, headers } = await request(authorizeUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  expect(statusCode).toBe(302);
  return new URL(String(headers['location']));
};
const consent = async (advertisers?: string[]): Promise<string> =>
  (await decide('allow', advertisers)).searchParams.get('auth_code') ?? '';
const exchange = (auth_code: string, change: object = {}): ReturnType<typeof client.post> =>
  client.post('/oauth2/access_token/', { ...APP, auth_code, ...change });

describe('TikTok consent', () => {
  test('shows the app and the advertisers, and redirects with the code, the state and the original query', async () => {
    const { statusCode, body } = await request(authorizeUrl());
    expect(statusCode).toBe(200);
    const page = await body.text();
    for (const text of ['Fieldbook', 'Tidewater US', US, 'type="checkbox"']) expect(page).toContain(text);
    const back = await decide('allow', [US, EU]);
    expect(back.origin + back.pathname).toBe('http://127.0.0.1:8787/oauth/callback');
    expect(back.searchParams.get('own')).toBe('yes');
    expect(back.searchParams.get('state')).toBe('s-1');
    expect(back.searchParams.get('auth_code')).toBe(back.searchParams.get('code'));
  });

  test("selects all advertisers of one owner, but not another owner's", async () => {
    const page = await (await request(authorizeUrl())).body.text();
    const isChecked = new Map(
      [...page.matchAll(/value="(\d+)"([^>]*)/g)].map(([, id = '', rest = '']) => [
        id,
        rest.includes('checked'),
      ]),
    );
    expect([...isChecked.values()].filter(Boolean)).toHaveLength(5);
    expect([US, EU].map(id => isChecked.get(id))).toEqual([true, true]);
    expect(isChecked.get('7188300456120987649')).toBe(false);
  });

  test('redirects with the state but without a code after Deny', async () => {
    const back = await decide('deny');
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('s-1');
    expect(back.searchParams.has('auth_code')).toBe(false);
  });

  test.each([
    [{ app_id: '1' }, 'app_id'],
    [{ redirect_uri: 'https://elsewhere.example/callback' }, 'redirect_uri'],
  ])('shows an error instead of redirecting the invalid request %j', async (query, word) => {
    const { statusCode, headers, body } = await request(authorizeUrl(query));
    expect([statusCode, headers['location']]).toEqual([400, undefined]);
    expect(await body.text()).toContain(word);
  });
});

describe('TikTok tokens', () => {
  test('tokens grant access only to the chosen advertisers', async () => {
    const { body } = await exchange(await consent([US, EMPTY]));
    expect(describeShape(body)).toEqual(describeShape(sample('oauth2_access_token_1')));
    expect(body.data['advertiser_ids']).toEqual([US, EMPTY]);
    const token = String(body.data['access_token']);
    expect((await client.get('/campaign/get/', { advertiser_id: US }, token)).body.code).toBe(0);
    expect((await client.get('/campaign/get/', { advertiser_id: EU }, token)).body.code).toBe(40001);
  });

  test('exchanges a code only once, for its own app, within ten minutes', async () => {
    const code = await consent();
    expect((await exchange(code, { secret: 'wrong' })).body.code).toBe(40101);
    expect((await exchange(code)).body.code).toBe(0);
    expect((await exchange(code)).body).toMatchObject({ code: 40110, data: {} });
    expect((await exchange('invented')).body.code).toBe(40110);
    const late = await consent();
    sandbox.control.clock.advance(601_000);
    expect((await exchange(late)).body.code).toBe(40110);
  });

  test('tokens do not expire but can be revoked', async () => {
    const token = String((await exchange(await consent())).body.data['access_token']);
    sandbox.control.clock.advance(400 * 86_400_000);
    expect((await client.get('/user/info/', {}, token)).body.code).toBe(0);
    const { body } = await client.post('/oauth2/revoke_token/', { ...APP, access_token: token });
    expect(describeShape(body)).toEqual(describeShape(sample('oauth2_revoke_token_1')));
    expect((await client.get('/user/info/', {}, token)).body.code).toBe(40105);
  });

  test('removing the app revokes only the tokens of the owner who removed it', async () => {
    const [own, other] = await Promise.all(
      [US, OTHER_OWNER].map(async id =>
        String((await exchange(await consent([id]))).body.data['access_token']),
      ),
    );
    sandbox.control.vendor('tiktok-marketing').act('revoke-consent', { owner: 'jo@harbour.example' });
    expect((await client.get('/user/info/', {}, other)).body.code).toBe(40105);
    expect((await client.get('/user/info/', {}, own)).body.code).toBe(0);
  });

  test("advertiser/get lists a token's advertisers only for the token's app", async () => {
    const token = String((await exchange(await consent([EU, US]))).body.data['access_token']);
    const { body } = await client.get('/oauth2/advertiser/get/', APP, token);
    expect(describeShape(body)).toEqual(describeShape(sample('oauth2_advertiser_get_1')));
    expect(body.data.list.map(one => one['advertiser_id'])).toEqual([US, EU]);
    expect((await client.get('/oauth2/advertiser/get/', { ...APP, secret: 'x' }, token)).body.code).toBe(
      40101,
    );
  });

  test('user/info returns a different user for each owner', async () => {
    const userOf = async (advertiser: string): Promise<unknown> => {
      const token = String((await exchange(await consent([advertiser]))).body.data['access_token']);
      return (await client.get('/user/info/', {}, token)).body.data['core_user_id'];
    };
    expect(await userOf(US)).not.toBe(await userOf(OTHER_OWNER));
    expect(await userOf(US)).toBe(await userOf(EU));
  });

  test.each([
    ['{', 40002],
    [JSON.stringify({ app_id: 5 }), 40002],
  ])('rejects the invalid body %s with code %s', async (text, code) => {
    const { statusCode, body } = await request(`${sandbox.url}${API}/oauth2/access_token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    expect([statusCode, await body.json()]).toMatchObject([200, { code }]);
  });
});
