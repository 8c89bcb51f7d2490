import { adminEndpoints, type AdminEndpointName } from '@connector-auth/api/admin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminNames, makeAdminWorld, type AdminWorld } from '../../../test/admin-world.ts';
import { expectRejection, testBadInput, testBodyParsing, type Subject } from '../../../test/bad-input.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminExampleRequest } from '../../../test/example-requests.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';

/** Tests that invalid requests to the endpoints for operators return clear errors and store nothing. */

onPostgresOrEachEngineInFull('with invalid input, the administration', database => {
  let service: TestService;
  let world: AdminWorld;
  beforeAll(async () => {
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      oauthApps: platformApps,
      sleep: async () => {},
    });
    world = await makeAdminWorld(service, database());
  });
  afterAll(() => service.close());

  const subjectOf = (name: AdminEndpointName): Subject => ({
    service: () => service,
    token: () => adminToken,
    example: () => adminExampleRequest(name, world),
    readSnapshot: () => readDatabaseContents(database()),
  });
  const send = (name: AdminEndpointName, body: unknown) =>
    expectRejection(adminEndpoints[name], subjectOf(name), { body });

  describe.each(adminNames)('%s', name => testBadInput(adminEndpoints[name], subjectOf(name)));

  describe.each(['createOrganization', 'signIn'] as const)('the body of %s', name =>
    testBodyParsing(adminEndpoints[name], subjectOf(name)),
  );

  const named = ['setUp', 'createOrganization', 'createApplication', 'createAdminKey'] as const;
  test.each([
    ['300 characters', 'x'.repeat(300)],
    ['nothing', ''],
    ['only blanks', ' \u00a0 '],
    ['a control character', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800'],
    ['a character that reverses the text', 'a\u202eb'],
    ['a number', 1],
    ['null', null],
  ])('rejects a name that contains %s', async (_title, name) => {
    for (const endpoint of named) {
      const response = await send(endpoint, { ...adminExampleRequest(endpoint, world).body, name });
      expect(response.status, endpoint).toBe(400);
      expect(response.body.errors.map(({ path }: { path: string }) => path)).toContain('name');
    }
  });

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '{{7*7}}',
    "'; drop table admin_keys",
  ])('returns the name %s unchanged', async name => {
    const response = await service.ask('POST', '/api/v1/admin/keys', {
      token: adminToken,
      body: { name, access: 'read' },
    });
    expect(response.body.name).toBe(name);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['', 'ü', 'x'.repeat(256)])('rejects %j as an idempotency key', async key => {
    for (const name of adminNames.filter(each => 'idempotencyKey' in adminEndpoints[each])) {
      const { body } = adminExampleRequest(name, world);
      const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
      const response = await expectRejection(adminEndpoints[name], subjectOf(name), { body, headers });
      expect(response.body.errors[0].path, name).toBe('Idempotency-Key');
    }
  });

  const paged = adminNames.filter(name => {
    const endpoint = adminEndpoints[name];
    return 'query' in endpoint && 'limit' in endpoint.query.shape;
  });
  test.each(paged)('%s rejects limits and cursors that it did not return', async name => {
    const example = adminExampleRequest(name, world);
    const ask = async (query: Readonly<Record<string, string>>) =>
      (await expectRejection(adminEndpoints[name], subjectOf(name), {}, { ...example, query })).body;
    for (const limit of ['0', '1000000', 'x', '1.5', '-1', '0x10', '1e1', ' 5', '+5', '']) {
      expect((await ask({ limit })).errors[0].path, limit).toBe('limit');
    }
    for (const position of ['["a","b"]', '[true]', '["a\\u0000"]', '{}', 'null', 'x']) {
      const cursor = Buffer.from(position).toString('base64url');
      expect((await ask({ cursor })).errors[0].path, position).toBe('cursor');
    }
  });

  test.each(['1', 'TRUE', ''])('rejects %j as a flag', async force => {
    const { params } = adminExampleRequest('deleteAdminKey', world);
    const example = { params: params ?? {}, query: { force } };
    const response = await expectRejection(
      adminEndpoints.deleteAdminKey,
      subjectOf('deleteAdminKey'),
      {},
      example,
    );
    expect(response.body.errors[0].path).toBe('force');
  });
});
