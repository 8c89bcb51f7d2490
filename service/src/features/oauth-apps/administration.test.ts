import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { platformApps } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';

const publicUrl = 'http://localhost:4321';
const unknownId = crypto.randomUUID();
const configuration = { client_id: 'own-client', client_secret: 'own-secret-that-is-not-shown' };

onPostgresOrEachEngineInFull('the administration of OAuth apps', database => {
  let service: TestService;
  let token: string;
  let organizationId: string;
  beforeAll(async () => {
    service = await startTestService(database(), { publicUrl, oauthApps: platformApps });
    const application = await service.addApplication('own', ['Own']);
    organizationId = application.organizationIds[0] ?? '';
    token = await service.tokenOf(application);
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('oauth_apps').execute();
  });
  afterAll(() => service.close());

  const ask = (method: string, rest = '', body?: unknown, of = organizationId) =>
    service.ask(method, `/api/v1/admin/organizations/${of}/oauth-apps${rest}`, { token: adminToken, body });
  const appOf = async (type: string) => {
    const { body } = await ask('GET');
    return body.data.find(({ connector_type }: { connector_type: string }) => connector_type === type);
  };

  test('lists every kind with OAuth, and where its app comes from', async () => {
    const { body } = await ask('GET');
    expect(body.data.map(({ connector_type }: { connector_type: string }) => connector_type)).not.toContain(
      'granola',
    );
    expect(await appOf('gong')).toMatchObject({
      kind_name: 'Gong',
      source: 'environment',
      client_id: 'gong_sandbox_client',
      updated_at: null,
      redirect_url: `${publicUrl}/oauth/callback`,
    });
    expect(await appOf('google-ads')).toMatchObject({
      source: 'none',
      client_id: null,
      redirect_url: `${publicUrl}/oauth/callback/google-ads`,
      schema: { required: expect.arrayContaining(['client_id', 'client_secret', 'developer_token']) },
    });
  });

  test('sets and deletes an app, which integrators see as their own', async () => {
    const set = await ask('PUT', '/GONG', { configuration });
    expect(set.status, set.text).toBe(200);
    expect(set.body).toMatchObject({
      connector_type: 'gong',
      source: 'organization',
      client_id: 'own-client',
      updated_at: expect.any(String),
      redirect_url: `${publicUrl}/oauth/callback/gong`,
    });
    const spec = await service.ask('GET', '/api/v1/oauth/credentials/spec?connector_type=gong', { token });
    expect(spec.body.redirect_url).toBe(set.body.redirect_url);
    const event = service
      .logged()
      .split('\n')
      .find(line => line.includes('"oauth_app_changed"'));
    expect(JSON.parse(event ?? '{}')).toMatchObject({ by: 'operator', kind: 'gong', change: 'set' });
    expect((await ask('GET')).text + service.logged()).not.toContain(configuration.client_secret);

    expect((await ask('DELETE', '/gong')).status).toBe(204);
    expect((await appOf('gong')).source).toBe('environment');
    expect((await ask('DELETE', '/gong')).body.code).toBe('oauth_credentials_not_found');
  });

  test('shows an app that the integrator set', async () => {
    const body = { connector_type: 'gong', configuration };
    expect((await service.ask('PUT', '/api/v1/oauth/credentials', { token, body })).status).toBe(200);
    expect(await appOf('gong')).toMatchObject({ source: 'organization', client_id: 'own-client' });
  });

  test.each([
    ['gong', { client_id: 'own-client' }, 'invalid_credentials'],
    ['gong', { ...configuration, client_secret: 'with space' }, 'invalid_credentials'],
    ['gong', { ...configuration, more: 'x' }, 'invalid_credentials'],
    ['granola', configuration, 'oauth_not_offered'],
    ['unknown', configuration, 'unknown_connector_type'],
  ])('rejects for %s the configuration %j', async (type, invalid, code) => {
    const response = await ask('PUT', `/${type}`, { configuration: invalid });
    expect(response.status).toBe(422);
    expect(response.body.code).toBe(code);
    expect(await database().kysely.selectFrom('oauth_apps').selectAll().execute()).toEqual([]);
  });

  test('rejects requests for an organization that does not exist', async () => {
    const responses = [
      await ask('GET', '', undefined, unknownId),
      await ask('PUT', '/gong', { configuration }, unknownId),
      await ask('DELETE', '/gong', undefined, unknownId),
    ];
    expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => 'organization_not_found'));
  });
});
