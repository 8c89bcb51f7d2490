import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { Agent } from 'undici';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  application,
  applicationToken,
  organizationId,
  startService,
  type Reply,
  type ScriptedService,
} from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { stringifyJson } from '../lossless-json.ts';
import { ConnectorAuthError, toProblem, type ProblemCode } from '../problem.ts';
import { createClient, createCustomerClient, type Client } from './client.ts';
import type { ClientOptions } from './options.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const list = { entity: 'notes', action: 'list' };
const empty = { json: { result: [], connector_metadata: null } };

let service: ScriptedService;
afterEach(() => service.close());

/** A client of a service that answers with `replies` in turn, the last one for ever. */
async function clientOf(replies: Reply[], options: Partial<ClientOptions> = {}): Promise<Client> {
  service = await startService((_request, index) => replies[Math.min(index, replies.length - 1)] ?? 'drop');
  return createClient({ ...application, baseUrl: service.baseUrl, random: () => 0.5, ...options });
}

function problem(code: ProblemCode, headers: Record<string, string> = {}): Reply {
  const body = toProblem(new ConnectorAuthError(code, 'What to do'), 'req-1');
  return {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    json: body,
  };
}

describe('the application token', () => {
  test('is fetched once for a hundred calls at once', async () => {
    const client = await clientOf([empty]);
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.requests).toHaveLength(100);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('is renewed before it expires', async () => {
    const clock = new TestClock();
    const client = await clientOf([empty], { clock });
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
    const client = await clientOf([problem('token_expired'), empty]);
    await client.execute(id, { entity: 'campaigns', action: 'create', params: { name: 'x' } });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer app-1',
      'Bearer app-2',
    ]);
    expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
  });

  test('is renewed once only: a second 401 is the answer', async () => {
    const client = await clientOf([problem('token_invalid')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'token_invalid', status: 401 });
    expect(service.requests).toHaveLength(2);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('refused to a hundred calls at once is renewed once', async () => {
    service = await startService(({ headers }) =>
      headers.authorization === 'Bearer app-1' ? problem('token_expired') : empty,
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    await Promise.all(Array.from({ length: 100 }, () => client.execute(id, list)));
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.requests.length).toBeLessThanOrEqual(200);
  });

  test('that cannot be had is the error of every call that waits for it, asked for once', async () => {
    service = await startService(
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
    service = await startService(
      () => empty,
      (request, index) => (index < 2 ? problem('overloaded') : applicationToken(request, index)),
    );
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock: new TestClock(9_000) });
    await client.execute(id, list);
    expect(service.tokenRequests).toHaveLength(3);
  });
});

