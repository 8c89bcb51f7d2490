import type { AdminSessionItem } from '@connector-auth/api/admin';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { consoleOrigin, cookieOf, createKey, signIn } from '../../../test/operator.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';

const path = '/api/v1/admin/session';
const sessions = '/api/v1/admin/sessions';

onPostgresOrEachEngineInFull('sessions of the console', database => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(database(), { sleep: async () => {} });
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('admin_keys').execute();
    await database().kysely.deleteFrom('admin_sessions').execute();
    service.advance(60_000);
  });
  afterAll(() => service.close());

  test('signing in sets a cookie that scripts and other sites cannot use, for eight hours', async () => {
    const { id, key } = await createKey(service, { name: 'Ada', access: 'read' });
    const response = await service.ask('POST', path, { body: { key } });
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-connector-auth-admin=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const inEightHours = Date.now() + 8 * 3_600_000;
    expect(Math.abs(Date.parse(response.body.expires_at) - inEightHours)).toBeLessThan(60_000);
    expect(response.body).toMatchObject({ name: 'Ada', key_id: id, access: 'read' });
    const headers = await signIn(service, key);
    expect((await service.ask('GET', path, { headers })).body).toMatchObject({ name: 'Ada', key_id: id });
    const stored = await database().kysely.selectFrom('admin_sessions').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(headers.cookie.split('=')[1]);
    expect(service.logged()).not.toContain(headers.cookie.split('=')[1]);
  });

  test('over http, the cookie is set without the prefix that requires https', async () => {
    const local = await startTestService(database(), { publicUrl: 'http://localhost:8787' });
    const response = await local.ask('POST', path, { body: { key: adminToken } });
    expect(response.headers['set-cookie']).toMatch(/^connector-auth-admin=.*SameSite=Strict$/);
    await local.close();
  });

  test('a session ends after eight hours by the clock of the database', async () => {
    const headers = await signIn(service, adminToken);
    service.advance(9 * 3_600_000);
    expect((await service.ask('GET', path, { headers })).status).toBe(200);
    await database().kysely.updateTable('admin_sessions').set({ expires_at: new Date() }).execute();
    const response = await service.ask('GET', path, { headers });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      code: 'admin_key_invalid',
      detail: 'The session has ended: sign in again',
    });
  });

  test('a session ends with its key, and no later than the key expires', async () => {
    const inTenMinutes = new Date(Date.now() + 600_000).toISOString();
    const { id, key } = await createKey(service, { expires_at: inTenMinutes });
    const response = await service.ask('POST', path, { body: { key } });
    expect(response.body.expires_at).toBe(inTenMinutes);
    expect(response.headers['set-cookie']).toMatch(/Max-Age=(?:600|59\d);/);
    const headers = await signIn(service, key);
    await service.ask('DELETE', `/api/v1/admin/keys/${id}`, { token: adminToken });
    expect((await service.ask('GET', path, { headers })).status).toBe(401);
  });

  test('a session of ADMIN_TOKEN ends if the variable changes or is removed', async () => {
    const headers = await signIn(service, adminToken);
    for (const changed of ['another-admin-token-0123456789-0123456789', null]) {
      const restarted = await startTestService(database(), { adminToken: changed });
      expect((await restarted.ask('GET', path, { headers })).status).toBe(401);
      await restarted.close();
    }
    expect((await service.ask('GET', path, { headers })).status).toBe(200);
  });

  test('a session ends after an hour without a request', async () => {
    const { key } = await createKey(service);
    const [idle, used] = [await signIn(service, key), await signIn(service, key)];
    const setLastUse = (minutes: number) =>
      database()
        .kysely.updateTable('admin_sessions')
        .set({ last_used_at: new Date(Date.now() - minutes * 60_000) })
        .execute();
    await setLastUse(59);
    expect((await service.ask('GET', path, { headers: used })).status).toBe(200);
    const { last_used_at } = await database()
      .kysely.selectFrom('admin_sessions')
      .select('last_used_at')
      .orderBy('last_used_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(Date.now() - last_used_at.getTime()).toBeLessThan(60_000);
    await setLastUse(61);
    for (const headers of [idle, used]) {
      expect((await service.ask('GET', path, { headers })).status).toBe(401);
    }
  });

  test('signing in again ends the session that the browser had, even with another key', async () => {
    const [ada, bob] = [await createKey(service, { name: 'Ada' }), await createKey(service, { name: 'Bob' })];
    const [first, elsewhere] = [await signIn(service, ada.key), await signIn(service, ada.key)];
    const wrong = await service.ask('POST', path, { body: { key: 'wrong' }, headers: first });
    expect(wrong.status).toBe(401);
    expect((await service.ask('GET', path, { headers: first })).body.name).toBe('Ada');
    const again = await service.ask('POST', path, { body: { key: bob.key }, headers: first });
    const second = { ...first, cookie: cookieOf(again) };
    expect((await service.ask('GET', path, { headers: first })).status).toBe(401);
    expect((await service.ask('GET', path, { headers: second })).body.name).toBe('Bob');
    expect((await service.ask('GET', path, { headers: elsewhere })).status).toBe(200);
  });

  test('lists the sessions of the own key, and ends one of them', async () => {
    const [own, other] = [await createKey(service, { access: 'read' }), await createKey(service)];
    const phone = await signIn(service, own.key, { 'user-agent': `Phone ${'x'.repeat(500)}` });
    const laptop = await signIn(service, own.key, { 'user-agent': 'Laptop \u009b31mé' });
    const stranger = await signIn(service, other.key);
    const list = async (from: Readonly<Record<string, string>>) =>
      (await service.ask('GET', sessions, { headers: from })).body.data as AdminSessionItem[];
    const listed = await list(laptop);
    expect(listed).toEqual([
      {
        id: expect.any(String),
        is_current: true,
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        address: '127.0.0.1',
        user_agent: 'Laptop ?31m?',
      },
      expect.objectContaining({ is_current: false, user_agent: `Phone ${'x'.repeat(194)}` }),
    ]);
    const id = listed[1]?.id ?? '';
    for (const headers of [stranger, await signIn(service, adminToken)]) {
      expect(await list(headers)).toEqual([expect.objectContaining({ is_current: true })]);
      const rejected = await service.ask('DELETE', `${sessions}/${id}`, { headers });
      expect(rejected.body.code).toBe('admin_session_not_found');
    }
    expect((await service.ask('GET', path, { headers: phone })).status).toBe(200);
    expect((await service.ask('DELETE', `${sessions}/${id}`, { headers: laptop })).status).toBe(204);
    expect((await service.ask('GET', path, { headers: phone })).status).toBe(401);
    expect(await list(laptop)).toHaveLength(1);
    expect((await service.ask('GET', sessions, { token: own.key })).body.data).toEqual([
      { ...listed[0], is_current: false },
    ]);
  });

  test('signing out ends this session, and everywhere all sessions of the key', async () => {
    const { key } = await createKey(service, { access: 'read' });
    const other = await createKey(service);
    const browsers = [await signIn(service, key), await signIn(service, key), await signIn(service, key)];
    const stranger = await signIn(service, other.key);
    const [first, second] = browsers;
    const statuses = () =>
      Promise.all(
        [...browsers, stranger].map(async headers => (await service.ask('GET', path, { headers })).status),
      );
    const out = await service.ask('DELETE', path, { headers: { ...first } });
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']).toMatch(/^__Host-connector-auth-admin=; Max-Age=0; .*Secure$/);
    expect(await statuses()).toEqual([401, 200, 200, 200]);
    await service.ask('DELETE', `${path}?everywhere=true`, { headers: { ...second } });
    expect(await statuses()).toEqual([401, 401, 401, 200]);
    await until(async () => {
      const { data } = (await service.ask('GET', '/api/v1/admin/audit', { token: adminToken })).body;
      const recorded = data as { action: string; target_id: string | null }[];
      const started = recorded.filter(({ action }) => action === 'session.started').slice(1, 4);
      expect(recorded.slice(0, 2)).toEqual([
        expect.objectContaining({ action: 'sessions.ended', target_id: null }),
        expect.objectContaining({ action: 'session.ended', target_id: started[2]?.target_id }),
      ]);
    });
  });

  test('ADMIN_TOKEN can end its sessions everywhere without ending those of keys', async () => {
    const { key } = await createKey(service);
    const [own, ofKey] = [await signIn(service, adminToken), await signIn(service, key)];
    await service.ask('DELETE', `${path}?everywhere=true`, { token: adminToken });
    expect((await service.ask('GET', path, { headers: own })).status).toBe(401);
    expect((await service.ask('GET', path, { headers: ofKey })).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of an opaque origin', { origin: 'null' }],
    ['of the same site', { 'sec-fetch-site': 'same-site' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['that a browser does not mark', {}],
  ])('a session changes nothing by a request from a page %s', async (_title, marks) => {
    const { cookie } = await signIn(service, adminToken);
    const body = { name: 'Forged', access: 'write' };
    const response = await service.ask('POST', '/api/v1/admin/keys', { body, headers: { cookie, ...marks } });
    expect(response.status).toBe(403);
    expect(response.body.code).toBe('origin_not_allowed');
    expect(await database().kysely.selectFrom('admin_keys').select('id').execute()).toEqual([]);
  });

  test('a session changes something from the own page, in browsers that mark requests in either way', async () => {
    const { cookie } = await signIn(service, adminToken);
    for (const marks of [{ origin: consoleOrigin }, { 'sec-fetch-site': 'same-origin' }]) {
      const response = await service.ask('POST', '/api/v1/admin/keys', {
        body: { name: 'Own', access: 'read' },
        headers: { cookie, ...marks },
      });
      expect(response.status).toBe(201);
    }
  });

  test('a page of another origin cannot sign a browser in', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await service.ask('POST', path, { body: { key: adminToken }, headers });
      expect(response.body.code).toBe('origin_not_allowed');
      expect(response.headers).not.toHaveProperty('set-cookie');
    }
    const form = await service.ask('POST', path, {
      rawBody: `{"key":"${adminToken}"}`,
      headers: { 'content-type': 'text/plain', origin: consoleOrigin },
    });
    expect(form.status).toBe(415);
  });

  test('an Authorization header is used instead of the cookie', async () => {
    const { key } = await createKey(service, { name: 'Header' });
    const headers = await signIn(service, adminToken);
    expect((await service.ask('GET', path, { token: key, headers })).body.name).toBe('Header');
    expect((await service.ask('GET', path, { token: 'wrong', headers })).status).toBe(401);
  });
});
