import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPlatformApps } from '../../test/consent.ts';
import { makeDatabase, type TestDatabase } from '../../test/engines.ts';
import { TestBrowser } from '../../test/test-browser.ts';
import { adminToken, startTestService, type TestService } from '../../test/test-service.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { silentLog } from '../log/log.ts';

/**
 * Tests each vendor's variant of the OAuth flow against the sandbox. One database engine is enough because no
 * SQL is vendor-specific.
 */

const publicUrl = 'http://localhost:4321';
const completion = `${publicUrl}/oauth/complete`;
const connectors = '/api/v1/integrations/connectors';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

let place: TestDatabase;
let database: Database;
let service: TestService;
let token: string;
let browser: TestBrowser;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openDatabase(place.location, { log: silentLog });
  service = await startTestService(database, { publicUrl, oauthApps: allPlatformApps });
  token = await service.tokenOf(await service.addApplication('own', ['Acme']));
});
beforeEach(async () => {
  await database.kysely.deleteFrom('customers').execute();
  service.sandbox.control.reset();
  browser = new TestBrowser(service, publicUrl);
  return () => browser.leave();
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const begin = async (connector_type: string, customer_name = 'acme') => {
  const body = { customer_name, connector_type, redirect_url: completion, challenge };
  const response = await service.ask('POST', `${connectors}/oauth/initiate`, { token, body });
  expect(response.status, response.text).toBe(200);
  return response.body as { consent_url: string; session_id: string };
};
/**
 * Submits the confirmation on the start page. The page asks for confirmation because an OAuth flow that an
 * application starts does not specify the origin of the integrator's page.
 */
const confirm = async (consentUrl: string): Promise<string> => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const { location } = await browser.visit(consentUrl, { method: 'POST', headers });
  if (location === null) throw new Error('The start page did not redirect');
  return location;
};
const sessionNow = async (id: string) => {
  const headers = { 'x-oauth-verifier': verifier };
  return (await service.ask('GET', `${connectors}/oauth/sessions/${id}`, { token, headers })).body;
};
const connect = async (connector_type: string, account?: string) => {
  const { consent_url, session_id } = await begin(connector_type);
  await browser.visit(await browser.decide(await confirm(consent_url), 'allow', account));
  const { secret_id } = await sessionNow(session_id);
  const body = {
    customer_name: 'acme',
    connector_type,
    name: 'Consented',
    server_side_oauth_secret_id: secret_id,
  };
  const response = await service.ask('POST', connectors, { token, body });
  expect(response.status, response.text).toBe(201);
  return response.body as { id: string };
};
const execute = (id: string, entity: string, action = 'list', params = {}) =>
  service.ask('POST', `${connectors}/${id}/execute`, { token, body: { entity, action, params } });
const operations = (operation: string) => service.sandbox.control.requests.count({ operation });

const dialects = [
  { kind: 'gong', entity: 'users', expected: { response_type: 'code', client_id: expect.any(String) } },
  {
    kind: 'tiktok-marketing',
    entity: 'campaigns',
    expected: { app_id: '7100000000000000001', redirect_uri: `${publicUrl}/oauth/callback` },
  },
  {
    kind: 'google-ads',
    entity: 'accessible_customers',
    expected: {
      access_type: 'offline',
      prompt: 'consent',
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    },
  },
];

describe.each(dialects)('$kind', ({ kind, entity, expected }) => {
  test('sends vendor-specific authorization parameters and creates a working connector', async () => {
    const { consent_url } = await begin(kind);
    const asked = new URL(await confirm(consent_url));
    expect(Object.fromEntries(asked.searchParams)).toMatchObject(expected);
    const { id } = await connect(kind);
    const params = kind === 'tiktok-marketing' ? { advertiser_id: await accountOf(id) } : {};
    const response = await execute(id, entity, 'list', params);
    expect(response.status, response.text).toBe(200);
    expect(response.body.result.length).toBeGreaterThan(0);
    const check = await service.ask('POST', `${connectors}/${id}/check`, { token });
    expect(check.body.status).toBe('healthy');
  });

  test('ends the session as denied if the user denies access', async () => {
    const { consent_url, session_id } = await begin(kind);
    await browser.visit(await browser.decide(await confirm(consent_url), 'deny'));
    expect(await sessionNow(session_id)).toMatchObject({
      status: 'denied',
      error: { code: 'access_denied' },
    });
  });

  test('preselects the accounts of the customer’s own company at the simulated vendor', async () => {
    const { consent_url } = await begin(kind, 'northquay-logistics');
    const { text } = await browser.visit(await confirm(consent_url));
    const preselected = [...text.matchAll(/checked\s*\/>\s*<span>(.*?)<\/span>/g)].map(([, words]) => words);
    expect(preselected).toEqual([expect.stringContaining('Northquay Logistics')]);
  });

  test('fails the session if the code is invalid', async () => {
    const { consent_url, session_id } = await begin(kind);
    const callback = new URL(await browser.decide(await confirm(consent_url), 'allow'));
    for (const name of ['code', 'auth_code'])
      if (callback.searchParams.has(name)) callback.searchParams.set(name, 'of-another-client');
    await browser.visit(callback.href);
    expect(await sessionNow(session_id)).toMatchObject({
      status: 'failed',
      error: { code: 'vendor_refused_request' },
    });
  });
});

test('rejects a callback with another vendor’s issuer before the code is exchanged', async () => {
  for (const kind of ['google-ads', 'gong']) {
    const { consent_url, session_id } = await begin(kind);
    const callback = new URL(await browser.decide(await confirm(consent_url), 'allow'));
    if (kind === 'google-ads') expect(callback.searchParams.get('iss')).toBe('https://accounts.google.com');
    callback.searchParams.set('iss', 'https://evil.example');
    await browser.visit(callback.href);
    expect(await sessionNow(session_id)).toMatchObject({
      status: 'failed',
      error: { code: 'issuer_mismatch' },
    });
  }
  expect(operations('exchange code')).toBe(0);
});

test('rejects a callback without the issuer that its vendor always sends', async () => {
  for (const decision of ['allow', 'deny'] as const) {
    const { consent_url, session_id } = await begin('google-ads');
    const callback = new URL(await browser.decide(await confirm(consent_url), decision));
    callback.searchParams.delete('iss');
    await browser.visit(callback.href);
    expect(await sessionNow(session_id)).toMatchObject({
      status: 'failed',
      error: { code: 'issuer_mismatch' },
    });
  }
  expect(operations('exchange code')).toBe(0);
});

test('uses the callback path of its kind for an operator’s app that is registered with it', async () => {
  const apps = [...allPlatformApps].map(([name, app]) => [name, { ...app, usesKindCallback: true }] as const);
  const other = await startTestService(database, { publicUrl, oauthApps: new Map(apps) });
  const visitor = new TestBrowser(other, publicUrl);
  const as = await other.tokenOf(await other.addApplication('per-kind', ['Per kind']));
  const body = { customer_name: 'acme', connector_type: 'gong', redirect_url: completion, challenge };
  const { consent_url, session_id } = (
    await other.ask('POST', `${connectors}/oauth/initiate`, { token: as, body })
  ).body;
  const headers = { 'sec-fetch-site': 'same-origin' };
  const { location } = await visitor.visit(consent_url, { method: 'POST', headers });
  const callback = await visitor.decide(String(location), 'allow');
  expect(callback).toContain(`${publicUrl}/oauth/callback/gong?`);
  await visitor.visit(callback);
  const session = await other.ask('GET', `${connectors}/oauth/sessions/${session_id}`, { token: as });
  expect(session.body.status).toBe('completed');
  await visitor.leave();
  await other.close();
});

/** Returns the vendor account stored for a connector. For TikTok, this is the advertiser id. */
async function accountOf(id: string): Promise<string | null> {
  const rows = await database.kysely
    .selectFrom('connectors')
    .select('account')
    .where('id', '=', id)
    .execute();
  return rows[0]?.account ?? null;
}

describe('a revoked grant', () => {
  test.each(['gong', 'google-ads'] as const)(
    'sets the connector to needs_reauth after its %s grant was revoked',
    async kind => {
      const { id } = await connect(kind);
      service.sandbox.control.vendor(kind).act('revoke-consent', {});
      const entity = kind === 'gong' ? 'users' : 'accessible_customers';
      const response = await execute(id, entity);
      expect(response.status, response.text).toBe(424);
      expect(response.body.code).toBe('reauthentication_required');
      const shown = await service.ask('GET', `${connectors}/${id}`, { token });
      expect(shown.body.status).toBe('needs_reauth');
    },
  );
});

describe('disconnecting', () => {
  const disconnect = (id: string) => service.ask('DELETE', `${connectors}/${id}`, { token });
  const ownApps = '/api/v1/oauth/credentials';
  const setOwnGoogleApp = async () => {
    const configuration = {
      client_id: '512200934417-own.apps.googleusercontent.com',
      client_secret: 'GOCSPX-sandbox-own-secret-2b9e',
      developer_token: 'sandboxDeveloperToken0',
    };
    const body = { connector_type: 'google-ads', configuration };
    expect((await service.ask('PUT', ownApps, { token, body })).status).toBe(200);
  };
  afterEach(async () => {
    await service.ask('DELETE', `${ownApps}/connector_type/google-ads`, { token });
  });

  test.each(['tiktok-marketing', 'google-ads'])(
    'revokes the grant of a deleted connector at %s',
    async kind => {
      const { id } = await connect(kind);
      expect((await disconnect(id)).status).toBe(204);
      expect(operations('revoke token')).toBe(1);
      expect(service.sandbox.control.requests.list({ operation: 'revoke token' })[0]?.status).toBe(200);
    },
  );

  test('does not revoke a grant if another connector uses the same account', async () => {
    const { id: first } = await connect('google-ads');
    const { id: second } = await connect('google-ads');
    await disconnect(first);
    expect(operations('revoke token')).toBe(0);
    expect((await execute(second, 'accessible_customers')).status).toBe(200);
    await disconnect(second);
    expect(operations('revoke token')).toBe(1);
  });

  test('revokes a grant if the other connectors of the account use another OAuth app', async () => {
    const { id: first } = await connect('google-ads');
    await setOwnGoogleApp();
    const { id: second } = await connect('google-ads');
    await disconnect(first);
    expect(operations('revoke token')).toBe(1);
    await disconnect(second);
    expect(operations('revoke token')).toBe(2);
  });

  test('revokes all grants of a deleted customer', async () => {
    await connect('google-ads');
    await connect('tiktok-marketing');
    expect((await service.ask('DELETE', '/api/v1/customers/acme', { token })).status).toBe(204);
    expect(operations('revoke token')).toBe(2);
  });

  test('revokes the grant of a connector that an operator deletes', async () => {
    const { id } = await connect('google-ads');
    const path = `/api/v1/admin/connectors/${id}`;
    expect((await service.ask('DELETE', path, { token: adminToken })).status).toBe(204);
    expect(operations('revoke token')).toBe(1);
  });

  test('deletes a connector even if the vendor cannot revoke the grant or does not respond', async () => {
    const { id: gong } = await connect('gong');
    expect((await disconnect(gong)).status).toBe(204);
    const { id } = await connect('google-ads');
    service.sandbox.control.faults.add({ vendor: 'google-ads', path: '/revoke', closeConnection: true });
    expect((await disconnect(id)).status).toBe(204);
    expect(service.logged()).toContain('revocation_failed');
    expect((await service.ask('GET', `${connectors}/${id}`, { token })).status).toBe(404);
  });
});
