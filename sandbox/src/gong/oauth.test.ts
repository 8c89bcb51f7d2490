import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox, type RunningSandbox } from '../start.ts';

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  token_type: string;
  scope: string;
  api_base_url_for_customer: string;
}

const REDIRECT = 'http://localhost:8787/oauth/callback?tenant=a';
const CLIENT = ['gong_sandbox_client', 'gong_sandbox_client_secret'] as const;
const SCOPE = 'api:users:read api:calls:read:basic';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox({
    oauthApps: {
      gong: [
        {
          name: 'Hosted',
          clientId: 'hosted',
          clientSecret: 's',
          redirectUris: ['https://connect.example/cb'],
        },
      ],
    },
  });
});
afterEach(() => sandbox.close());

const authorizeUrl = (changes: Record<string, string | undefined> = {}): string => {
  const parameters = {
    client_id: CLIENT[0],
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: 'xyz/ü',
    ...changes,
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${sandbox.url}/app.gong.io/oauth2/authorize?${new URLSearchParams(given).toString()}`;
};

const decide = async (
  form: Record<string, string>,
  changes = {},
): Promise<{ status: number; location: URL | undefined; text: string; headers: Record<string, unknown> }> => {
  const { statusCode, headers, body } = await request(authorizeUrl(changes), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const { location } = headers;
  return {
    status: statusCode,
    location: typeof location === 'string' ? new URL(location) : undefined,
    text: await body.text(),
    headers,
  };
};

const consent = async (account = 'lumen', changes = {}): Promise<string> => {
  const { location } = await decide({ decision: 'allow', account }, changes);
  return location!.searchParams.get('code')!;
};

const token = async (
  parameters: Record<string, string>,
  { client = CLIENT, inBody = false }: { client?: readonly [string, string]; inBody?: boolean } = {},
): Promise<{ status: number; body: Tokens & Record<string, unknown> }> => {
  const encoded = new URLSearchParams(parameters).toString();
  const { statusCode, body } = await request(
    `${sandbox.url}/app.gong.io/oauth2/generate-customer-token${inBody ? '' : `?${encoded}`}`,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(client.join(':')).toString('base64')}`,
        ...(inBody && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: inBody ? encoded : null,
    },
  );
  return { status: statusCode, body: (await body.json()) as Tokens & Record<string, unknown> };
};

const exchange = async (code: string, changes: Record<string, string> = {}): ReturnType<typeof token> =>
  token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: CLIENT[0], ...changes });
const refresh = async (refreshToken: string): ReturnType<typeof token> =>
  token({ grant_type: 'refresh_token', refresh_token: refreshToken });