describe('repeats', () => {
  const transient: [string, Reply][] = [
    ['429', problem('rate_limited')],
    ['502', problem('vendor_failed')],
    ['503', problem('overloaded')],
    ['504', problem('vendor_timeout')],
    [
      'a 503 of something in between',
      { status: 503, body: '<html>', headers: { 'content-type': 'text/html' } },
    ],
    ['a connection that breaks', 'drop'],
  ];
  test.each(transient)('a reading action after %s, up to three times', async (_what, reply) => {
    const clock = new TestClock(9_000);
    const client = await clientOf([reply, reply, reply, empty], { clock });
    await expect(client.execute(id, list)).resolves.toEqual(empty.json);
    expect(service.requests).toHaveLength(4);
    expect(clock.skipped).toEqual([125, 250, 500]);
  });

  test('end with the last error', async () => {
    const client = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
    await expect(client.execute(id, list)).rejects.toMatchObject({ code: 'overloaded', requestId: 'req-1' });
    expect(service.requests).toHaveLength(4);
  });

  test.each(['list', 'get', 'search', 'check'])('are made for the action %s', async action => {
    const client = await clientOf([problem('overloaded'), empty], { clock: new TestClock(9_000) });
    await client.execute(id, { entity: 'notes', action });
    expect(service.requests).toHaveLength(2);
  });

  test.each(transient)('are never made for update and create: %s', async (_what, reply) => {
    const client = await clientOf([reply], { clock: new TestClock(9_000) });
    await expect(client.execute(id, { entity: 'campaigns', action: 'update' })).rejects.toThrow();
    await expect(client.execute(id, { entity: 'campaigns', action: 'create' })).rejects.toThrow();
    expect(service.requests).toHaveLength(2);
  });

  test('are made for creating a connector only with an idempotency key', async () => {
    const client = await clientOf([problem('overloaded')], { clock: new TestClock(9_000) });
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

  test('refuse a key that the endpoint would ignore', async () => {
    const client = await clientOf([empty]);
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
    const client = await clientOf([problem('connector_not_found')]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'connector_not_found',
      status: 404,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('wait as long as the service asks', async () => {
    const clock = new TestClock(30_000);
    const client = await clientOf([problem('rate_limited', { 'retry-after': '7' }), empty], { clock });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([7_125]);
  });

  test('wait until the date the service names', async () => {
    const clock = new TestClock(30_000);
    const date = new Date(clock.now() + 12_000).toUTCString();
    const client = await clientOf([problem('rate_limited', { 'retry-after': date }), empty], { clock });
    await client.execute(id, list);
    expect(clock.skipped).toEqual([12_125]);
  });

  test('are not waited for beyond the deadline: the error comes at once and says how long', async () => {
    const client = await clientOf([problem('vendor_rate_limited', { 'retry-after': '120' })]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      status: 429,
      retryAfterSeconds: 120,
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a call ends', () => {
  test('with `timeout` when its time is up', async () => {
    const clock = new TestClock();
    const client = await clientOf(['hang'], { clock, timeoutMs: 5_000 });
    const call = client.execute(id, list);
    await service.received(1);
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({ code: 'timeout', status: 504 });
    expect(clock.sleeping).toBe(0);
  });

  test('with its own time limit rather than the client’s', async () => {
    const clock = new TestClock();
    const client = await clientOf(['hang'], { clock });
    const call = client.execute(id, list, { timeoutMs: 100 });
    await service.received(1);
    clock.advance(100);
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  });

  test('with `timeout` when the head of the answer comes but its body does not', async () => {
    const clock = new TestClock();
    service = await startService(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"result":');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock, timeoutMs: 5_000 });
    const call = client.execute(id, list);
    await service.received(1);
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  });

  test('with `aborted` when the caller gives up, and the service sees the connection close', async () => {
    const client = await clientOf(['hang']);
    const caller = new AbortController();
    const call = client.execute(id, list, { signal: caller.signal });
    await service.received(1);
    const closed = new Promise<void>(resolve => service.requests[0]?.response.once('close', resolve));
    caller.abort(new Error('tab closed'));
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: { message: 'tab closed' } });
    await closed;
  });

  test('with `aborted` while it waits for a repeat', async () => {
    const clock = new TestClock();
    service = await startService(() => problem('overloaded'));
    const client = createCustomerClient({
      baseUrl: service.baseUrl,
      token: 'scoped-1',
      clock,
      random: () => 0.5,
    });
    const caller = new AbortController();
    const call = client.execute(id, list, { signal: caller.signal });
    const deadlineAndRepeat = 2;
    await clock.asleep(deadlineAndRepeat);
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(clock.sleeping).toBe(0);
  });

  test('with `aborted` before anything is sent', async () => {
    const client = await clientOf([empty]);
    const call = client.execute(id, list, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(service.tokenRequests).toHaveLength(0);
  });

  test('with `unreachable` when nothing listens', async () => {
    const client = await clientOf([empty], { clock: new TestClock(9_000) });
    await service.close();
    const error = await client.execute(id, list).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectorAuthError);
    expect(error).toMatchObject({ code: 'unreachable', status: 503, cause: { code: 'ECONNREFUSED' } });
  });

  test('with `malformed_request` when its time limit is none', async () => {
    const client = await clientOf([empty]);
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(client.execute(id, list, { timeoutMs })).rejects.toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'timeoutMs' }],
      });
    }
  });

  test('and leaves no listener on the caller’s signal', async () => {
    const client = await clientOf([empty]);
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') listeners += 1;
        if (key === 'removeEventListener') listeners -= 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await client.execute(id, list, { signal: counted });
    expect(listeners).toBe(0);
  });
});

describe('answers that are not in the contract', () => {
  const html = { 'content-type': 'text/html' };
  test.each<[string, Reply, number]>([
    ['HTML', { body: '<html>hello</html>', headers: html }, 502],
    ['nothing', { body: '' }, 502],
    ['half of a JSON', { body: '{"result":' }, 502],
    ['JSON of another shape', { json: { data: [] } }, 502],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, 502],
    ['an HTML error', { status: 500, body: '<h1>Oops</h1>', headers: html }, 500],
    ['an error of another kind', { status: 418, json: { error: 'teapot' } }, 418],
    ['a problem with an unknown code', { status: 400, json: { code: 'new', status: 400 } }, 400],
  ])('are `unexpected_answer`: %s', async (_what, reply, status) => {
    const withId =
      typeof reply === 'object' ? { ...reply, headers: { ...reply.headers, 'x-request-id': 'r' } } : reply;
    const client = await clientOf([withId]);
    await expect(client.execute(id, list)).rejects.toMatchObject({
      code: 'unexpected_answer',
      status,
      requestId: 'r',
    });
    expect(service.requests).toHaveLength(1);
  });

  test('never show what was in them', async () => {
    const client = await clientOf([{ status: 500, body: 'token=abc', headers: html }]);
    const error = await client.execute(id, list).catch((reason: unknown) => reason);
    expect(inspect(error, { depth: null })).not.toContain('token=abc');
  });
});

test('a problem keeps everything the service said', async () => {
  const body = toProblem(
    new ConnectorAuthError('credentials_refused', 'Granola refused the API key', {
      errors: [{ path: 'credentials.api_key', message: 'Paste it again' }],
      vendor: { name: 'Granola', status: 401, code: 'bad_key', message: 'Invalid' },
    }),
    'req-9',
  );
  const client = await clientOf([{ status: 422, json: body }]);
  await expect(client.connectors.create({ connector_type: 'granola', name: 'Notes' })).rejects.toMatchObject({
    code: 'credentials_refused',
    message: 'Granola refused the API key',
    status: 422,
    errors: [{ path: 'credentials.api_key', message: 'Paste it again' }],
    vendor: { name: 'Granola', status: 401, code: 'bad_key', message: 'Invalid' },
    requestId: 'req-9',
  });
});

test('vendor ids keep all 19 digits, both ways', async () => {
  await using echo = await startService(({ body }) => ({
    body: `{"result":${body},"connector_metadata":null}`,
  }));
  service = echo;
  const client = createClient({ ...application, baseUrl: echo.baseUrl });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt({ min: 10n ** 18n, max: 2n ** 63n - 1n })), async ids => {
      const request = { entity: 'ads', action: 'list', params: { ids } };
      const { result } = await client.execute(id, request);
      expect(result).toEqual(request);
      expect(echo.requests.at(-1)?.body).toBe(
        `{"entity":"ads","action":"list","params":{"ids":[${ids.join(',')}]}}`,
      );
    }),
    { numRuns: 30 },
  );
});

