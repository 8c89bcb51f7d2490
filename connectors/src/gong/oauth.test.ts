import { inspect } from 'node:util';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scriptedTransport } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  describeAuthMethods,
  grantsInMemory,
  parseGrant,
  unlimited,
  type Grant,
} from '../kind/index.ts';
import { Gong, gong } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

type Changed = Pick<Grant, 'credentials' | 'state'>;
interface Given {
  credentials?: Record<string, unknown>;
  state?: Record<string, unknown>;
  onCredentialsChanged?: (changed: Changed) => Promise<void> | void;
  app?: { clientId: string; clientSecret: string; extras: Record<string, string> };
}

/** New sandbox credentials: an unused refresh token with its OAuth app. */
let fresh: Record<string, string>;
beforeEach(() => {
  fresh = again();
});

function open({ credentials = fresh, ...given }: Given = {}) {
  return new Gong({
    // Some tests pass invalid credentials.
    credentials: credentials as never,
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
    ...given,
  });
}

/** Returns another refresh token for the same company. */
function again(): Record<string, string> {
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
  return credentials.find(({ values }) => 'refresh_token' in values)?.values ?? {};
}

const asked = (operation?: string) =>
  sandbox.control.requests.list({ vendor: 'gong', ...(operation ? { operation } : {}) });
const refreshes = () => asked('refresh token');