const users = async (accessToken: string, base = 'https://company-17.api.gong.io'): Promise<number> => {
  const url = `${base.replace('https:/', sandbox.url)}/v2/users`;
  const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${accessToken}` } });
  await body.dump();
  return statusCode;
};

describe('Gong consent page', () => {
  test('shows the app, the accounts and the permissions without scripts', async () => {
    const { statusCode, headers, body } = await request(authorizeUrl());
    const text = await body.text();
    expect(statusCode).toBe(200);
    for (const part of [
      'Fieldbook',
      'Lumen Harbour',
      'North Quay',
      'See users',
      'Allow',
      'Deny',
      'Simulated',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('<script');
    expect(headers).not.toHaveProperty('cross-origin-opener-policy');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test("redirects with the code and state after Allow, and keeps the redirect URL's query", async () => {
    const { status, location } = await decide({ decision: 'allow', account: 'northquay' });
    expect(status).toBe(302);
    expect(location!.href).toContain('http://localhost:8787/oauth/callback?tenant=a&');
    expect(location!.searchParams.get('state')).toBe('xyz/ü');
    expect(location!.searchParams.get('code')).toBeTruthy();
  });

  test('redirects with access_denied after Deny, and for a user without admin rights', async () => {
    for (const form of [{ decision: 'deny' }, { decision: 'allow', account: 'not-an-admin' }]) {
      const { status, location } = await decide(form);
      expect([status, location!.searchParams.get('error'), location!.searchParams.get('state')]).toEqual([
        302,
        'access_denied',
        'xyz/ü',
      ]);
    }
  });

  test.each([
    [{ client_id: 'unknown' }],
    [{ client_id: undefined }],
    [{ redirect_uri: 'https://evil.example/cb' }],
    [{ redirect_uri: 'http://localhost.evil.example/cb' }],
    [{ redirect_uri: undefined }],
    [{ response_type: 'token' }],
    [{ scope: 'api:everything' }],
    [{ scope: undefined }],
  ])('shows an error instead of redirecting the invalid request %j', async changes => {
    const shown = await request(authorizeUrl(changes));
    expect(shown.statusCode).toBe(400);
    expect(await shown.body.text()).toContain('Something went wrong');
    const posted = await decide({ decision: 'allow', account: 'lumen' }, changes);
    expect([posted.status, posted.location]).toEqual([400, undefined]);
  });

  test('redirects to an https URL only if it is registered', async () => {
    const redirect = { redirect_uri: 'https://connect.example/cb' };
    expect((await decide({ decision: 'deny' }, redirect)).status).toBe(400);
    expect((await decide({ decision: 'deny' }, { ...redirect, client_id: 'hosted' })).status).toBe(302);
  });

  test.each([
    {},
    { decision: 'maybe', account: 'lumen' },
    { decision: 'allow' },
    { decision: 'allow', account: 'unknown' },
  ])('rejects the submitted form %j without redirecting', async form =>
    expect((await decide(form)).status).toBe(400),
  );

  test('supports settings for COOP, errors, delays and automatic decisions', async () => {
    const { settings } = sandbox.control.vendor('gong');
    const head = async (extra: string): Promise<{ status: number; headers: Record<string, unknown> }> => {
      const { statusCode, headers, body } = await request(authorizeUrl() + extra);
      await body.dump();
      return { status: statusCode, headers };
    };
    expect((await head('&sandbox_coop=1')).headers['cross-origin-opener-policy']).toBe('same-origin');
    settings.set({ coop: true });
    expect((await head('')).headers['cross-origin-opener-policy']).toBe('same-origin');
    expect((await head('&sandbox_consentStatus=500')).status).toBe(500);
    expect((await head('&sandbox_consent=allow')).headers['location']).toContain('code=');
    settings.set({ consent: 'deny' });
    expect((await head('')).headers['location']).toContain('error=access_denied');
    const before = performance.now();
    await head('&sandbox_consentDelayMs=25');
    expect(performance.now() - before).toBeGreaterThanOrEqual(24);
  });
});

describe('Gong token endpoint', () => {
  test.each([false, true])('exchanges a code once (parameters in the body: %s)', async inBody => {
    const code = await consent();
    const parameters = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      client_id: CLIENT[0],
    };
    const { status, body } = await token(parameters, { inBody });
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.stringMatching(/^eyJ/),
        expires_in: 86_400,
        token_type: 'bearer',
        scope: SCOPE,
        api_base_url_for_customer: 'https://company-17.api.gong.io',
      },
    ]);
    expect(await users(body.access_token)).toBe(200);
    expect((await token(parameters)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('rejects a code from another client, with another redirect URL, or after ten minutes', async () => {
    expect((await exchange(await consent(), { redirect_uri: 'http://localhost:1/' })).status).toBe(400);
    const code = await consent();
    const asOther = { client: ['gong_sandbox_own_client', 'gong_sandbox_own_client_secret'] as const };
    expect(
      (await token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT }, asOther)).status,
    ).toBe(400);
    sandbox.control.clock.advance(540_000);
    const late = await consent();
    expect((await exchange(code)).status).toBe(200);
    sandbox.control.clock.advance(601_000);
    expect((await exchange(late)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('returns 401 for an invalid client and 400 for other grant types', async () => {
    const parameters = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await token(parameters, { client: [CLIENT[0], 'wrong'] })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await token({ grant_type: 'password' })).body).toMatchObject({ error: 'unsupported_grant_type' });
    expect((await token({})).body).toMatchObject({ error: 'invalid_request' });
    expect((await refresh('made.up')).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('rotates the refresh token and rejects its reuse', async () => {
    const first = (await exchange(await consent())).body;
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(await refresh(first.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Refresh token has already been used' },
    });
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  test('lets exactly one of many concurrent refreshes succeed, and counts all of them', async () => {
    const { refresh_token: refreshToken } = (await exchange(await consent())).body;
    const responses = await Promise.all(Array.from({ length: 20 }, async () => refresh(refreshToken)));
    expect(responses.filter(response => response.status === 200)).toHaveLength(1);
    expect(sandbox.control.requests.totals()['gong']?.operations).toMatchObject({
      'refresh token': 20,
      'exchange code': 1,
    });
  });

  test('treats the refresh token as spent if the response is lost', async () => {
    const { refresh_token: refreshToken } = (await exchange(await consent())).body;
    sandbox.control.faults.add({ path: '/oauth2/generate-customer-token', truncate: true, count: 1 });
    await expect(refresh(refreshToken)).rejects.toThrow();
    expect((await refresh(refreshToken)).status).toBe(400);
  });
});

describe('Gong access tokens', () => {
  test("access tokens work only on the customer's own host", async () => {
    const { access_token: accessToken } = (await exchange(await consent('northquay'))).body;
    expect(await users(accessToken, 'https://company-23.api.gong.io')).toBe(200);
    expect(await users(accessToken, 'https://company-17.api.gong.io')).toBe(401);
    expect(await users(accessToken, 'https://api.gong.io')).toBe(401);
    sandbox.control.vendor('gong').settings.set({ genericHostTakesTokens: true });
    expect(await users(accessToken, 'https://api.gong.io')).toBe(200);
  });

  test('access tokens expire after their lifetime or on demand, and can be refreshed', async () => {
    const gong = sandbox.control.vendor('gong');
    const first = (await exchange(await consent())).body;
    sandbox.control.clock.advance(86_400_001);
    expect(await users(first.access_token)).toBe(401);
    gong.settings.set({ accessTokenLifetimeSeconds: 0 });
    const second = (await refresh(first.refresh_token)).body;
    expect([second.expires_in, await users(second.access_token)]).toEqual([0, 401]);
    gong.settings.set({ accessTokenLifetimeSeconds: 60 });
    const third = (await refresh(second.refresh_token)).body;
    expect([third.expires_in, await users(third.access_token)]).toEqual([60, 200]);
    gong.act('expire-access-tokens');
    expect(await users(third.access_token)).toBe(401);
    const fourth = (await refresh(third.refresh_token)).body;
    expect(await users(fourth.access_token)).toBe(200);
  });

  test('returns 403 for a missing scope, and rejects tokens and refreshes after the consent is revoked', async () => {
    const own = (await exchange(await consent('lumen', { scope: 'api:calls:read:basic' }))).body;
    expect(await users(own.access_token)).toBe(403);
    sandbox.control.vendor('gong').act('revoke-consent');
    expect(await users(own.access_token)).toBe(401);
    expect((await refresh(own.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('access tokens and refresh tokens stay valid when the sandbox restarts', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = (await exchange(await consent())).body;
    await sandbox.close();
    sandbox = await startSandbox();
    expect(await users(accessToken)).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('issues tokens without consent, and lists credentials with an unused refresh token', async () => {
    const minted = sandbox.control.vendor('gong').act('mint-tokens', { account: 'northquay' }) as Tokens;
    expect(await users(minted.access_token, minted.api_base_url_for_customer)).toBe(200);
    const shown = (): string =>
      sandbox.control
        .vendors()
        .find(({ key }) => key === 'gong')!
        .credentials.at(-1)!.values['refresh_token']!;
    const [one, other] = [shown(), shown()];
    expect(one).not.toBe(other);
    expect((await refresh(one)).status).toBe(200);
    expect((await refresh(other)).status).toBe(200);
  });
});
