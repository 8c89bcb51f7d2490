import { afterEach, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { cookieOf } from '../../../test/operator.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';

const session = '/api/v1/admin/session';
const consoleUrl = 'https://console.example.internal';

onPostgresOrEachEngineInFull('the console on a private address', database => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(database(), { console: { access: 'private', url: null } });
  });
  afterEach(() => service.close());

  test('serves operators and the metrics there, and the API elsewhere', async () => {
    const statuses = async (path: string) => [
      (await service.ask('GET', path, { token: adminToken })).status,
      (await service.ask('GET', `${service.privateUrl}${path}`, { token: adminToken })).status,
    ];
    expect(await statuses(session)).toEqual([404, 200]);
    expect(await statuses('/api/v1/admin/openapi.json')).toEqual([404, 200]);
    const [publicStatus, privateStatus] = await statuses('/console');
    expect(publicStatus).toBe(404);
    // 503 if the console was not built.
    expect([200, 503]).toContain(privateStatus);
    expect(await statuses('/api/v1/customers')).toEqual([401, 404]);
    expect((await statuses('/metrics'))[1]).toBe(200);
    const unknown = await service.ask('GET', `${service.privateUrl}/openapi.json`);
    expect(unknown.body.detail).toBe('This address serves only /metrics, /console and /api/v1/admin');
  });

  test("its pages' origin is that of the private address", async () => {
    const path = `${service.privateUrl}${session}`;
    const signIn = (origin: string) =>
      service.ask('POST', path, { body: { key: adminToken }, headers: { origin } });
    expect((await signIn('https://service.example')).body.code).toBe('origin_not_allowed');
    const response = await signIn(service.privateUrl ?? '');
    expect(response.status).toBe(200);
    // The private address is reached over http, although the public one uses https.
    expect(response.headers['set-cookie']).toMatch(/^connector-auth-admin=.*SameSite=Strict$/);
    expect((await service.ask('GET', path, { headers: { cookie: cookieOf(response) } })).status).toBe(200);
  });

  test('CONSOLE_URL sets the origin and the cookie if a proxy is in front of it', async () => {
    const proxied = await startTestService(database(), { console: { access: 'private', url: consoleUrl } });
    const response = await proxied.ask('POST', `${proxied.privateUrl}${session}`, {
      body: { key: adminToken },
      headers: { origin: consoleUrl },
    });
    expect(response.headers['set-cookie']).toMatch(/^__Host-connector-auth-admin=.*; Secure$/);
    const document = await proxied.ask('GET', `${proxied.privateUrl}/api/v1/admin/openapi.json`);
    expect(document.body.servers).toEqual([{ url: consoleUrl }]);
    await proxied.close();
  });

  test('CONSOLE=off serves operators nowhere, and issues no set-up code', async () => {
    const without = await startTestService(database(), {
      console: { access: 'off', url: null },
      adminToken: null,
    });
    expect((await without.ask('GET', session, { token: adminToken })).status).toBe(404);
    expect((await without.ask('GET', '/api/v1/admin/openapi.json')).status).toBe(404);
    expect((await without.ask('GET', '/console')).status).toBe(404);
    expect(await without.issueSetUpCode()).toBeNull();
    await without.close();
  });
});