describe('Gong refresh tokens', () => {
  test('gets an access token and its API host from a refresh token before the first call', async () => {
    const changes: Changed[] = [];
    const connector = open({ onCredentialsChanged: changed => void changes.push(changed) });
    expect((await connector.users.list()).result).toHaveLength(100);
    expect(changes).toEqual([
      {
        credentials: {
          ...fresh,
          access_token: expect.any(String) as string,
          refresh_token: expect.not.stringMatching(fresh['refresh_token'] ?? '') as string,
        },
        state: {
          api_base_url_for_customer: 'https://company-17.api.gong.io',
          access_token_expires_at: expect.stringMatching(/^\d{4}-/) as string,
        },
      },
    ]);
    expect(asked().map(({ host }) => host)).toEqual(['app.gong.io', 'company-17.api.gong.io']);
  });

  test('uses the refresh token only once for fifty concurrent calls, all of which succeed', async () => {
    const changes: Changed[] = [];
    const connector = open({ onCredentialsChanged: changed => void changes.push(changed) });
    const pages = await Promise.all(Array.from({ length: 50 }, () => connector.users.list()));
    expect(pages.every(({ result }) => result.length === 100)).toBe(true);
    expect(refreshes()).toHaveLength(1);
    expect(changes).toHaveLength(1);
  });

  test('uses the refresh token only once for fifty concurrent calls with an expired access token', async () => {
    sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 3600 });
    const connector = open();
    await connector.users.list();
    // Only the vendor's clock advances, so Gong rejects the token before a refresh is due.
    sandbox.control.clock.advance(2 * 3600 * 1000);
    const pages = await Promise.all(Array.from({ length: 50 }, () => connector.users.list()));
    expect(pages.every(({ result }) => result.length === 100)).toBe(true);
    expect(refreshes()).toHaveLength(2);
  });

  test('replaces the refresh token on every refresh', async () => {
    sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 30 });
    const connector = open();
    // Tokens that last 30 seconds are always within the margin, so each call refreshes them. Gong would
    // reject a used refresh token.
    for (let call = 0; call < 4; call++) await connector.users.list();
    expect(refreshes().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('refreshed Gong tokens', () => {
  test('stores a refreshed token pair before using it', async () => {
    const order: string[] = [];
    const storing = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const connector = open({
      onCredentialsChanged: async () => {
        storing.resolve();
        await stored.promise;
        order.push('stored');
      },
    });
    const finished = connector.users.list().then(() => order.push('finished'));
    await storing.promise;
    // The refresh is done and the call awaits the callback.
    expect(asked().map(({ host }) => host)).toEqual(['app.gong.io']);
    stored.resolve();
    await finished;
    expect(order).toEqual(['stored', 'finished']);
  });

  test('does not use a refreshed token pair that could not be stored', async () => {
    const connector = open({
      onCredentialsChanged: () => Promise.reject(new Error('the disk is full')),
    });
    await expect(connector.users.list()).rejects.toThrow('the disk is full');
    expect(asked().map(({ host }) => host)).toEqual(['app.gong.io']);
  });

  test('uses the stored token pair in another process', async () => {
    let stored: Changed | null = null;
    await open({ onCredentialsChanged: changed => void (stored = changed) }).users.list();
    const { credentials, state } = JSON.parse(JSON.stringify(stored)) as {
      credentials: Record<string, unknown>;
      state: Record<string, unknown>;
    };
    expect((await open({ credentials, state }).users.list()).result).toHaveLength(100);
    expect(refreshes()).toHaveLength(1);
  });
});

describe('Gong API hosts', () => {
  test('sends an access token without a known host to the generic host and refreshes it after a rejection', async () => {
    let first: Changed | null = null;
    await open({ onCredentialsChanged: changed => void (first = changed) }).users.list();
    sandbox.control.requests.clear();
    const { credentials } = first as unknown as { credentials: Record<string, unknown> };
    expect((await open({ credentials }).users.list()).result).toHaveLength(100);
    expect(asked().map(({ host, status }) => [host, status])).toEqual([
      ['api.gong.io', 401],
      ['app.gong.io', 200],
      ['company-17.api.gong.io', 200],
    ]);
  });

  test('never sends an access token to a host outside gong.io', async () => {
    const state = { api_base_url_for_customer: 'https://gong.example' };
    await open({ credentials: { ...fresh, access_token: 'stale' }, state }).users.list();
    expect(asked()[0]?.host).toBe('api.gong.io');
  });
});

describe('a Gong access token alone, in open source mode', () => {
  const mint = () => {
    const minted = sandbox.control.vendor('gong').act('mint-tokens', {}) as Record<string, string>;
    const { access_token = '', api_base_url_for_customer } = minted;
    return { credentials: { access_token }, state: { api_base_url_for_customer } };
  };

  test("reads data at the company's API address, without a refresh", async () => {
    expect((await open(mint()).users.list()).result).toHaveLength(100);
    expect(asked().map(({ host, status }) => [host, status])).toEqual([['company-17.api.gong.io', 200]]);
  });

  test('uses the generic address if no other is given', async () => {
    sandbox.control.vendor('gong').settings.set({ genericHostTakesTokens: true });
    const { credentials } = mint();
    expect((await open({ credentials }).users.list()).result).toHaveLength(100);
  });

  test('names the missing address if the generic one rejects the token', async () => {
    const { credentials } = mint();
    await expect(open({ credentials }).users.list()).rejects.toMatchObject({
      code: 'reauthentication_required',
      errors: [
        {
          path: 'credentials.access_token',
          message: expect.stringContaining('api_base_url_for_customer') as string,
        },
      ],
    });
    expect(asked()).toHaveLength(1);
  });

  test('is neither offered nor accepted in hosted mode', () => {
    expect(describeAuthMethods(gong, { hasOAuthApp: true }).map(({ id }) => id)).toEqual([
      'oauth',
      'access_key',
    ]);
    expect(() => parseGrant(gong, mint().credentials)).toThrow(
      expect.objectContaining({
        code: 'invalid_credentials',
        errors: [{ path: 'credentials.refresh_token', message: 'Paste the refresh token' }],
      }),
    );
  });
});

describe('failed Gong token refreshes', () => {
  test('requires consent if the refresh token was already used', async () => {
    await open().users.list();
    const replay = open();
    await expect(replay.users.list()).rejects.toMatchObject({
      code: 'reauthentication_required',
      errors: [{ path: 'credentials.refresh_token' }],
    });
    expect(await replay.check()).toMatchObject({ status: 'unhealthy' });
    expect(refreshes().map(({ status }) => status)).toEqual([200, 400, 400]);
  });

  test('does not retry a refresh that fails at Gong, because the token may be used up', async () => {
    sandbox.control.faults.add({ vendor: 'gong', path: '/oauth2/*', status: 500 });
    await expect(open().users.list()).rejects.toMatchObject({ code: 'vendor_failed' });
    expect(asked()).toHaveLength(1);
  });

  test('rejects a refresh without an OAuth app before sending a request', async () => {
    const credentials = { refresh_token: fresh['refresh_token'] };
    await expect(open({ credentials }).users.list()).rejects.toMatchObject({
      code: 'invalid_credentials',
      errors: [{ path: 'credentials.client_id' }],
    });
    expect(asked()).toEqual([]);
  });

  test('distinguishes an invalid OAuth app of the operator from an invalid one of the customer', async () => {
    const credentials = { refresh_token: fresh['refresh_token'] };
    const app = { clientId: 'gong_sandbox_client', clientSecret: 'wrong', extras: {} };
    await expect(open({ credentials, app }).users.list()).rejects.toMatchObject({
      code: 'vendor_misconfigured',
    });
    await expect(
      open({ credentials: { ...fresh, client_secret: 'wrong' } }).users.list(),
    ).rejects.toMatchObject({
      code: 'reauthentication_required',
      errors: [{ path: 'credentials.client_secret' }],
    });
    // An invalid client does not use up the refresh token.
    const right = { ...app, clientSecret: fresh['client_secret'] ?? '' };
    expect((await open({ credentials, app: right }).users.list()).result).toHaveLength(100);
  });

  test('never includes secrets in errors', async () => {
    await open().users.list();
    const error: unknown = await open()
      .users.list()
      .catch((error: unknown) => error);
    const text = inspect(error, { depth: null, showHidden: true });
    for (const secret of [fresh['refresh_token'], fresh['client_secret']]) expect(text).not.toContain(secret);
  });
});

describe('the Gong check', () => {
  const run = async (credentials: Record<string, unknown>, knownAs?: string | null) => {
    const connection = connect({
      kind: gong,
      grants: grantsInMemory(parseGrant(gong, credentials)),
      transport: createTransport({ sandboxUrl: sandbox.url }),
      limiter: unlimited,
    });
    return gong.check.run(await connection.vendorFor({ repeatable: true }), knownAs);
  };

  test('identifies the company by its oldest workspace for every auth method', async () => {
    const { account: ofToken } = await run(fresh);
    const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
    const working = credentials.filter(({ values, works }) => works && 'access_key' in values);
    const accounts = [];
    for (const { values } of working) accounts.push((await run(values)).account);
    expect(accounts.length).toBeGreaterThan(1);
    expect(new Set(accounts).size).toBe(accounts.length);
    for (const account of accounts) expect(account).toMatch(/^workspace \d+$/);
    expect(accounts).toContain(ofToken);
  });

  const host = 'https://company-17.api.gong.io';

  test.each([401, 403])(
    'identifies the company by its API host if the token gets a %i for workspaces',
    async status => {
      sandbox.control.faults.add({ vendor: 'gong', path: '/v2/workspaces', status });
      expect(await run(fresh)).toEqual({ account: host });
    },
  );

  test('still identifies a company by its API host if that was its first identifier', async () => {
    expect(await run(fresh, host)).toEqual({ account: host });
  });

  test.each([401, 403])(
    'reports an unknown account if the token gets a %i for workspaces and the company is identified by one',
    async status => {
      const { account } = await run(fresh);
      sandbox.control.faults.add({ vendor: 'gong', path: '/v2/workspaces', status });
      expect(await run(again(), account)).toEqual({ account: null });
    },
  );

  test('reports an unknown account for an access key if the company is identified by its API host', async () => {
    const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
    const key = credentials.find(({ values, works }) => works && 'access_key' in values)?.values ?? {};
    expect(await run(key, host)).toEqual({ account: null });
  });

  test('reports a different account for a different company', async () => {
    expect(await run(fresh, 'workspace 1')).toEqual({
      account: expect.stringMatching(/^workspace \d{2,}$/) as string,
    });
    expect((await run(again(), 'https://company-18.api.gong.io')).account).toMatch(/^workspace /);
  });

  test('still identifies a company by the same workspace for as long as that workspace exists', async () => {
    const { transport } = scriptedTransport(
      { body: { users: [] } },
      { body: { workspaces: [{ id: '7' }, { id: '12' }] } },
    );
    const grants = grantsInMemory(parseGrant(gong, { access_key: 'a', access_key_secret: 'b' }));
    const connection = connect({ kind: gong, grants, transport, limiter: unlimited });
    const vendor = await connection.vendorFor({ repeatable: true });
    expect(await gong.check.run(vendor, 'workspace 12')).toEqual({ account: 'workspace 12' });
  });
});
