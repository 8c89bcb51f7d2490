import { createHash } from 'node:crypto';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { credentialsOf, errorSample, googleClient, postForm, sample } from '../../test/google.ts';
import { describeShape } from '../../test/shape.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

const APP = {
  client_id: '407408718192-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-secret-7d1c',
};
const BACK = 'http://127.0.0.1:8787/oauth/callback';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const authorizeUrl = (change: Record<string, string> = {}): string => {
  const parameters = new URLSearchParams({
    client_id: APP.client_id,
    redirect_uri: BACK,
    response_type: 'code',
    scope: 'https://www.googleapis.com/auth/adwords',
    access_type: 'offline',
    prompt: 'consent',
    state: 's 1',
    ...change,
  });
  return `${sandbox.url}/accounts.google.com/o/oauth2/v2/auth?${parameters.toString()}`;
};

const decide = async (
  change: Record<string, string> = {},
  decision = 'allow',
  account = 'ads@tidewater.example',
): Promise<URL> => {
  const { statusCode, headers } = await request(authorizeUrl(change), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ decision, account }).toString(),
  });
  expect(statusCode).toBe(302);
  return new URL(String(headers['location']));
};
const consent = async (change?: Record<string, string>): Promise<string> =>
  (await decide(change)).searchParams.get('code') ?? '';
const token = (form: Record<string, string>): ReturnType<typeof postForm> =>
  postForm(sandbox, '/token', { ...APP, ...form });
const exchange = (code: string, more: Record<string, string> = {}): ReturnType<typeof postForm> =>
  token({ grant_type: 'authorization_code', code, redirect_uri: BACK, ...more });
const refresh = (refresh_token: unknown): ReturnType<typeof postForm> =>
  token({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });

describe('Google consent', () => {
  test('shows the users, and redirects with the code, scope and state', async () => {
    const { statusCode, body } = await request(authorizeUrl({ login_hint: 'jo@harbour.example' }));
    expect(statusCode).toBe(200);
    const page = await body.text();
    expect(page.indexOf('jo@harbour.example')).toBeLessThan(page.indexOf('ads@tidewater.example'));
    const back = await decide();
    expect(back.origin + back.pathname).toBe(BACK);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      state: 's 1',
      iss: 'https://accounts.google.com',
      code: expect.stringMatching(/^4\//),
      scope: 'https://www.googleapis.com/auth/adwords',
    });
    const denied = await decide({}, 'deny');
    expect(Object.fromEntries(denied.searchParams)).toEqual({
      error: 'access_denied',
      state: 's 1',
      iss: 'https://accounts.google.com',
    });
  });

  test.each([
    [{ client_id: 'unknown' }, 'invalid_client'],
    [{ redirect_uri: 'https://elsewhere.example/' }, 'redirect_uri_mismatch'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: '' }, 'Missing required parameter: scope'],
    [{ scope: 'https://www.googleapis.com/auth/moon' }, 'invalid_scope'],
  ])('shows an error instead of redirecting the invalid request %j', async (change, message) => {
    const { statusCode, headers, body } = await request(authorizeUrl(change));
    expect([statusCode, headers['location']]).toEqual([400, undefined]);
    expect(await body.text()).toContain(message);
  });
});

