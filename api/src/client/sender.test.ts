import { describe, expect, test } from 'vitest';
import { clientOf, empty, id, list, problem, serve } from '../../test/client-of.ts';
import { application, applicationToken, type Reply } from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { createClient } from './client.ts';

describe('the application token', () => {
  test('is fetched once for a hundred calls at once', async () => {
    const { client, service } = await clientOf([empty]);
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.requests).toHaveLength(100);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('is renewed before it expires', async () => {
    const clock = new TestClock();
    const { client, service } = await clientOf([empty], { clock });
    await client.execute(id, list);
    clock.advance(850_000);
    await client.execute(id, list);
    clock.advance(49_000);
    await client.execute(id, list);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer app-1',
      'Bearer app-1',
      'Bearer app-2',
    ]);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('is renewed once on a 401, and the call is sent again even if it changes something', async () => {
    const { client, service } = await clientOf([problem('token_expired'), empty]);
    await client.execute(id, { entity: 'campaigns', action: 'create', params: { name: 'x' } });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer app-1',
      'Bearer app-2',
    ]);
    expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
  });

  test('is renewed once only: a second 401 is the answer', async () => {
    const { client, service } = await clientOf([problem('token_invalid')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'token_invalid', status: 401 });
    expect(service.requests).toHaveLength(2);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('refused to a hundred calls at once is renewed once', async () => {
    const service = await serve(({ headers }) =>
      headers.authorization === 'Bearer app-1' ? problem('token_expired') : empty,
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.requests.length).toBeLessThanOrEqual(200);
  });

  test('that cannot be had is the error of every call that waits for it, asked for once', async () => {
    const service = await serve(
      () => empty,
      () => problem('client_credentials_invalid'),
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => client.execute(id, list)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'client_credentials_invalid' } });
    }
    expect(service.tokenRequests).toHaveLength(1);
    expect(service.requests).toHaveLength(0);
  });

  test('request is repeated while the service is busy', async () => {
    const service = await serve(
      () => empty,
      (request, index) => (index < 2 ? problem('overloaded') : applicationToken(request, index)),
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock: new TestClock(9_000) });
    await client.execute(id, list);
    expect(service.tokenRequests).toHaveLength(3);
  });
});

describe('repeats', () => {
  test('of a deletion whose answer was lost say that it is done, and no others', async () => {
    const gone = problem('connector_not_found');
    for (const first of ['drop', problem('overloaded')] as const) {
      const { client, service } = await clientOf([first, gone], { clock: new TestClock(9_000) });
      await expect(client.connectors.delete(id)).resolves.toBeUndefined();
      expect(service.requests).toHaveLength(2);
    }
    const { client } = await clientOf([gone]);
    await expect(client.connectors.delete(id)).rejects.toMatchObject({ code: 'connector_not_found' });
    const { client: reading } = await clientOf(['drop', gone]);
    await expect(reading.connectors.get(id)).rejects.toMatchObject({ code: 'connector_not_found' });
  });

  const transient: [string, Reply][] = [
    ['429', problem('rate_limited')],
    ['502', { status: 502, body: 'Bad gateway', headers: { 'content-type': 'text/plain' } }],
    ['503', problem('overloaded')],
    ['504', { status: 504, body: '<html>', headers: { 'content-type': 'text/html' } }],
    [
      'a 503 of something in between',
      { status: 503, body: '<html>', headers: { 'content-type': 'text/html' } },
    ],
    ['a connection that breaks', 'drop'],
  ];
  test.each(transient)('a reading action after %s, up to three times', async (_what, reply) => {
    const clock = new TestClock(9_000);
    const { client, service } = await clientOf([reply, reply, reply, empty], { clock });
    await expect(client.execute(id, list)).resolves.toEqual(empty.json);
    expect(service.requests).toHaveLength(4);
    expect(clock.skipped).toEqual([125, 250, 500]);
  });

  test.each(['vendor_failed', 'vendor_timeout', 'vendor_rate_limited'] as const)(
    'are left to the service after %s',
    async code => {
      const { client, service } = await clientOf([problem(code, { 'retry-after': '1' })], {
        clock: new TestClock(9_000),
      });
      await expect(client.execute(id, list)).rejects.toMatchObject({ code });
      expect(service.requests).toHaveLength(1);
    },
  );

  test('end with the last error', async () => {
    const { client, service } = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'overloaded', requestId: 'req-1' });
    expect(service.requests).toHaveLength(4);
  });

  test.each(['list', 'get', 'search', 'check'])('are made for the action %s', async action => {
    const { client, service } = await clientOf([problem('overloaded'), empty], {
      clock: new TestClock(9_000),
    });
    await client.execute(id, { entity: 'notes', action });
    expect(service.requests).toHaveLength(2);
  });

  test.each(transient)('are never made for update and create: %s', async (_what, reply) => {
    const { client, service } = await clientOf([reply], { clock: new TestClock(9_000) });
    await expect(client.execute(id, { entity: 'campaigns', action: 'update' })).rejects.toThrow();
    await expect(client.execute(id, { entity: 'campaigns', action: 'create' })).rejects.toThrow();
    expect(service.requests).toHaveLength(2);
  });

  test('are made for creating a connector only with an idempotency key', async () => {
    const { client, service } = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    const request = { customer_name: 'acme', connector_type: 'granola', name: 'Notes' };
    await expect(client.connectors.create(request)).rejects.toThrow();
    expect(service.requests).toHaveLength(1);
    await expect(client.connectors.create(request, { idempotencyKey: 'once' })).rejects.toThrow();
    expect(service.requests).toHaveLength(5);
    expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => 'once'),
    ]);
  });

  test('are made for renaming a connector, but not for giving it credentials, which may work once', async () => {
    const { client, service } = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    await expect(client.connectors.update(id, { credentials: { refresh_token: 'r' } })).rejects.toThrow();
    expect(service.requests).toHaveLength(1);
    await expect(client.connectors.update(id, { name: 'Notes' })).rejects.toThrow();
    expect(service.requests).toHaveLength(5);
  });

  test('refuse a key that the endpoint would ignore', async () => {
    const { client, service } = await clientOf([empty]);
    const call = client.call(
      'execute',
      { params: { id }, body: { entity: 'campaigns', action: 'create' } },
      { idempotencyKey: 'once' },
    );
    await expect(call).rejects.toMatchObject({
      code: 'malformed_request',
      errors: [{ path: 'idempotencyKey' }],
    });
    expect(service.requests).toHaveLength(0);
  });

  test('are not made after an answer that will not change', async () => {
    const { client, service } = await clientOf([problem('connector_not_found')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'connector_not_found',
      status: 404,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('wait as long as the service asks', async () => {
    const clock = new TestClock(30_000);
    const { client } = await clientOf([problem('rate_limited', { 'retry-after': '7' }), empty], {
      clock,
    });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([7_125]);
  });

  test('wait until the date the service names', async () => {
    const clock = new TestClock(30_000);
    const date = new Date(clock.now() + 12_000).toUTCString();
    const { client } = await clientOf([problem('rate_limited', { 'retry-after': date }), empty], {
      clock,
    });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([12_125]);
  });

  test('are not waited for beyond the deadline: the error comes at once and says how long', async () => {
    const { client, service } = await clientOf([problem('vendor_rate_limited', { 'retry-after': '120' })]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      status: 429,
      retryAfterSeconds: 120,
    });
    expect(service.requests).toHaveLength(1);
  });
});
