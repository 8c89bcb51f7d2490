import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import {
  adminToken,
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../test/test-service.ts';

const unknownId = crypto.randomUUID();

onPostgresOrEachEngineInFull('the organizations of an application', database => {
  let service: TestService;
  let application: TestApplication;
  let single: TestApplication;

  beforeAll(async () => {
    service = await startTestService(database());
    application = await service.addApplication('both', ['Second', 'First']);
    single = await service.addApplication('one', ['Third']);
  });
  beforeEach(() => {
    // Lets the rate limit of the token endpoint refill.
    service.advance(60_000);
  });
  afterAll(() => service.close());

  const requestToken = (organizationId?: string) =>
    service.ask('POST', '/api/v1/account/applications/token', {
      body: { client_id: application.clientId, client_secret: application.clientSecret },
      headers: organizationId === undefined ? {} : { 'x-organization-id': organizationId },
    });
  const list = (token: string, organizationId?: string) =>
    service.ask('GET', '/api/v1/organizations', {
      token,
      headers: organizationId === undefined ? {} : { 'x-organization-id': organizationId },
    });
  const change = (id: string | undefined, to: 'disable' | 'enable') =>
    service.ask('POST', `/api/v1/admin/organizations/${id}/${to}`, { token: adminToken });

  test('lists ids and names in the configured order, without X-Organization-Id', async () => {
    const [second, first] = application.organizationIds;
    const { body } = await list(await service.tokenOf(application));
    expect(body).toEqual({
      data: [
        { id: second, name: 'Second' },
        { id: first, name: 'First' },
      ],
    });
    const [third] = single.organizationIds;
    expect((await list(await service.tokenOf(single))).body).toEqual({
      data: [{ id: third, name: 'Third' }],
    });
  });

  test('lists only enabled organizations, also with a token from before', async () => {
    const [second, first] = application.organizationIds;
    const token = await service.tokenOf(application);
    await change(second, 'disable');
    expect((await list(token)).body.data).toEqual([{ id: first, name: 'First' }]);
    expect((await list(token, second)).body.code).toBe('token_invalid');
    await change(first, 'disable');
    expect((await list(token)).body.code).toBe('token_invalid');
    await change(first, 'enable');
    await change(second, 'enable');
    expect((await list(await service.tokenOf(application))).body.data).toHaveLength(2);
  });

  test('accepts the id of an organization of the application, and no other one', async () => {
    const token = await service.tokenOf(application);
    expect((await list(token, application.organizationIds[1])).body.data).toHaveLength(2);
    expect((await list(token, single.organizationIds[0])).body.code).toBe('organization_not_allowed');
    expect((await list(token, 'First')).status).toBe(400);
  });

  describe('in a token request', () => {
    test('returns the organization that X-Organization-Id names as organization_id', async () => {
      const [second, first] = application.organizationIds;
      expect((await requestToken()).body.organization_id).toBe(second);
      expect((await requestToken(second)).body.organization_id).toBe(second);
      const response = await requestToken(first?.toUpperCase());
      expect(response.body.organization_id).toBe(first);
      // The token is valid for the other organization as well.
      expect((await list(response.body.access_token)).body.data).toHaveLength(2);
    });

    test.each([() => single.organizationIds[0], () => unknownId])(
      'rejects an organization that is not one of the application’s',
      async organizationId => {
        const response = await requestToken(organizationId());
        expect(response.status).toBe(403);
        expect(response.body.code).toBe('organization_not_allowed');
      },
    );

    test('does not reveal with a wrong secret whether the application has an organization', async () => {
      for (const organizationId of [application.organizationIds[0] ?? '', unknownId]) {
        const response = await service.ask('POST', '/api/v1/account/applications/token', {
          body: { client_id: application.clientId, client_secret: 'wrong' },
          headers: { 'x-organization-id': organizationId },
        });
        expect(response.body.code).toBe('client_credentials_invalid');
      }
    });

    test.each(['First', '', '7d9f3a52-1c6e-4c0b-9a53', 'null'])(
      'rejects “%s” as an organization',
      async organizationId => {
        const response = await requestToken(organizationId);
        expect(response.status).toBe(400);
        expect(response.body.errors).toEqual([{ path: 'x-organization-id', message: 'Must be a UUID' }]);
      },
    );
  });
});
