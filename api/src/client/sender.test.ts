import { describe, expect, test } from 'vitest';
import { clientOf, empty, id, list, problem, serve } from '../../test/client-of.ts';
import { application, applicationToken, type Reply } from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { createClient } from './client.ts';

describe('application token', () => {
  test('100 concurrent calls request one application token', async () => {
    const { client, service } = await clientOf([empty]);
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.requests).toHaveLength(100);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('renews the application token before it expires', async () => {
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

  test('renews the application token after a 401 and sends the call again, even if it writes', async () => {
    const { client, service } = await clientOf([problem('token_expired'), empty]);
    await client.execute(id, { entity: 'campaigns', action: 'create', params: { name: 'x' } });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer app-1',
      'Bearer app-2',
    ]);
    expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
  });

  test('returns a second 401 without renewing the application token again', async () => {
    const { client, service } = await clientOf([problem('token_invalid')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'token_invalid', status: 401 });
    expect(service.requests).toHaveLength(2);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('renews the application token once when 100 concurrent calls get a 401', async () => {
    const service = await serve(({ headers }) =>
      headers.authorization === 'Bearer app-1' ? problem('token_expired') : empty,
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.requests.length).toBeLessThanOrEqual(200);
  });

  test('every waiting call fails when the one request for an application token fails', async () => {
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

  test('retries the request for an application token while the service is overloaded', async () => {
    const service = await serve(
      () => empty,
      (request, index) => (index < 2 ? problem('overloaded') : applicationToken(request, index)),
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock: new TestClock(9_000) });
    await client.execute(id, list);
    expect(service.tokenRequests).toHaveLength(3);
  });
});

describe('retries', () => {
  test('a 404 to a retried DELETE is a success; to any other request it is an error', async () => {
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
    ['a 503 from an intermediary', { status: 503, body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['a broken connection', 'drop'],
  ];
  test.each(transient)('retries a read action after %s up to three times', async (_what, reply) => {
    const clock = new TestClock(9_000);
    const { client, service } = await clientOf([reply, reply, reply, empty], { clock });
    await expect(client.execute(id, list)).resolves.toEqual(empty.json);
    expect(service.requests).toHaveLength(4);
    expect(clock.skipped).toEqual([125, 250, 500]);
  });

  test.each(['vendor_failed', 'vendor_timeout', 'vendor_rate_limited'] as const)(
    'does not retry %s, which the service has already retried',
    async code => {
      const { client, service } = await clientOf([problem(code, { 'retry-after': '1' })], {
        clock: new TestClock(9_000),
      });
      await expect(client.execute(id, list)).rejects.toMatchObject({ code });
      expect(service.requests).toHaveLength(1);
    },
  );

  test('returns the last error when all retries fail', async () => {
    const { client, service } = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'overloaded', requestId: 'req-1' });
    expect(service.requests).toHaveLength(4);
  });

  test.each(['list', 'get', 'search', 'check'])('retries the action %s', async action => {
    const { client, service } = await clientOf([problem('overloaded'), empty], {
      clock: new TestClock(9_000),
    });
    await client.execute(id, { entity: 'notes', action });
    expect(service.requests).toHaveLength(2);
  });

  test.each(transient)('does not retry update and create after %s', async (_what, reply) => {
    const { client, service } = await clientOf([reply], { clock: new TestClock(9_000) });
    await expect(client.execute(id, { entity: 'campaigns', action: 'update' })).rejects.toThrow();
    await expect(client.execute(id, { entity: 'campaigns', action: 'create' })).rejects.toThrow();
    expect(service.requests).toHaveLength(2);
  });

  test('retries the creation of a connector only with an idempotency key', async () => {
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

  test('retries renaming a connector but not re-authenticating it, because credentials may work only once', async () => {
    const { client, service } = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    await expect(client.connectors.update(id, { credentials: { refresh_token: 'r' } })).rejects.toThrow();
    expect(service.requests).toHaveLength(1);
    await expect(client.connectors.update(id, { name: 'Notes' })).rejects.toThrow();
    expect(service.requests).toHaveLength(5);
  });

  test('rejects an idempotency key for an endpoint that does not support it', async () => {
    const { client, service } = await clientOf([empty]);
    const call = client.call('syncConnector', { params: { id } }, { idempotencyKey: 'once' });
    await expect(call).rejects.toMatchObject({
      code: 'malformed_request',
      errors: [{ path: 'idempotencyKey' }],
    });
    expect(service.requests).toHaveLength(0);
  });

  test('does not retry errors that are not transient', async () => {
    const { client, service } = await clientOf([problem('connector_not_found')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'connector_not_found',
      status: 404,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('waits for the number of seconds in Retry-After', async () => {
    const clock = new TestClock(30_000);
    const { client } = await clientOf([problem('rate_limited', { 'retry-after': '7' }), empty], {
      clock,
    });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([7_125]);
  });

  test('waits until the date in Retry-After', async () => {
    const clock = new TestClock(30_000);
    const date = new Date(clock.now() + 12_000).toUTCString();
    const { client } = await clientOf([problem('rate_limited', { 'retry-after': date }), empty], {
      clock,
    });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([12_125]);
  });

  test('fails at once if Retry-After exceeds the deadline, and reports how long to wait', async () => {
    const { client, service } = await clientOf([problem('vendor_rate_limited', { 'retry-after': '120' })]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      status: 429,
      retryAfterSeconds: 120,
    });
    expect(service.requests).toHaveLength(1);
  });
});
