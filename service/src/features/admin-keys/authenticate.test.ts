import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';

onPostgresOrEachEngineInFull('operators', database => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(database());
  });
  afterAll(() => service.close());

  test('ADMIN_TOKEN has all rights', async () => {
    const response = await service.ask('GET', '/api/v1/admin/session', { token: adminToken });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ name: 'ADMIN_TOKEN', key_id: null, access: 'write', expires_at: null });
  });

  test('rejects an admin key on an endpoint for applications, without reading the database', async () => {
    const response = await service.ask('GET', '/api/v1/customers', { token: 'ca_admin_x' });
    expect(response.status).toBe(403);
    expect(response.body.code).toBe('token_kind_not_allowed');
    expect(response.body.detail).toContain('/api/v1/admin');
  });

  test("rejects an application's token on an endpoint for operators", async () => {
    const application = await service.addApplication('own', ['Own']);
    const token = await service.tokenOf(application);
    const response = await service.ask('GET', '/api/v1/admin/session', { token });
    expect(response.status).toBe(401);
    expect(response.body.code).toBe('admin_key_invalid');
    expect(response.body.detail).toContain('a token of an application does not allow them');
  });

  test.each(['https://evil.example', 'null', 'http://service.example'])(
    'rejects requests from pages of %s, and sends no CORS headers',
    async origin => {
      const response = await service.ask('GET', '/api/v1/admin/session', {
        token: adminToken,
        headers: { origin },
      });
      expect(response.status).toBe(403);
      expect(response.body.code).toBe('origin_not_allowed');
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});
