import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPlatformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { TestBrowser } from '../../../test/test-browser.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const publicUrl = 'http://localhost:4321';
const page = 'http://127.0.0.1:5555';
const connectors = '/api/v1/integrations/connectors';
const path = '/api/v1/oauth/credentials';

const tiktokApp = { app_id: '7100000000000000002', secret: 'tiktok-sandbox-own-secret-91aa7e' };
const ownGong = { client_id: 'gong_sandbox_own_client', client_secret: 'gong_sandbox_own_client_secret' };

onPostgresOrEachEngineInFull('an organization’s own OAuth app', database => {
  let service: TestService;
  let token: string;
  let otherToken: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    service = await startTestService(database(), { publicUrl, oauthApps: allPlatformApps });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
    otherToken = await service.tokenOf(await service.addApplication('other', ['Other']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    await database().kysely.deleteFrom('oauth_apps').execute();
    service.sandbox.control.reset();
    // Refills the limit of changes.
    service.advance(20_000);
    browser = new TestBrowser(service, publicUrl);
    return () => browser.leave();
  });
  afterAll(() => service.close());

  const set = (configuration: unknown, connector_type = 'gong', as = token) =>
    service.ask('PUT', path, { token: as, body: { connector_type, configuration } });
  const remove = (type: string) => service.ask('DELETE', `${path}/connector_type/${type}`, { token });
  /** Returns the client id in the vendor's consent URL. */
  const askedAs = async (as = token) => {
    const vendorUrl = new URL((await startConsent(as)).vendorUrl);
    return vendorUrl.searchParams.get('client_id');
  };
  const startConsent = async (as = token) => {
    const body = { customer_name: 'acme', connector_type: 'gong', redirect_url: `${page}/connected` };
    const response = await service.ask('POST', `${connectors}/oauth/initiate`, { token: as, body });
    expect(response.status, response.text).toBe(200);
    const vendorUrl = await browser.reachVendor(response.body, `${page}/`);
    return { vendorUrl, sessionId: String(response.body.session_id) };
  };
  const connect = async () => {
    const { vendorUrl } = await startConsent();
    const { location } = await browser.visit(await browser.decide(vendorUrl, 'allow'));
    const secret = new URL(String(location)).searchParams.get('secret_id');
    const body = {
      customer_name: 'acme',
      connector_type: 'gong',
      name: 'Calls',
      server_side_oauth_secret_id: secret,
    };
    const response = await service.ask('POST', connectors, { token, body });
    expect(response.status, response.text).toBe(201);
    return String(response.body.id);
  };
  const listUsers = (id: string) =>
    service.ask('POST', `${connectors}/${id}/execute`, { token, body: { entity: 'users', action: 'list' } });

  test('uses an organization’s own app only for new OAuth flows of that organization', async () => {
    const response = await set(ownGong);
    expect(response.status, response.text).toBe(200);
    expect(response.body).toEqual({
      connector_type: 'gong',
      definition_id: expect.any(String),
      client_id: ownGong.client_id,
      updated_at: expect.any(String),
    });
    expect(await askedAs()).toBe(ownGong.client_id);
    expect(await askedAs(otherToken)).toBe('gong_sandbox_client');
    expect((await listUsers(await connect())).status).toBe(200);
  });

  test('uses the platform’s app after the organization’s app is deleted, and rejects a second deletion', async () => {
    await set(ownGong);
    expect((await remove('Gong')).status).toBe(204);
    expect(await askedAs()).toBe('gong_sandbox_client');
    expect((await remove('gong')).body.code).toBe('oauth_credentials_not_found');
    expect((await remove('gmail')).body.code).toBe('unknown_connector_type');
  });

  test('logs when an application sets or deletes the organization’s app, without the client secret', async () => {
    const logged = service.logged().length;
    await set(ownGong);
    await remove('gong');
    expect((await remove('gong')).status).toBe(404);
    const changes = service
      .logged()
      .slice(logged)
      .split('\n')
      .filter(line => line.includes('"event":"oauth_app_changed"'))
      .map(line => JSON.parse(line) as unknown);
    const { sub, orgs } = decodeJwt<{ orgs: string[] }>(token);
    const subject = { level: 'info', application_id: sub, organization_id: orgs[0], kind: 'gong' };
    expect(changes).toEqual([
      expect.objectContaining({ ...subject, change: 'set' }),
      expect.objectContaining({ ...subject, change: 'deleted' }),
    ]);
    expect(service.logged()).not.toContain(ownGong.client_secret);
  });

  test('changes nothing if the same app is set again', async () => {
    const first = await set(ownGong);
    const logged = service.logged().length;
    expect((await set(ownGong)).body).toEqual(first.body);
    expect(service.logged().slice(logged)).not.toContain('oauth_app_changed');
    const second = await set({ ...ownGong, client_secret: 'another' });
    expect(Date.parse(second.body.updated_at)).toBeGreaterThan(Date.parse(first.body.updated_at));
  });

  test('refreshes each grant with the app that it was issued to, even after that app was replaced', async () => {
    await set(ownGong);
    const own = await connect();
    await remove('gong');
    const platform = await connect();
    await set(ownGong);
    service.sandbox.control.vendor('gong').act('expire-access-tokens', {});
    expect((await listUsers(own)).status).toBe(200);
    expect((await listUsers(platform)).status).toBe(200);
  });

  describe('pasted credentials', () => {
    type Tokens = Readonly<Record<'access_token' | 'refresh_token', string>>;
    /** Returns new tokens, as the vendor issued them to an app. */
    const tokensOf = (app: object = {}): Tokens => {
      // The sandbox returns the response of Gong's token endpoint.
      const minted = service.sandbox.control.vendor('gong').act('mint-tokens', { ...app }) as Tokens;
      return { access_token: minted.access_token, refresh_token: minted.refresh_token };
    };
    const paste = (credentials: object, as = token, connector_type = 'gong', more: object = {}) => {
      const body = { customer_name: 'acme', connector_type, name: 'Pasted', credentials, ...more };
      return service.ask('POST', connectors, { token: as, body });
    };
    const expectAppRequired = (response: { status: number; body: unknown }) => {
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({
        code: 'oauth_app_required',
        detail: expect.stringContaining('PUT /api/v1/oauth/credentials'),
        errors: [{ path: 'credentials.client_id', message: expect.stringContaining('client secret') }],
      });
    };
    const vendorCalls = () => service.sandbox.control.requests.count({ vendor: 'gong' });

    test('rejects pasted credentials without an OAuth app of their own, although the platform has one', async () => {
      const tokens = tokensOf();
      expectAppRequired(await paste({ refresh_token: tokens.refresh_token }));
      // A valid access token does not need the app before it expires.
      expectAppRequired(await paste(tokens));
      const id = await connect();
      const change = { token, body: { credentials: tokensOf() } };
      expectAppRequired(await service.ask('PATCH', `${connectors}/${id}`, change));
      expect((await listUsers(id)).status).toBe(200);
    });

    test('does not send pasted credentials to the vendor if they lack an app', async () => {
      const { refresh_token } = tokensOf();
      const before = vendorCalls();
      expectAppRequired(await paste({ refresh_token }));
      expect(vendorCalls()).toBe(before);
    });

    test('refreshes pasted credentials with the organization’s own app, and with no other once it is deleted', async () => {
      await set(ownGong);
      const pasted = await paste(tokensOf({ clientId: ownGong.client_id }));
      expect(pasted.status, pasted.text).toBe(201);
      service.sandbox.control.vendor('gong').act('expire-access-tokens', {});
      expect((await listUsers(pasted.body.id)).status).toBe(200);
      await remove('gong');
      service.sandbox.control.vendor('gong').act('expire-access-tokens', {});
      const response = await listUsers(pasted.body.id);
      expect(response.body).toMatchObject({
        code: 'vendor_misconfigured',
        detail: expect.stringContaining('PUT /api/v1/oauth/credentials'),
      });
    });

    test('refreshes pasted credentials with the client id and secret that they include', async () => {
      const vendor = service.sandbox.control.vendors().find(({ key }) => key === 'gong');
      const own = vendor?.credentials.find(({ values }) => 'refresh_token' in values)?.values ?? {};
      expect((await paste(own)).status).toBe(201);
    });

    const tiktok = () => goodCredentials(service.sandbox, 'tiktok-marketing');
    const advertiser_ids = ['7210046633581101057'];

    test('uses pasted credentials without the platform’s app for kinds that work without one', async () => {
      const { access_token } = tiktok();
      const settings = { replication_config: { advertiser_ids } };
      const response = await paste({ access_token }, token, 'tiktok-marketing', settings);
      expect(response.status, response.text).toBe(201);
      const secrets = service.sandbox.control.requests
        .list({ vendor: 'tiktok-marketing' })
        .filter(({ path }) => path.includes('/oauth2/'));
      expect(secrets).toEqual([]);
    });

    test.each([
      ['a token whose advertisers no app can list', {}, 'replication_config.advertiser_ids'],
      ['a wrong token', { access_token: 'wrong' }, 'credentials.access_token'],
      ['a wrong app secret', { ...tiktokApp, secret: 'wrong' }, 'credentials.secret'],
      ['an app ID without its secret', { app_id: tiktokApp.app_id }, 'credentials.secret'],
    ])('rejects %s, and says what to change', async (_title, changes, path) => {
      const credentials = { access_token: tiktok()['access_token'], ...changes };
      const { status, body } = await paste(credentials, token, 'tiktok-marketing');
      expect([status, body.errors]).toEqual([422, [{ path, message: expect.any(String) }]]);
    });

    test('lists the advertisers of a pasted token with the app that issued it, until they are chosen', async () => {
      const { body: created, text } = await paste(tiktok(), token, 'tiktok-marketing');
      expect(created.replication_config, text).toEqual({});
      const change = async (ids: readonly string[] | null) => {
        const body = { replication_config: { advertiser_ids: ids } };
        const changed = await service.ask('PATCH', `${connectors}/${created.id}`, { token, body });
        return changed.body.replication_config;
      };
      expect(await change(advertiser_ids)).toEqual({ advertiser_ids });
      expect(await change(null)).toEqual({});
      expect(service.logged()).not.toContain(tiktokApp.secret);
    });
  });

  test('reports a missing app when a grant needs it, and keeps the connector active', async () => {
    await set(ownGong);
    const id = await connect();
    await remove('gong');
    expect((await listUsers(id)).status).toBe(200);
    service.sandbox.control.vendor('gong').act('expire-access-tokens', {});
    // The platform's app is configured, but the tokens were not issued to it.
    const response = await listUsers(id);
    expect(response.status, response.text).toBe(502);
    expect(response.body).toMatchObject({
      code: 'vendor_misconfigured',
      detail: expect.stringContaining('no longer configured'),
    });
    const shown = await service.ask('GET', `${connectors}/${id}`, { token });
    expect(shown.body.status).toBe('active');
    await set(ownGong);
    expect((await listUsers(id)).status).toBe(200);
  });

  test('reports where the app is configured if its secret is wrong, and keeps the connector active', async () => {
    await set(ownGong);
    const id = await connect();
    await set({ ...ownGong, client_secret: 'wrong' });
    service.sandbox.control.vendor('gong').act('expire-access-tokens', {});
    const response = await listUsers(id);
    expect(response.status).toBe(502);
    expect(response.body).toMatchObject({
      code: 'vendor_misconfigured',
      detail: expect.stringContaining('PUT /api/v1/oauth/credentials'),
    });
    expect((await service.ask('GET', `${connectors}/${id}`, { token })).body.status).toBe('active');
  });

  test('ends a running OAuth flow when the app changes', async () => {
    await set(ownGong);
    const { vendorUrl, sessionId } = await startConsent();
    await remove('gong');
    const { location } = await browser.visit(await browser.decide(vendorUrl, 'allow'));
    expect(new URL(String(location)).searchParams.get('error')).toBe('oauth_not_offered');
    const response = await service.ask('GET', `${connectors}/oauth/sessions/${sessionId}`, { token });
    expect(response.body).toMatchObject({ status: 'failed', error: { code: 'oauth_not_offered' } });
  });

  describe('invalid OAuth apps', () => {
    test.each<[string, string, unknown, string, string]>([
      ['without a secret', 'gong', { client_id: 'a' }, 'invalid_credentials', 'configuration.client_secret'],
      [
        'with a space',
        'gong',
        { client_id: 'a b', client_secret: 'c' },
        'invalid_credentials',
        'configuration.client_id',
      ],
      [
        'with an unknown field',
        'gong',
        { ...ownGong, scope: 'x' },
        'invalid_credentials',
        'configuration.scope',
      ],
      [
        'without a developer token',
        'google-ads',
        ownGong,
        'invalid_credentials',
        'configuration.developer_token',
      ],
      ['that is a string', 'gong', 'gong', 'malformed_request', 'configuration'],
    ])('rejects an OAuth app %s', async (_title, kind, configuration, code, invalidPath) => {
      const before = await readDatabaseContents(database());
      const response = await set(configuration, kind);
      expect(response.body).toMatchObject({ code, errors: [{ path: invalidPath }] });
      expect(await readDatabaseContents(database())).toEqual(before);
    });

    test('rejects an OAuth app for a kind without OAuth or an unknown kind', async () => {
      expect((await set(ownGong, 'granola')).body.code).toBe('oauth_not_offered');
      expect((await set(ownGong, 'gmail')).body.code).toBe('unknown_connector_type');
      const spec = await service.ask('GET', `${path}/spec?connector_type=granola`, { token });
      expect(spec.body.code).toBe('oauth_not_offered');
    });
  });

  test('returns the app’s schema and the redirect URL to register', async () => {
    const response = await service.ask('GET', `${path}/spec?connector_type=Google Ads`, { token });
    expect(response.body).toMatchObject({
      connector_type: 'google-ads',
      redirect_url: `${publicUrl}/oauth/callback/google-ads`,
      schema: {
        additionalProperties: false,
        required: ['client_id', 'client_secret', 'developer_token'],
        properties: {
          client_secret: { writeOnly: true },
          developer_token: { writeOnly: true },
          access_level: { enum: ['basic', 'standard'] },
        },
      },
    });
  });

  test('gives a new app a callback path of its kind, and accepts the callback only there', async () => {
    await set(ownGong);
    const { vendorUrl, sessionId } = await startConsent();
    expect(new URL(vendorUrl).searchParams.get('redirect_uri')).toBe(`${publicUrl}/oauth/callback/gong`);
    const callback = await browser.decide(vendorUrl, 'allow');
    expect(new URL(callback).pathname).toBe('/oauth/callback/gong');
    await browser.visit(callback.replace('/oauth/callback/gong', '/oauth/callback/google-ads'));
    const rejected = await service.ask('GET', `${connectors}/oauth/sessions/${sessionId}`, { token });
    expect(rejected.body).toMatchObject({ status: 'failed', error: { code: 'issuer_mismatch' } });
    expect(service.sandbox.control.requests.count({ operation: 'exchange code' })).toBe(0);
    expect((await listUsers(await connect())).status).toBe(200);
  });

  test('keeps the shared callback path of an app that was registered with it, even after a rotation', async () => {
    await set(ownGong);
    await database().kysely.updateTable('oauth_apps').set({ callback_path: '/oauth/callback' }).execute();
    const expectShared = async () => {
      const { vendorUrl } = await startConsent();
      expect(new URL(vendorUrl).searchParams.get('redirect_uri')).toBe(`${publicUrl}/oauth/callback`);
      const spec = await service.ask('GET', `${path}/spec?connector_type=gong`, { token });
      expect(spec.body.redirect_url).toBe(`${publicUrl}/oauth/callback`);
    };
    await expectShared();
    await set(ownGong);
    await expectShared();
    await remove('gong');
    const spec = await service.ask('GET', `${path}/spec?connector_type=gong`, { token });
    expect(spec.body.redirect_url).toBe(`${publicUrl}/oauth/callback/gong`);
  });

  test('stores the app’s secret encrypted and never returns or logs it', async () => {
    const response = await set({ ...ownGong, client_secret: 'very-secret-indeed' });
    const rows = await database().kysely.selectFrom('oauth_apps').selectAll().execute();
    for (const { configuration } of rows) {
      expect(Buffer.from(configuration).includes('very-secret-indeed')).toBe(false);
    }
    expect(rows).toHaveLength(1);
    expect(response.text + service.logged()).not.toContain('very-secret-indeed');
  });

  test('limits the changes of an organization, and not those of others', async () => {
    service.stopClock();
    service.advance(60_000);
    const codes = [];
    for (let index = 0; index < 5; index++) {
      codes.push((await set(ownGong)).body.code, (await remove('gong')).body?.code);
    }
    expect(codes).toEqual(Array(10).fill(undefined));
    const limited = await set(ownGong);
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    expect((await remove('gong')).body.code).toBe('rate_limited');
    expect((await set(ownGong, 'gong', otherToken)).status).toBe(200);
  });
});
