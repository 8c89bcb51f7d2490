import { randomUUID } from 'node:crypto';
import { endpoints, type EndpointName } from '@connector-auth/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectRejection as expectEndpointRejection,
  testBadInput,
  testBodyParsing,
  unknownId,
  type Subject,
} from '../../../test/bad-input.ts';
import { beginConsent, consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, exampleRequest, goodKey, type Example } from '../../../test/example-requests.ts';
import { bothKinds, firstKind } from '../../../test/second-kind.ts';
import {
  startTestService,
  type RequestOptions,
  type TestApplication,
  type TestService,
} from '../../../test/test-service.ts';

/** Tests that every kind of invalid request to every endpoint returns a clear error and stores nothing. */

// `endpoints` has exactly these keys.
const names = Object.keys(endpoints) as EndpointName[];

onPostgresOrEachEngineInFull('with invalid input', database => {
  let service: TestService;
  let application: TestApplication;
  let token: string;
  let exampleOf: (name: EndpointName) => Example;

  beforeAll(async () => {
    const kinds = [...bothKinds, consentKind];
    service = await startTestService(database(), { kinds, oauthApps: platformApps });
    application = await service.addApplication('own', ['Own']);
    token = await service.tokenOf(application);
    const body = {
      customer_name: 'acme',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
    const connectorId = created.body.id;
    const sessionId = await beginConsent(service, token);
    exampleOf = name => exampleRequest(name, { ...application, connectorId, sessionId });
  });
  afterAll(() => service.close());

  const subjectOf = (name: EndpointName): Subject => ({
    service: () => service,
    token: () => token,
    example: () => exampleOf(name),
    readSnapshot: () => readDatabaseContents(database()),
  });
  const expectRejection = (name: EndpointName, asking: RequestOptions, example = exampleOf(name)) =>
    expectEndpointRejection(endpoints[name], subjectOf(name), asking, example);

  describe.each(names)('%s', name => testBadInput(endpoints[name], subjectOf(name)));

  describe.each(['createConnector', 'createApplicationToken'] as const)('the body of %s', name =>
    testBodyParsing(endpoints[name], subjectOf(name)),
  );

  test('rejects invalid percent-encoding in a path', async () => {
    const response = await service.ask('DELETE', '/api/v1/customers/%E0%A4%A', { token });
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('malformed_request');
  });

  test.each([
    ['a control character', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800'],
    ['201 characters', 'x'.repeat(201)],
    ['nothing', ''],
    ['only blanks', ' \u00a0 '],
  ])('rejects a customer name or connector name that contains %s', async (_title, name) => {
    const customer = await expectRejection('createScopedToken', { body: { customer_name: name } });
    expect(customer.status).toBe(400);
    expect(customer.body.errors[0].path).toBe('customer_name');
    for (const endpoint of ['createConnector', 'updateConnector'] as const) {
      const response = await expectRejection(endpoint, { body: { ...exampleOf(endpoint).body, name } });
      expect(response.status).toBe(400);
      expect(response.body.errors).toEqual([{ path: 'name', message: expect.any(String) }]);
    }
  });

  test('removes characters that change the text direction from the name of a connector', async () => {
    const { path } = endpoints.updateConnector;
    const address = addressOf(path, exampleOf('updateConnector'));
    const renamed = await service.ask('PATCH', address, { token, body: { name: '\u202ea\u2066b\u200f' } });
    expect(renamed.body.name).toBe('ab');
    const blank = await expectRejection('updateConnector', { body: { name: '\u202e' } });
    expect(blank.body.errors[0].path).toBe('name');
  });

  test('rejects them in the name of a new customer, and keeps stored customers usable', async () => {
    const name = 'a\u202eb';
    const customer = await expectRejection('createScopedToken', { body: { customer_name: name } });
    expect([customer.status, customer.body.errors[0].path]).toEqual([400, 'customer_name']);
    // An earlier version stored such names.
    const [organizationId] = application.organizationIds;
    await database()
      .kysely.insertInto('customers')
      .values({ organization_id: organizationId ?? '', id: randomUUID(), name })
      .execute();
    await service.customerToken(token, { customer_name: name });
    const path = `/api/v1/customers/${encodeURIComponent(name)}`;
    expect((await service.ask('DELETE', path, { token })).status).toBe(204);
  });

  test.each([
    ['NUL', 'a\u0000'],
    ['half a surrogate pair', 'a\ud800'],
  ])('rejects a client id with %s', async (_title, client_id) => {
    const response = await expectRejection('createApplicationToken', {
      body: { client_id, client_secret: 'x' },
    });
    expect(response.status).toBe(400);
    expect(response.body.errors[0].path).toBe('client_id');
  });

  test.each([
    'http://app.example',
    'https://app.example/path',
    'https://app.example/',
    'https://*.example',
    'https://user@app.example',
    'null',
    'app.example',
    'javascript:alert(1)',
    'https://app.example#x',
    'https://app.example?x',
    'https://app.example:99999',
  ])('rejects %s as an allowed origin', async allowed_origin => {
    const response = await expectRejection('createWidgetToken', {
      body: { customer_name: 'acme', allowed_origin },
    });
    expect(response.body.errors).toEqual([{ path: 'allowed_origin', message: expect.any(String) }]);
  });

  test.each(['0', '1001', 'x', '1.5', '-1', '0x10', '1e1', ' 5', '5 ', '+5', ''])(
    'rejects %s as a limit',
    async limit => {
      expect((await expectRejection('listCustomers', {}, { query: { limit } })).body.errors[0].path).toBe(
        'limit',
      );
    },
  );

  test.each([
    'x',
    'W10',
    Buffer.from('["a","b"]').toString('base64url'),
    Buffer.from('[1]').toString('base64url'),
    Buffer.from(`["0000-01-01T00:00:00.000Z","${unknownId}"]`).toString('base64url'),
    Buffer.from('["a\\u0000"]').toString('base64url'),
  ])('rejects %s as a cursor', async cursor => {
    expect((await expectRejection('listCustomers', {}, { query: { cursor: `${cursor}!` } })).status).toBe(
      400,
    );
    expect((await expectRejection('listConnectors', {}, { query: { cursor } })).body.errors[0].path).toBe(
      'cursor',
    );
  });

  test.each(['', 'ü', 'x'.repeat(256)])('rejects %j as an idempotency key', async key => {
    const { body } = exampleOf('createConnector');
    const response = await expectRejection('createConnector', {
      body,
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    });
    expect(response.body.errors[0].path).toBe('Idempotency-Key');
  });

  test('reports all issues of a request at once', async () => {
    const response = await expectRejection('createConnector', {
      body: { name: '', definition_id: 'x', surprise: 1 },
    });
    expect(response.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'credentials',
      'definition_id',
      'name',
      'surprise',
    ]);
  });

  test.each<[EndpointName, string[]]>([
    ['createApplicationToken', ['client_id', 'client_secret']],
    ['createWidgetToken', ['allowed_origin', 'customer_name']],
    ['createConnector', ['connector_type', 'credentials', 'name']],
    ['updateConnector', ['']],
    ['initiateOAuth', ['connector_type', 'redirect_url']],
    ['setOAuthCredentials', ['configuration', 'connector_type']],
    ['execute', ['action', 'entity']],
  ])('%s lists every required field that is missing from an empty object', async (name, paths) => {
    const response = await expectRejection(name, { body: {} });
    expect(response.status).toBe(400);
    expect(response.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  });

  test('rejects credentials together with a secret id', async () => {
    const { body } = exampleOf('createConnector');
    const response = await expectRejection('createConnector', {
      body: { ...body, server_side_oauth_secret_id: 'x' },
    });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([
      { path: 'credentials', message: 'Provide credentials or server_side_oauth_secret_id, not both' },
    ]);
  });
});