describe('Google tokens', () => {
  test('exchanges a code for tokens that the API accepts', async () => {
    const { status, body } = await exchange(await consent());
    expect(status).toBe(200);
    expect(describeShape(body)).toEqual(describeShape(sample('oauth_token_1_code_exchange')));
    expect(body['expires_in']).toBe(3599);
    const response = await request(
      `${sandbox.url}/googleads.googleapis.com/v25/customers:listAccessibleCustomers`,
      {
        headers: {
          authorization: `Bearer ${String(body['access_token'])}`,
          'developer-token': credentialsOf(sandbox)['developer_token'] ?? '',
        },
      },
    );
    expect(response.statusCode).toBe(200);
  });

  test('refreshes access tokens repeatedly without a new refresh token, and expires them', async () => {
    const { refresh_token: refreshToken } = (await exchange(await consent())).body;
    for (let round = 0; round < 3; round++) {
      const { status, body } = await refresh(refreshToken);
      expect(status).toBe(200);
      expect(describeShape(body)).toEqual(describeShape(sample('oauth_token_2_refresh')));
    }
    const client = await googleClient(sandbox);
    expect((await client.search('SELECT customer.id FROM customer')).status).toBe(200);
    sandbox.control.clock.advance(3_600_000);
    expect((await client.search('SELECT customer.id FROM customer')).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('returns a refresh token only for offline access, and only on the first consent or with prompt=consent', async () => {
    const hasRefresh = async (change: Record<string, string>): Promise<boolean> =>
      'refresh_token' in (await exchange(await consent(change))).body;
    expect(await hasRefresh({ access_type: 'online', prompt: 'consent' })).toBe(false);
    expect(await hasRefresh({ prompt: '' })).toBe(false);
    expect(await hasRefresh({ prompt: 'consent' })).toBe(true);
    const fresh = await startSandbox();
    await sandbox.close();
    sandbox = fresh;
    expect(await hasRefresh({ prompt: '' })).toBe(true);
    expect(await hasRefresh({ prompt: '' })).toBe(false);
  });

  test('exchanges a code only once, for its own app and redirect URL, within ten minutes', async () => {
    const code = await consent();
    const other = {
      client_id: '512200934417-own.apps.googleusercontent.com',
      client_secret: 'GOCSPX-sandbox-own-secret-2b9e',
    };
    expect((await exchange(code, other)).body['error']).toBe('invalid_grant');
    expect((await exchange(code, { redirect_uri: 'http://127.0.0.1:1/' })).body['error']).toBe(
      'redirect_uri_mismatch',
    );
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const late = await consent();
    sandbox.control.clock.advance(601_000);
    expect((await exchange(late)).body['error']).toBe('invalid_grant');
  });

  test('requires the PKCE code verifier if the request had a code challenge', async () => {
    const verifier = 'a'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await consent({ code_challenge: challenge, code_challenge_method: 'S256' });
    expect((await exchange(code)).body['error_description']).toBe('Missing code verifier.');
    expect((await exchange(code, { code_verifier: 'b'.repeat(43) })).body['error']).toBe('invalid_grant');
    expect((await exchange(code, { code_verifier: verifier })).status).toBe(200);
  });

  test('revokes the refresh token and the access token together', async () => {
    const { body } = await exchange(await consent());
    expect(await postForm(sandbox, '/revoke', { token: String(body['access_token']) })).toEqual({
      status: 200,
      body: {},
    });
    const rejected = await refresh(body['refresh_token']);
    expect(rejected).toEqual({ status: 400, body: errorSample('oauth_token_3_error').body });
    expect(await postForm(sandbox, '/revoke', { token: String(body['refresh_token']) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_token' },
    });
  });

  test('revokes all grants that the user has given to the app', async () => {
    const [first, second] = [await exchange(await consent()), await exchange(await consent())];
    await postForm(sandbox, '/revoke', { token: String(first.body['refresh_token']) });
    expect((await refresh(second.body['refresh_token'])).body['error']).toBe('invalid_grant');
    const { body } = await exchange(await consent());
    expect((await refresh(body['refresh_token'])).status).toBe(200);
  });

  test('rejects a refresh after the user removes the app', async () => {
    const { refresh_token: refreshToken } = (await exchange(await consent())).body;
    sandbox.control.vendor('google-ads').act('revoke-consent', { user: 'ads@tidewater.example' });
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(() => sandbox.control.vendor('google-ads').act('revoke-consent', { user: 'x' })).toThrow(
      /unknown user/,
    );
  });

  test('issues access tokens with a configurable lifetime', async () => {
    sandbox.control.vendor('google-ads').settings.set({ accessTokenLifetimeSeconds: 5 });
    expect((await exchange(await consent())).body['expires_in']).toBe(5);
  });

  test.each([
    [{ client_id: 'unknown' }, 401, 'invalid_client'],
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ grant_type: '' }, 400, 'invalid_request'],
    [{ refresh_token: 'nonsense' }, 400, 'invalid_grant'],
  ])('rejects the token request %j with %s %s', async (change, status, error) => {
    const { refresh_token: refreshToken = '' } = credentialsOf(sandbox);
    const response = await token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...change });
    expect(response).toMatchObject({ status, body: { error } });
  });

  test('listed credentials work or fail as described', async () => {
    const vendor = sandbox.control.vendors().find(({ key }) => key === 'google-ads');
    const statuses = [];
    for (const { values, works } of vendor?.credentials ?? []) {
      const { developer_token: developerToken = '', ...rest } = values;
      const { body } = await postForm(sandbox, '/token', { grant_type: 'refresh_token', ...rest });
      const { statusCode } = await request(
        `${sandbox.url}/googleads.googleapis.com/v25/customers:listAccessibleCustomers`,
        {
          headers: {
            authorization: `Bearer ${String(body['access_token'])}`,
            'developer-token': developerToken,
          },
        },
      );
      statuses.push([works, statusCode === 200]);
    }
    expect(statuses.length).toBeGreaterThan(3);
    for (const [works, isOpen] of statuses) expect(isOpen).toBe(works);
  });
});
