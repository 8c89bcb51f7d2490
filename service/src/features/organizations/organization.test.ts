import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

onPostgresOrEachEngineInFull('an organization', database => {
  const path = '/api/v1/organization';
  let service: TestService;
  let token: string;
  let organizationIds: readonly string[];
  beforeAll(async () => {
    service = await startTestService(database());
    const application = await service.addApplication('both', ['Own', 'Other']);
    ({ organizationIds } = application);
    token = await service.tokenOf(application);
  });
  afterAll(() => service.close());

  const ask = (method: string, organization: number, body?: unknown) =>
    service.ask(method, path, {
      token,
      headers: { 'x-organization-id': organizationIds[organization] ?? '' },
      body,
    });

  test('an organization uses its own sync interval until the interval is reset to the default', async () => {
    const own = (await ask('GET', 0)).body;
    expect(own).toMatchObject({
      id: organizationIds[0],
      name: 'Own',
      sync_interval_minutes: null,
      default_sync_interval_minutes: 60,
    });
    const changed = { ...own, sync_interval_minutes: 5 };
    expect((await ask('PATCH', 0, { sync_interval_minutes: 5 })).body).toEqual(changed);
    expect((await ask('GET', 0)).body).toEqual(changed);
    expect((await ask('GET', 1)).body).toMatchObject({ name: 'Other', sync_interval_minutes: null });
    expect((await ask('PATCH', 0, { sync_interval_minutes: null })).body).toEqual(own);
  });

  test('people can sign in to agents only with a helper that confirms them', async () => {
    const rejected = await ask('PATCH', 1, { agent_sign_in: true });
    expect(rejected.status).toBe(409);
    expect(rejected.body.code).toBe('helper_url_missing');
    const helper = { connect_helper_url: 'https://acme.example/connector-auth' };
    expect((await ask('PATCH', 1, { agent_sign_in: true, ...helper })).body).toMatchObject({
      agent_sign_in: true,
    });
    expect((await ask('PATCH', 1, { connect_helper_url: null })).body.code).toBe('helper_url_missing');
    await ask('PATCH', 1, { agent_sign_in: null, connect_helper_url: null });
    expect((await ask('GET', 1)).body).toMatchObject({ agent_sign_in: false, connect_helper_url: null });
  });

  test.each([4, 0, -5, 43_201, Number.MAX_SAFE_INTEGER])(
    'rejects a sync interval of %s minutes',
    async minutes => {
      const response = await ask('PATCH', 0, { sync_interval_minutes: minutes });
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({
        code: 'invalid_params',
        errors: [{ path: 'sync_interval_minutes', message: expect.stringContaining('5 to 43200 minutes') }],
      });
      expect((await ask('GET', 0)).body.sync_interval_minutes).toBeNull();
    },
  );

  test.each([1.5, '15', 1e30, undefined, {}])('rejects %j as a sync interval', async minutes => {
    const response = await ask('PATCH', 0, { sync_interval_minutes: minutes });
    expect(response.status).toBe(400);
    expect(response.body.errors[0].path).toBe('sync_interval_minutes');
  });
});
