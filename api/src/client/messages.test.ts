import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf, empty, id, list, serve } from '../../test/client-of.ts';
import { application, type Reply } from '../../test/scripted-service.ts';
import { ConnectorAuthError, toProblem } from '../problem.ts';
import { createClient } from './client.ts';

describe('unexpected responses', () => {
  const html = { 'content-type': 'text/html' };
  test.each<[string, Reply, number]>([
    ['HTML', { body: '<html>hello</html>', headers: html }, 502],
    ['an empty body', { body: '' }, 502],
    ['truncated JSON', { body: '{"result":' }, 502],
    ['JSON of a different shape', { json: { data: [] } }, 502],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, 502],
    ['an HTML error', { status: 500, body: '<h1>Oops</h1>', headers: html }, 500],
    ['an error in another format', { status: 418, json: { error: 'teapot' } }, 418],
    ['a problem with an unknown code', { status: 400, json: { code: 'new', status: 400 } }, 400],
  ])('fails with `unexpected_answer` on %s', async (_what, reply, status) => {
    const withId =
      typeof reply === 'object' ? { ...reply, headers: { ...reply.headers, 'x-request-id': 'r' } } : reply;
    const { client, service } = await clientOf([withId]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'unexpected_answer',
      status,
      requestId: 'r',
    });
    expect(service.requests).toHaveLength(1);
  });

  test('an error for an unexpected response does not contain its body', async () => {
    const { client } = await clientOf([{ status: 500, body: 'token=abc', headers: html }]);
    const error = await client.execute(id, list).catch((reason: unknown) => reason);
    expect(inspect(error, { depth: null })).not.toContain('token=abc');
  });
});

test('a problem becomes an error with all its details', async () => {
  const body = toProblem(
    new ConnectorAuthError('credentials_refused', 'Granola rejected the API key', {
      errors: [{ path: 'credentials.api_key', message: 'Paste it again' }],
      vendor: { name: 'Granola', status: 401, code: 'bad_key', message: 'Invalid' },
    }),
    'req-9',
  );
  const { client } = await clientOf([{ status: 422, json: body }]);
  await expect(client.connectors.create({ connector_type: 'granola', name: 'Notes' })).rejects.toMatchObject({
    code: 'credentials_refused',
    message: 'Granola rejected the API key',
    status: 422,
    errors: [{ path: 'credentials.api_key', message: 'Paste it again' }],
    vendor: { name: 'Granola', status: 401, code: 'bad_key', message: 'Invalid' },
    requestId: 'req-9',
  });
});

test('19-digit vendor ids keep all digits in requests and responses', async () => {
  const service = await serve(({ body }) => ({
    body: `{"result":${body},"connector_metadata":null}`,
  }));
  const client = createClient({ ...application, baseUrl: service.baseUrl });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt({ min: 10n ** 18n, max: 2n ** 63n - 1n })), async ids => {
      const request = { entity: 'ads', action: 'list', params: { ids } };
      const { result } = await client.execute(id, request);
      expect(result).toEqual(request);
      expect(service.requests.at(-1)?.body).toBe(
        `{"entity":"ads","action":"list","params":{"ids":[${ids.join(',')}]}}`,
      );
    }),
    { numRuns: 30 },
  );
});

describe('path parameters', () => {
  test.each(['', '.', '..', '\u0000', '\ud800'])(
    'rejects the customer name %j without sending a request',
    async name => {
      const { client, service } = await clientOf([{ status: 204 }]);
      await expect(client.customers.delete(name)).rejects.toMatchObject({
        code: 'malformed_request',
        errors: expect.arrayContaining([expect.objectContaining({ path: 'name' })]),
      });
      expect(service.tokenRequests).toHaveLength(0);
    },
  );

  test.each(['', '../customers', 'abc'])(
    'rejects the connector id %j without sending a request',
    async bad => {
      const { client, service } = await clientOf([empty]);
      await expect(client.connectors.get(bad)).rejects.toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'id', message: 'Must be a UUID' }],
      });
      expect(service.tokenRequests).toHaveLength(0);
    },
  );

  test('rejects a circular body without sending a request', async () => {
    const { client } = await clientOf([empty]);
    const params: Record<string, unknown> = {};
    params['self'] = params;
    await expect(client.execute(id, { ...list, params })).rejects.toMatchObject({
      code: 'malformed_request',
    });
  });
});