describe('lists', () => {
  const customer = (name: string) => ({ id, name, created_at: '2026-11-21T10:00:00Z' });
  const page = (names: string[], cursor: string | null) => ({
    json: { data: names.map(customer), meta: { cursor, has_more: cursor !== null } },
  });
  async function names(client: Client): Promise<string[]> {
    const found = [];
    for await (const { name } of client.customers.all({ limit: 2 })) found.push(name);
    return found;
  }

  test('are walked to their end', async () => {
    const client = await clientOf([page(['a', 'b'], 'p2'), page([], 'p3'), page(['c'], null)]);
    expect(await names(client)).toEqual(['a', 'b', 'c']);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v1/customers?limit=2',
      '/api/v1/customers?limit=2&cursor=p2',
      '/api/v1/customers?limit=2&cursor=p3',
    ]);
  });

  test('are fetched only as far as one looks', async () => {
    const client = await clientOf([page(['a', 'b'], 'p2')]);
    for await (const { name } of client.customers.all()) if (name === 'b') break;
    expect(service.requests).toHaveLength(1);
  });

  test('that name the same page for ever end with an error', async () => {
    const client = await clientOf([page(['a'], 'p2')]);
    await expect(names(client)).rejects.toMatchObject({ code: 'unexpected_answer' });
    expect(service.requests).toHaveLength(2);
  });
});

describe('a path is never another endpoint’s', () => {
  test.each(['', '.', '..', '\u0000', '\ud800'])(
    'a customer called %j is refused before sending',
    async name => {
      const client = await clientOf([{ status: 204 }]);
      await expect(client.customers.delete(name)).rejects.toMatchObject({
        code: 'malformed_request',
        errors: expect.arrayContaining([expect.objectContaining({ path: 'name' })]),
      });
      expect(service.tokenRequests).toHaveLength(0);
    },
  );

  test.each(['', '../customers', 'abc'])('a connector id %j is refused before sending', async bad => {
    const client = await clientOf([empty]);
    await expect(client.connectors.get(bad)).rejects.toMatchObject({
      code: 'malformed_request',
      errors: [{ path: 'id', message: 'This is not a UUID' }],
    });
    expect(service.tokenRequests).toHaveLength(0);
  });

  test('a body that contains itself is refused before sending', async () => {
    const client = await clientOf([empty]);
    const params: Record<string, unknown> = {};
    params['self'] = params;
    await expect(client.execute(id, { ...list, params })).rejects.toMatchObject({
      code: 'malformed_request',
    });
  });
});

