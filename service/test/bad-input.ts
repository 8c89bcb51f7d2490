import type { Endpoint } from '@connector-auth/api';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addressOf, type Example } from './example-requests.ts';
import { documentedCodes, type RequestOptions, type TestResponse, type TestService } from './test-service.ts';

/** A valid id of nothing. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** What the tests of one endpoint need. The functions are called when a test runs. */
export interface Subject {
  readonly service: () => TestService;
  readonly token: () => string;
  /** A request that succeeds. */
  readonly example: () => Example;
  /** Reads everything that a rejected request must not change. */
  readonly readSnapshot: () => Promise<unknown>;
}

/** Sends a request that must be rejected, and checks that the error is clear and that nothing changed. */
export async function expectRejection(
  endpoint: Endpoint,
  { service, token, example, readSnapshot }: Subject,
  asking: RequestOptions,
  place = example(),
): Promise<TestResponse> {
  const { method, path } = endpoint;
  const before = await readSnapshot();
  const response = await service().ask(method, addressOf(path, place), { token: token(), ...asking });
  expect(response.status, response.text).toBeGreaterThanOrEqual(400);
  expect(response.headers['content-type']).toBe('application/problem+json');
  expect(response.body).toMatchObject({
    type: `urn:connector-auth:problem:${response.body.code}`,
    status: response.status,
    title: expect.any(String),
    detail: expect.any(String),
    request_id: response.headers['x-request-id'],
  });
  // Every endpoint can reject a body that it does not read.
  if (response.status !== 413 && response.status !== 415) {
    expect(documentedCodes(endpoint, response.status)).toContain(response.body.code);
  }
  expect(response.text).not.toMatch(/\bat .*\.[jt]s:|node_modules|select |insert |syntax error/);
  expect(await readSnapshot()).toEqual(before);
  return response;
}

/**
 * Declares the tests of how a request body is read, which is the same for all endpoints that need a token and for all that
 * need none.
 */
export function testBodyParsing(endpoint: Endpoint, subject: Subject): void {
  const { service, token, example } = subject;
  const expectError = (asking: RequestOptions) => expectRejection(endpoint, subject, asking);
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
    const response = await expectError({ rawBody });
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('malformed_request');
  });

  test('rejects integers of more than 100 digits and names the field', async () => {
    const accepted = '9'.repeat(100);
    for (const integer of [`${accepted}9`, `-${accepted}9`, '9'.repeat(needsNoToken ? 8_000 : 1_000_000)]) {
      const rawBody = `{"short":[0,${accepted}],"long":[{"id":${integer}}]}`;
      const response = await expectError({ rawBody });
      expect(response.body).toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'long.0.id', message: 'Integers can have at most 100 digits' }],
      });
    }
  });

  if (!needsNoToken)
    test('rejects a request body of more than 100,000 values', async () => {
      const response = await expectError({
        body: { ...example().body, many: Array(100_001).fill(0) },
      });
      expect(response.status).toBe(400);
      expect(response.body.detail).toBe('The request body can contain at most 100000 values');
    });

  test('rejects thousands of unknown fields with a response of limited size', async () => {
    const count = needsNoToken ? 800 : 60_000;
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const response = await expectError({ body: { ...example().body, ...unknown } });
    expect(response.status).toBe(400);
    expect(response.body.errors).toHaveLength(51);
    expect(response.text.length).toBeLessThan(20_000);
  });

  test('rejects a body over 1 MiB, or over 8 KiB without a token, with and without Content-Length', async () => {
    const rawBody = JSON.stringify({ padding: 'x'.repeat((needsNoToken ? 8 : 1024) * 1024) });
    expect((await expectError({ rawBody })).body.code).toBe('body_too_large');
    const chunked = await service().askInChunks(endpoint.method, addressOf(endpoint.path, example()), {
      token: token(),
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
    const response = await expectError({ rawBody: '{}', headers: { 'content-type': type } });
    expect(response.status).toBe(415);
  });

  test('rejects a compressed request body', async () => {
    const response = await expectError({
      rawBody: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect(response.status).toBe(415);
  });
}

/** Declares the tests that hold for every endpoint of a contract. */
export function testBadInput(endpoint: Endpoint, subject: Subject): void {
  const { service, token, example } = subject;
  const expectError = (asking: RequestOptions, place?: Example) =>
    expectRejection(endpoint, subject, asking, place);
  const hasBody = endpoint.body !== undefined;

  test.each([
    ['null', null],
    ['a string', 'text'],
    ['a number', 1],
    ['a list', []],
  ])('rejects %s as the request body', async (_title, body) => {
    expect((await expectError({ body })).status).toBe(400);
  });

  test('rejects an unknown field and reports its name', async () => {
    const response = await expectError({ body: { ...example().body, surprise: true } });
    expect(response.status).toBe(400);
    const names = endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [];
    expect(response.body.errors).toContainEqual({
      path: 'surprise',
      message:
        names.length > 0
          ? `Unknown field. Fields: ${names.join(', ')}`
          : expect.stringMatching(/^Unknown field/),
    });
  });

  test('rejects an unknown query parameter and reports its name', async () => {
    const { body } = example();
    const response = await expectError(body ? { body } : {}, { ...example(), query: { surprise: 'x' } });
    expect(response.status).toBe(400);
    const names = Object.keys(endpoint.query?.shape ?? {});
    expect(response.body.errors).toContainEqual({
      path: 'surprise',
      message: `Unknown field. ${names.length > 0 ? `Fields: ${names.join(', ')}` : 'No fields are accepted here'}`,
    });
  });

  if (hasBody)
    test('rejects fields of the wrong type and reports their names', async () => {
      const body = example().body ?? {};
      const wrong = Object.fromEntries(Object.keys(body).map(field => [field, [[1]]]));
      const response = await expectError({ body: wrong });
      expect(response.status).toBe(400);
      const paths = response.body.errors.map(({ path }: { path: string }) => path.split('.')[0]);
      expect(new Set(paths)).toEqual(new Set(Object.keys(body)));
    });

  if (hasBody)
    test('rejects a request without a body', async () => {
      expect((await expectError({})).status).toBe(400);
    });

  for (const [, parameter = ''] of endpoint.path.matchAll(/\{(\w*id)\}/g)) {
    // Integrators and the authorization server choose other ids.
    if (endpoint.params?.shape[parameter]?.safeParse('not-a-uuid-but-long-enough').success) continue;
    test(`rejects a value of ${parameter} that is not a UUID`, async () => {
      const { body, params } = example();
      for (const id of ['1', 'not-a-uuid', `${unknownId}'--`, '..%2f..', '%00']) {
        const written = id.includes('%') ? id : encodeURIComponent(id);
        const path = addressOf(endpoint.path.replace(`{${parameter}}`, written), { params: params ?? {} });
        const asking = { token: token(), ...(body ? { body } : {}) };
        const response = await service().ask(endpoint.method, path, asking);
        expect(response.status, id).toBe(400);
      }
    });

    test(`returns 404 for an unknown ${parameter}`, async () => {
      const { body, params } = example();
      const place = { params: { ...params, [parameter]: unknownId } };
      const response = await expectError(body ? { body } : {}, place);
      expect(response.status).toBe(404);
    });
  }
}
