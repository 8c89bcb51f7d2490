import { endpoints, type Endpoint, type EndpointName } from '@connector-auth/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginConsent, consentKind, platformApps } from '../../test/consent.ts';
import { readDatabaseSnapshot } from '../../test/database-snapshot.ts';
import { onEachEngine } from '../../test/engines.ts';
import { addressOf, examples, goodKey, type Example } from '../../test/example-requests.ts';
import { bothKinds, firstKind } from '../../test/second-kind.ts';
import { startTestService, type RequestOptions, type TestService } from '../../test/test-service.ts';

/** Tests that every kind of invalid request to every endpoint returns a clear error and stores nothing. */

// `endpoints` has exactly these keys.
const names = Object.keys(endpoints) as EndpointName[];
const unknownId = '00000000-0000-4000-8000-000000000000';

onEachEngine('with invalid input', database => {
  let service: TestService;
  let token: string;
  let exampleOf: (name: EndpointName) => Example;

  beforeAll(async () => {
    const kinds = [...bothKinds, consentKind];
    service = await startTestService(database(), { kinds, oauthApps: platformApps });
    const application = await service.addApplication('own', ['Own']);
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
    exampleOf = name => examples[name]({ ...application, customerName: 'acme', connectorId, sessionId });
  });
  afterAll(() => service.close());

  /** Sends a request that must be rejected, and checks that nothing changed. */
  async function expectRejection(name: EndpointName, asking: RequestOptions, example = exampleOf(name)) {
    const { method, path }: Endpoint = endpoints[name];
    const before = await readDatabaseSnapshot(database());
    const response = await service.ask(method, addressOf(path, example), { token, ...asking });
    expect(response.status, response.text).toBeGreaterThanOrEqual(400);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.body).toMatchObject({
      type: `urn:connector-auth:problem:${response.body.code}`,
      status: response.status,
      title: expect.any(String),
      detail: expect.any(String),
      request_id: response.headers['x-request-id'],
    });
    expect(response.text).not.toMatch(/\bat .*\.[jt]s:|node_modules|select |insert |syntax error/);
    expect(await readDatabaseSnapshot(database())).toEqual(before);
    return response;
  }

  describe.each(names)('%s', name => {
    const endpoint: Endpoint = endpoints[name];
    const hasBody = endpoint.body !== undefined;
    const needsNoToken = endpoint.callers.length === 0;
    const depth = needsNoToken ? 4_000 : 100_000;

    test.each([
      ['half an object', '{"name":'],
      ['only white space', '  '],
      ['a trailing comma', '{"name":"a",}'],
      ['a script', 'alert(1)'],
      ['a nested member named __proto__', '{"params":[{"__proto__":1}]}'],
      ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['deeply nested brackets', '['.repeat(depth) + ']'.repeat(depth)],
      ['deeply nested long integers', `${'['.repeat(depth)}1234567890123456789${']'.repeat(depth)}`],
    ])('rejects a request body that contains %s', async (_title, rawBody) => {
      const response = await expectRejection(name, { rawBody });
      expect(response.status).toBe(400);
      expect(response.body.code).toBe('malformed_request');
    });

    test('rejects integers of more than 100 digits and names the field', async () => {
      const accepted = '9'.repeat(100);
      for (const integer of [`${accepted}9`, `-${accepted}9`, '9'.repeat(needsNoToken ? 8_000 : 1_000_000)]) {
        const rawBody = `{"short":[0,${accepted}],"long":[{"id":${integer}}]}`;
        const response = await expectRejection(name, { rawBody });
        expect(response.body).toMatchObject({
          code: 'malformed_request',
          errors: [{ path: 'long.0.id', message: 'Integers can have at most 100 digits' }],
        });
      }
    });

    if (!needsNoToken)
      test('rejects a request body of more than 100,000 values', async () => {
        const response = await expectRejection(name, {
          body: { ...exampleOf(name).body, many: Array(100_001).fill(0) },
        });
        expect(response.status).toBe(400);
        expect(response.body.detail).toBe('The request body can contain at most 100000 values');
      });

    test.each([
      ['null', null],
      ['a string', 'text'],
      ['a number', 1],
      ['a list', []],
    ])('rejects %s as the request body', async (_title, body) => {
      expect((await expectRejection(name, { body })).status).toBe(400);
    });

    test('rejects an unknown field and reports its name', async () => {
      const response = await expectRejection(name, { body: { ...exampleOf(name).body, surprise: true } });
      expect(response.status).toBe(400);
      expect(response.body.errors).toContainEqual({
        path: 'surprise',
        message: 'Unknown field',
      });
    });

    test('rejects thousands of unknown fields with a response of limited size', async () => {
      const count = needsNoToken ? 800 : 60_000;
      const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
      const response = await expectRejection(name, { body: { ...exampleOf(name).body, ...unknown } });
      expect(response.status).toBe(400);
      expect(response.body.errors).toHaveLength(51);
      expect(response.text.length).toBeLessThan(20_000);
    });

    test('rejects an unknown query parameter and reports its name', async () => {
      const example = { ...exampleOf(name), query: { surprise: 'x' } };
      const response = await expectRejection(name, example.body ? { body: example.body } : {}, example);
      expect(response.status).toBe(400);
      expect(response.body.errors).toContainEqual({
        path: 'surprise',
        message: 'Unknown field',
      });
    });

    test('rejects a body over 1 MiB, or over 8 KiB without a token, with and without Content-Length', async () => {
      const rawBody = JSON.stringify({ padding: 'x'.repeat((needsNoToken ? 8 : 1024) * 1024) });
      expect((await expectRejection(name, { rawBody })).body.code).toBe('body_too_large');
      const chunked = await service.askInChunks(endpoint.method, addressOf(endpoint.path, exampleOf(name)), {
        token,
        rawBody,
      });
      expect(chunked.body.code).toBe('body_too_large');
    });

    test.each([
      ['text/plain'],
      ['application/x-www-form-urlencoded'],
      ['application/json; charset=utf-16'],
      ['application/jsonp'],
    ])('rejects a request body with Content-Type %s', async type => {
      const response = await expectRejection(name, { rawBody: '{}', headers: { 'content-type': type } });
      expect(response.status).toBe(415);
    });

    test('rejects a compressed request body', async () => {
      const response = await expectRejection(name, {
        rawBody: '{}',
        headers: { 'content-encoding': 'gzip' },
      });
      expect(response.status).toBe(415);
    });

    if (hasBody)
      test('rejects fields of the wrong type and reports their names', async () => {
        const body = exampleOf(name).body ?? {};
        const wrong = Object.fromEntries(Object.keys(body).map(field => [field, [[1]]]));
        const response = await expectRejection(name, { body: wrong });
        expect(response.status).toBe(400);
        const paths = response.body.errors.map(({ path }: { path: string }) => path.split('.')[0]);
        expect(new Set(paths)).toEqual(new Set(Object.keys(body)));
      });

    if (hasBody)
      test('rejects a request without a body', async () => {
        expect((await expectRejection(name, {})).status).toBe(400);
      });

    if (endpoint.path.includes('{id}'))
      test('rejects an id that is not a UUID', async () => {
        for (const id of ['1', 'not-a-uuid', `${unknownId}'--`, '..%2f..', '%00']) {
          const { body } = exampleOf(name);
          const path = endpoint.path.replace('{id}', id.includes('%') ? id : encodeURIComponent(id));
          const response = await service.ask(endpoint.method, path, { token, ...(body ? { body } : {}) });
          expect(response.status, id).toBe(400);
        }
      });

    if (endpoint.path.includes('{id}'))
      test('returns 404 for an unknown id', async () => {
        const { body } = exampleOf(name);
        const response = await expectRejection(name, body ? { body } : {}, { params: { id: unknownId } });
        expect(response.status).toBe(404);
      });
  });

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