describe('for one customer', () => {
  const scoped = (count: number) => ({
    json: { token: `scoped-${count}`, token_type: 'bearer', expires_in: 1200, customer_name: 'acme' },
  });

  test('a scoped token is minted once, used, and renewed on a 401', async () => {
    let minted = 0;
    service = await startService(({ path, headers }) => {
      if (path.endsWith('/scoped-token')) return scoped((minted += 1));
      return headers.authorization === 'Bearer scoped-1' ? problem('token_expired') : empty;
    });
    const acme = createClient({ ...application, baseUrl: service.baseUrl }).forCustomer('acme', {
      allowed_actions: ['list', 'get'],
      allowed_sources: ['granola'],
    });
    await Promise.all(Array.from({ length: 20 }, () => acme.execute(id, list)));
    expect(minted).toBe(2);
    const [mint] = service.requests;
    expect(mint?.headers.authorization).toBe('Bearer app-1');
    expect(JSON.parse(mint?.body ?? '')).toEqual({
      customer_name: 'acme',
      allowed_actions: ['list', 'get'],
      allowed_sources: ['granola'],
    });
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer scoped-2');
  });

  test('a ready token is used as it is; its 401 is the answer', async () => {
    service = await startService(() => problem('token_expired'));
    const acme = createCustomerClient({ baseUrl: service.baseUrl, token: 'scoped-1' });
    await expect(acme.execute(id, list)).rejects.toMatchObject({ code: 'token_expired' });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer scoped-1']);
    expect(service.tokenRequests).toHaveLength(0);
  });
});

describe('a raw request', () => {
  const path = '/api/v1/integrations/connectors?limit=1';

  test('gives status, headers and body unread, errors too', async () => {
    const client = await clientOf([{ status: 503, headers: { 'retry-after': '9' }, body: 'busy' }]);
    const answer = await client.send({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('9');
    expect(await text(answer.body)).toBe('busy');
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
  });

  test('is sent again with another token after a 401, body and all', async () => {
    const client = await clientOf([problem('token_expired'), empty]);
    const body = Buffer.from('{"entity":"notes"}');
    const answer = await client.send({ method: 'POST', path, body });
    expect(await text(answer.body)).toBe(stringifyJson(empty.json));
    expect(service.requests.map(seen => [seen.headers.authorization, seen.body])).toEqual([
      ['Bearer app-1', '{"entity":"notes"}'],
      ['Bearer app-2', '{"entity":"notes"}'],
    ]);
  });

  test('cannot bring its own token', async () => {
    const client = await clientOf([empty]);
    const answer = await client.send({ method: 'GET', path, headers: { authorization: 'Bearer stolen' } });
    await answer.body.resume().toArray();
    expect(service.requests[0]?.headers.authorization).toBe('Bearer app-1');
  });

  test('has as much time for its body as the caller gives', async () => {
    const clock = new TestClock();
    service = await startService(({ response }) => {
      response.write('first,');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock, timeoutMs: 5_000 });
    const answer = await client.send({ method: 'GET', path });
    clock.advance(3_600_000);
    service.requests[0]?.response.end('second');
    expect(await text(answer.body)).toBe('first,second');
  });

  test('ends when the caller gives up in the middle of the body', async () => {
    service = await startService(({ response }) => {
      response.write('first,');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    const caller = new AbortController();
    const answer = await client.send({ method: 'GET', path }, { signal: caller.signal });
    const reading = text(answer.body);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});

test('sends the organization and the user agent, below the base URL’s path, over the dispatcher', async () => {
  const dispatched: string[] = [];
  const dispatcher = new Agent().compose(dispatch => (options, handler) => {
    dispatched.push(options.path);
    return dispatch(options, handler);
  });
  service = await startService(() => empty);
  const client = createCustomerClient({
    baseUrl: `${service.baseUrl}/connectors/`,
    token: 'scoped-1',
    organizationId,
    userAgent: 'acme-crm/7',
    dispatcher,
  });
  await client.execute(id, list);
  const path = `/connectors/api/v1/integrations/connectors/${id}/execute`;
  expect(service.requests[0]).toMatchObject({
    path,
    headers: { 'x-organization-id': organizationId, 'user-agent': 'acme-crm/7 connector-auth-client' },
  });
  expect(dispatched).toEqual([path]);
  await dispatcher.close();
});

test('secrets are not to be seen in a client or in its errors', async () => {
  service = await startService(() => 'drop');
  const client = createClient({ ...application, baseUrl: service.baseUrl, clock: new TestClock(9_000) });
  const error = await client.execute(id, list).catch((reason: unknown) => reason);
  const seen = inspect({ client, error }, { depth: null, showHidden: true });
  expect(seen).not.toContain(application.clientSecret);
  expect(seen).not.toContain('app-1');
});
