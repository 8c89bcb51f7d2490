import { createHash, randomBytes } from 'node:crypto';
import { kinds } from '@connector-auth/connectors';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPlatformApps } from '../../../test/consent.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { quick } from '../../../test/incident-harness.ts';
import { TestBrowser } from '../../../test/test-browser.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { type Database } from '../../platform/database/database.ts';
import { silentLog } from '../../platform/log/log.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { startSessionCleanup } from '../../shared/oauth-sessions/cleanup.ts';

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
/** A token of another organization, which uses the same platform apps. */
let elsewhere: string;
let browser: TestBrowser;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  service = await startTestService(database, { publicUrl, oauthApps: allPlatformApps });
  token = await service.tokenOf(await service.addApplication('own', ['Acme']));
  elsewhere = await service.tokenOf(await service.addApplication('other', ['Other']));
  service.startRevocations(quick);
});
beforeEach(async () => {
  await untilRevoked();
  await database.kysely.deleteFrom('customers').execute();
  service.sandbox.control.reset();
  // Advances the clock to refill the rate limit on starting an OAuth flow.
  service.advance(4_000);
  browser = new TestBrowser(service, publicUrl);
  return () => browser.leave();
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const begin = async (connector_type: string, customer_name = 'acme', more: object = {}, as = token) => {
  const body = { customer_name, connector_type, redirect_url: completion, challenge, ...more };
  const response = await service.ask('POST', `${connectors}/oauth/initiate`, { token: as, body });
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
const sessionNow = async (id: string, as = token) => {
  const headers = { 'x-oauth-verifier': verifier };
  return (await service.ask('GET', `${connectors}/oauth/sessions/${id}`, { token: as, headers })).body;
};
const secretOf = async (kind: string, account?: string, more: object = {}, as = token) => {
  const { consent_url, session_id } = await begin(kind, 'acme', more, as);
  await browser.visit(await browser.decide(await confirm(consent_url), 'allow', account));
  return { session_id, secretId: (await sessionNow(session_id, as)).secret_id as string };
};
const connect = async (connector_type: string, account?: string, as = token) =>
  redeem(connector_type, await secretOf(connector_type, account, {}, as), as);
const redeem = async (connector_type: string, { secretId }: { secretId: string }, as = token) => {
  const body = {
    customer_name: 'acme',
    connector_type,
    name: 'Consented',
    server_side_oauth_secret_id: secretId,
  };
  const response = await service.ask('POST', connectors, { token: as, body });
  expect(response.status, response.text).toBe(201);
  return response.body as { id: string };
};
const execute = (id: string, entity: string, action = 'list', params = {}, as = token) =>
  service.ask('POST', `${connectors}/${id}/execute`, { token: as, body: { entity, action, params } });
/** Resolves when no grant waits for its revocation. */
const untilRevoked = () =>
  until(async () => {
    const waiting = await database.kysely
      .selectFrom('grant_revocations')
      .select(['kind', 'last_error'])
      .execute();
    expect(waiting).toEqual([]);
  });
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

test('rejects a code without the issuer that its vendor always sends, but accepts such a denial', async () => {
  for (const [decision, status, code] of [
    ['allow', 'failed', 'issuer_missing'],
    ['deny', 'denied', 'access_denied'],
  ] as const) {
    const { consent_url, session_id } = await begin('google-ads');
    const callback = new URL(await browser.decide(await confirm(consent_url), decision));
    callback.searchParams.delete('iss');
    await browser.visit(callback.href);
    expect(await sessionNow(session_id)).toMatchObject({ status, error: { code } });
    expect(service.logged()).toContain(`"outcome":"${status}","problem":"${code}"`);
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
      await untilRevoked();
      expect(operations('revoke token')).toBe(1);
      expect(service.sandbox.control.requests.list({ operation: 'revoke token' })[0]?.status).toBe(200);
    },
  );

  test('does not revoke a grant if another connector uses the same account', async () => {
    const { id: first } = await connect('google-ads');
    const { id: second } = await connect('google-ads');
    await disconnect(first);
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
    expect((await execute(second, 'accessible_customers')).status).toBe(200);
    await disconnect(second);
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
  });

  test('waits if the vendor does not report the accounts of a grant, and then leaves one that is in use', async () => {
    const { id: first } = await connect('google-ads');
    const { id: second } = await connect('google-ads');
    const path = '*listAccessibleCustomers';
    service.sandbox.control.faults.add({ vendor: 'google-ads', path, status: 403, count: 1 });
    await disconnect(first);
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
    expect((await execute(second, 'accessible_customers')).status).toBe(200);
  });

  test('leaves the grant of a deleted connector if another one uses its account and the vendor ended the grant', async () => {
    const { id } = await connect('google-ads');
    await connect('google-ads');
    service.sandbox.control.vendor('google-ads').act('revoke-consent', {});
    await disconnect(id);
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
  });

  test('leaves a grant if a connector of another organization has an unknown account or is unreadable', async () => {
    for (const change of [{ account: null }, { credentials: randomBytes(64) }]) {
      const { id: first } = await connect('google-ads');
      const { id: second } = await connect('google-ads', undefined, elsewhere);
      await database.kysely.updateTable('connectors').set(change).where('id', '=', second).execute();
      await disconnect(first);
      await untilRevoked();
    }
    expect(operations('revoke token')).toBe(0);
  });

  test('revokes a grant if the other connectors of the account use another OAuth app', async () => {
    const { id: first } = await connect('google-ads');
    await setOwnGoogleApp();
    const { id: second } = await connect('google-ads');
    await disconnect(first);
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
    await disconnect(second);
    await untilRevoked();
    expect(operations('revoke token')).toBe(2);
  });

  test('revokes all grants of a deleted customer', async () => {
    await connect('google-ads');
    await connect('tiktok-marketing');
    expect((await service.ask('DELETE', '/api/v1/customers/acme', { token })).status).toBe(204);
    await untilRevoked();
    expect(operations('revoke token')).toBe(2);
  });

  test('revokes the grant of a connector that an operator deletes', async () => {
    const { id } = await connect('google-ads');
    const path = `/api/v1/admin/connectors/${id}`;
    expect((await service.ask('DELETE', path, { token: adminToken })).status).toBe(204);
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
  });

  test('deletes a connector even if the vendor cannot revoke the grant, and repeats the revocation until it responds', async () => {
    const { id: gong } = await connect('gong');
    expect((await disconnect(gong)).status).toBe(204);
    const { id } = await connect('google-ads');
    service.sandbox.control.faults.add({ vendor: 'google-ads', path: '/revoke', closeConnection: true });
    expect((await disconnect(id)).status).toBe(204);
    expect((await service.ask('GET', `${connectors}/${id}`, { token })).status).toBe(404);
    await until(() => expect(service.logged()).toContain('revocation_failed'));
    service.sandbox.control.faults.clear();
    await untilRevoked();
    expect(service.sandbox.control.requests.list({ operation: 'revoke token' }).at(-1)?.status).toBe(200);
  });
});

describe('a grant that no connector uses any more', () => {
  const googleUser = (name: string) => `ads@${name}.example`;
  const reconnect = async (id: string, kind: string, account: string, more: object = {}) => {
    const { secretId } = await secretOf(kind, account, { connector_id: id });
    const body = { server_side_oauth_secret_id: secretId, ...more };
    const response = await service.ask('PATCH', `${connectors}/${id}`, { token, body });
    expect(response.status, response.text).toBe(200);
  };
  /** Cleans up as the service does every minute. */
  const startCleanup = () =>
    startSessionCleanup({ db: database.kysely, kinds: createKindRegistry(kinds), log: silentLog }).close();
  /** Expires the secret ids of all sessions, and cleans up. */
  const cleanUp = async () => {
    const expiring = database.kysely.updateTable('oauth_sessions').where('credentials', 'is not', null);
    await expiring.set({ secret_expires_at: new Date(0) }).execute();
    await startCleanup();
  };
  const untilPostponed = () =>
    until(async () => {
      const rows = await database.kysely.selectFrom('grant_revocations').select('last_error').execute();
      expect(rows).toEqual([{ last_error: expect.stringContaining('consent') }]);
    });

  test('is revoked if a reconnect replaced it with one for another account', async () => {
    const { id } = await connect('google-ads', googleUser('tidewater'));
    await reconnect(id, 'google-ads', googleUser('juniper-bakery'), { replace_account: true });
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
    expect((await execute(id, 'accessible_customers')).status).toBe(200);
  });

  test('is left if a reconnect replaced it with one of the same user, which the vendor would end too', async () => {
    const { id } = await connect('google-ads', googleUser('tidewater'));
    await reconnect(id, 'google-ads', googleUser('tidewater'));
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
    expect((await execute(id, 'accessible_customers')).status).toBe(200);
  });

  test('is left if it can access the account of a connector that another of its accounts identified', async () => {
    const { id } = await connect('google-ads', googleUser('tidewater'));
    // The user lost access to the account that identified the connector, and has it again.
    await database.kysely.updateTable('connectors').set({ account: '1000000001' }).execute();
    await reconnect(id, 'google-ads', googleUser('tidewater'), { replace_account: true });
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
    expect((await execute(id, 'accessible_customers')).status).toBe(200);
  });

  test('is revoked if its consent was cancelled or its secret id expired', async () => {
    const { session_id } = await secretOf('google-ads', googleUser('tidewater'));
    await secretOf('tiktok-marketing');
    const path = `${connectors}/oauth/sessions/${session_id}`;
    expect((await service.ask('DELETE', path, { token })).status).toBe(204);
    await cleanUp();
    await untilRevoked();
    expect(operations('revoke token')).toBe(2);
  });

  test.each(['pending', 'completed'])(
    'waits while another organization has a %s consent, and is left if a connector came of it',
    async status => {
      const user = googleUser('tidewater');
      const { session_id } = await secretOf('google-ads', user);
      const consented = status === 'completed' ? await secretOf('google-ads', user, {}, elsewhere) : null;
      const pending = status === 'pending' ? await begin('google-ads', 'acme', {}, elsewhere) : null;
      await service.ask('DELETE', `${connectors}/oauth/sessions/${session_id}`, { token });
      await startCleanup();
      await untilPostponed();
      const { id } = await (consented === null
        ? connect('google-ads', user, elsewhere)
        : redeem('google-ads', consented, elsewhere));
      if (pending !== null)
        await database.kysely.deleteFrom('oauth_sessions').where('id', '=', pending.session_id).execute();
      await untilRevoked();
      expect(operations('revoke token')).toBe(0);
      expect((await execute(id, 'accessible_customers', 'list', {}, elsewhere)).status).toBe(200);
    },
  );

  test('is not counted as attempted while it waits, and is given up after two days', async () => {
    await secretOf('google-ads', googleUser('tidewater'));
    await begin('google-ads', 'acme', {}, elsewhere);
    await cleanUp();
    await untilPostponed();
    const queued = database.kysely.updateTable('grant_revocations');
    await until(async () => {
      const rows = await database.kysely.selectFrom('grant_revocations').select('attempts').execute();
      expect(rows).toEqual([{ attempts: 0 }]);
    });
    expect(service.logged()).not.toContain('revocation_given_up');
    await queued.set({ queued_at: new Date(Date.now() - 49 * 3_600_000) }).execute();
    await until(() => expect(service.logged()).toContain('revocation_given_up'));
    await untilRevoked();
    expect(operations('revoke token')).toBe(0);
  });

  test('is revoked if its customer was deleted with the consent', async () => {
    await secretOf('google-ads', googleUser('tidewater'));
    expect((await service.ask('DELETE', '/api/v1/customers/acme', { token })).status).toBe(204);
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
  });

  test('is revoked if its customer is deleted while the code is exchanged', async () => {
    const { consent_url } = await begin('google-ads');
    const callback = await browser.decide(await confirm(consent_url), 'allow');
    const held = service.holdVendorRequest('/token');
    const visit = browser.visit(callback);
    const release = await held;
    expect((await service.ask('DELETE', '/api/v1/customers/acme', { token })).status).toBe(204);
    release();
    await visit;
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
  });

  test('is revoked if its connector was created while the customer was being deleted', async () => {
    const { secretId } = await secretOf('google-ads');
    const connection = { customer_name: 'acme', connector_type: 'google-ads', name: 'Ads' };
    const body = { ...connection, server_side_oauth_secret_id: secretId };
    const answers = await database.kysely.transaction().execute(async transaction => {
      await transaction.selectFrom('customers').select('id').forUpdate().execute();
      const creating = service.ask('POST', connectors, { token, body });
      await untilWaiting(1);
      const deleting = service.ask('DELETE', '/api/v1/customers/acme', { token });
      await untilWaiting(2);
      // When the lock is released, the connector is created first.
      return [creating, deleting];
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([201, 204]);
    await untilRevoked();
    expect(operations('revoke token')).toBe(1);
  });
});

/** Resolves when this many statements wait for a lock. */
const untilWaiting = (count: number) =>
  until(async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.kysely);
    expect(rows).toHaveLength(count);
  });
