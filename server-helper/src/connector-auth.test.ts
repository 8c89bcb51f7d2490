import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeService, problem } from '../test/fake-service.ts';
import { clientSecret, HostApp, pageOrigin, type PageRequest } from '../test/host-app.ts';
import type { ConnectorAuthOptions } from './index.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const executePath = `/connectors/${id}/execute`;
const list = JSON.stringify({ entity: 'notes', action: 'list' });
const json = { 'content-type': 'application/json' };

let service: FakeService;
let host: HostApp;
beforeEach(async () => {
  service = await new FakeService().start();
});
afterEach(async () => {
  await host.stop();
  await service.stop();
});

async function startHost(
  options: Partial<ConnectorAuthOptions> = {},
  prepare?: (app: express.Express) => void,
): Promise<void> {
  host = await HostApp.start({ baseUrl: service.baseUrl, ...options }, prepare);
}

async function execute(options: PageRequest = {}) {
  return host.fetch('POST', executePath, {
    body: list,
    ...options,
    headers: { ...json, ...options.headers },
  });
}

describe('POST /widget-token', () => {
  test('answers a token for the signed-in customer and the page’s origin, and where the service is', async () => {
    await startHost();
    const answer = await host.fetch('POST', '/widget-token');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await answer.body.json()).toEqual({
      token: 'widget-acme-1',
      expires_in: 1200,
      service_url: service.baseUrl,
    });
    const [mint] = service.widgetTokenRequests;
    expect(mint?.headers.authorization).toBe('Bearer app-1');
    expect(JSON.parse(mint?.body ?? '')).toEqual({ customer_name: 'acme', allowed_origin: pageOrigin });
  });

  test('binds the token to the origin that asks, not to another one of the list', async () => {
    await startHost();
    await host.fetch('POST', '/widget-token', { headers: { origin: 'http://localhost:5173' } });
    expect(JSON.parse(service.widgetTokenRequests[0]?.body ?? '')).toMatchObject({
      allowed_origin: 'http://localhost:5173',
    });
  });

  test('tells browsers another address of the service where it has one', async () => {
    await startHost({ serviceUrl: 'https://connectors.example.com/' });
    const answer = await host.fetch('POST', '/widget-token');
    expect(await answer.body.json()).toMatchObject({ service_url: 'https://connectors.example.com' });
  });

  test('passes the limits of the token on', async () => {
    await startHost({ allowedActions: ['list', 'update'], allowedSources: ['granola'] });
    await host.fetch('POST', '/widget-token');
    expect(JSON.parse(service.widgetTokenRequests[0]?.body ?? '')).toMatchObject({
      allowed_actions: ['list', 'update'],
      allowed_sources: ['granola'],
    });
  });

  test('renews the application token once on a 401', async () => {
    await startHost();
    service.refusedTokens.add('app-1');
    const answer = await host.fetch('POST', '/widget-token');
    expect(answer.statusCode).toBe(200);
    expect(service.widgetTokenRequests[0]?.headers.authorization).toBe('Bearer app-2');
  });

  test('asks for one application token however many pages load at once', async () => {
    await startHost();
    const answers = await Promise.all(Array.from({ length: 50 }, () => host.fetch('POST', '/widget-token')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(service.applicationTokenRequests).toHaveLength(1);
  });
});

describe('the browser cannot choose the customer', () => {
  const evil = 'customer_name=evil&customer=evil&resolveCustomer=evil';

  test('not for a widget token: by body, query or header', async () => {
    await startHost();
    const answer = await host.fetch('POST', `/widget-token?${evil}`, {
      headers: {
        ...json,
        'x-customer-name': 'evil',
        'x-organization-id': 'evil',
        authorization: 'Bearer evil',
      },
      body: JSON.stringify({ customer_name: 'evil', allowed_origin: 'https://evil.example' }),
    });
    expect(await answer.body.json()).toMatchObject({ token: 'widget-acme-1' });
    const [mint] = service.widgetTokenRequests;
    expect(JSON.stringify(mint)).not.toContain('evil');
  });

  test('not for execute: no header, cookie or query goes on', async () => {
    await startHost();
    await execute({
      headers: { 'x-organization-id': 'evil', authorization: 'Bearer evil', 'x-evil': 'evil' },
    });
    const answer = await host.fetch('POST', `${executePath}?${evil}`, { headers: json, body: list });
    expect(answer.statusCode).toBe(200);
    for (const seen of service.requests) {
      expect(seen.headers.authorization).toBe('Bearer scoped-acme-1');
      expect(seen.headers.cookie).toBeUndefined();
      expect(JSON.stringify(seen)).not.toContain('evil');
    }
  });

  test('not for the list of connectors', async () => {
    await startHost();
    const answer = await host.fetch('GET', '/connectors?customer_name=evil');
    expect(answer.statusCode).toBe(400);
    expect(await answer.body.json()).toMatchObject({
      code: 'malformed_request',
      errors: [{ path: 'customer_name' }],
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe('who is signed in', () => {
  const nobody = { headers: { cookie: undefined } };

  test.each([
    ['POST', '/widget-token'],
    ['GET', '/connectors'],
    ['POST', executePath],
  ] as const)(
    '%s %s without anybody is 401 `not_signed_in`, and the service is not asked',
    async (method, path) => {
      await startHost();
      const answer = await host.fetch(method, path, nobody);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(await answer.body.json()).toMatchObject({ code: 'not_signed_in', status: 401 });
      expect(service.applicationTokenRequests).toHaveLength(0);
    },
  );

  test('may be found out asynchronously, and may be undefined', async () => {
    await startHost({ resolveCustomer: () => Promise.resolve(undefined) });
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(401);
  });

  test('what resolveCustomer throws goes to the app’s own error handler', async () => {
    await startHost({ resolveCustomer: () => Promise.reject(new Error('session store is down')) });
    const answer = await host.fetch('POST', '/widget-token');
    expect(await answer.body.text()).toBe('the app’s own error page');
    expect(host.errors).toEqual([new Error('session store is down')]);
  });

  test.each([
    ['an empty name', ''],
    ['a number', 7],
    ['an object', {}],
  ])('%s is a mistake of the app', async (_what, customer) => {
    // Callers in plain JavaScript are not held back by the types.
    await startHost({ resolveCustomer: () => customer as string });
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(500);
    expect(host.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('resolveCustomer') }),
    ]);
    expect(service.applicationTokenRequests).toHaveLength(0);
  });
});

describe('the origin of a request', () => {
  const routes = [
    ['POST', '/widget-token'],
    ['GET', '/connectors'],
    ['POST', executePath],
  ] as const;

  test.each(routes)(
    '%s %s from a listed origin may be read by that page, with credentials',
    async (method, path) => {
      await startHost();
      const answer = await host.fetch(method, path);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': pageOrigin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After, X-Request-Id',
        vary: 'Origin',
      });
    },
  );

  test.each(routes)('%s %s from anywhere else is 403 and readable by nobody', async (method, path) => {
    await startHost();
    for (const origin of [
      'https://evil.example',
      'https://app.example.com.evil.example',
      'https://app.example.com:8443',
      'http://app.example.com',
      'https://APP.example.com',
      'null',
      '',
    ]) {
      const answer = await host.fetch(method, path, { headers: { origin } });
      expect(answer.statusCode, origin).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers.vary).toBe('Origin');
      expect(await answer.body.json()).toMatchObject({ code: 'origin_not_allowed' });
    }
    expect(service.requests).toHaveLength(0);
    expect(service.widgetTokenRequests).toHaveLength(0);
  });

  test.each([
    ['POST', '/widget-token'],
    ['POST', executePath],
  ] as const)('%s %s without one is 403, whatever Sec-Fetch-Site says', async (method, path) => {
    await startHost();
    for (const site of [undefined, 'same-origin', 'none', 'cross-site']) {
      const answer = await host.fetch(method, path, {
        headers: { origin: undefined, 'sec-fetch-site': site },
      });
      expect(answer.statusCode, site).toBe(403);
    }
  });

  test.each([
    [undefined, 200],
    ['same-origin', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['none', 403],
  ])('GET /connectors without one and Sec-Fetch-Site %s is %i', async (site, status) => {
    await startHost();
    const headers = { origin: undefined, 'sec-fetch-site': site };
    expect((await host.fetch('GET', '/connectors', { headers })).statusCode).toBe(status);
  });

  test('of a preflight: listed ones learn what they may send', async () => {
    await startHost();
    const answer = await host.fetch('OPTIONS', executePath, {
      headers: { cookie: undefined, 'access-control-request-method': 'POST' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': pageOrigin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Content-Type',
      vary: 'Origin',
    });
  });

  test('of a preflight: others learn nothing', async () => {
    await startHost();
    const answer = await host.fetch('OPTIONS', executePath, { headers: { origin: 'https://evil.example' } });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is readable on errors too', async () => {
    await startHost();
    const answer = await host.fetch('POST', '/widget-token', { headers: { cookie: undefined } });
    expect(answer.headers['access-control-allow-origin']).toBe(pageOrigin);
  });
});

describe('GET /connectors', () => {
  test('is the service’s own answer for the customer’s scoped token, page by page', async () => {
    await startHost();
    service.answer = (_request, response) => {
      response.writeHead(200, json).end('{"data":[],"meta":{"cursor":null,"has_more":false}}');
    };
    const answer = await host.fetch('GET', '/connectors?limit=2&cursor=a%2Fb&connector_type=granola');
    expect(await answer.body.text()).toBe('{"data":[],"meta":{"cursor":null,"has_more":false}}');
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/integrations/connectors?limit=2&cursor=a%2Fb&connector_type=granola',
      headers: { authorization: 'Bearer scoped-acme-1' },
    });
  });
});

describe('POST /connectors/:id/execute', () => {
  test('passes the body on byte by byte', async () => {
    await startHost();
    const body = '{ "entity":"ads","action":"list", "params":{"id": 1234567890123456789} }\n';
    await execute({ body });
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: `/api/v1/integrations/connectors/${id}/execute`,
      body,
    });
    expect(service.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('passes the answer back byte by byte', async () => {
    await startHost();
    const body = '{ "result" : [{"id": 9223372036854775807, "name":"é"}],\n"connector_metadata":null}';
    service.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    };
    const answer = await execute();
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await answer.body.text()).toBe(body);
  });

  test('passes the answer back while it still comes', async () => {
    await startHost();
    let finish = () => {};
    service.answer = (_request, response) => {
      response.writeHead(200, json).write('{"result":');
      finish = () => response.end('[]}');
    };
    const answer = await execute();
    const chunks = answer.body[Symbol.asyncIterator]();
    const readChunk = async () => String((await chunks.next()).value);
    expect(await readChunk()).toBe('{"result":');
    finish();
    expect(await readChunk()).toBe('[]}');
  });

  test('passes problems of the service back as they are', async () => {
    await startHost();
    service.answer = (_request, response) =>
      problem(response, 429, 'vendor_rate_limited', { 'retry-after': '7' });
    const answer = await execute();
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '7',
      'x-request-id': 'req-1',
    });
    expect(await answer.body.json()).toMatchObject({ code: 'vendor_rate_limited', request_id: 'req-1' });
    expect(service.requests).toHaveLength(1);
  });

  test('lets a compressed answer through compressed', async () => {
    await startHost();
    service.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8, 0]));
    };
    const answer = await execute({ headers: { 'accept-encoding': 'gzip' } });
    expect(service.requests[0]?.headers['accept-encoding']).toBe('gzip');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(new Uint8Array(await answer.body.arrayBuffer())).toEqual(new Uint8Array([31, 139, 8, 0]));
  });

  test('drops headers of the connection, cookies and policies of the service', async () => {
    await startHost();
    service.answer = (_request, response) => {
      response
        .writeHead(200, {
          ...json,
          connection: 'keep-alive, x-hop',
          'keep-alive': 'timeout=77',
          'x-hop': '1',
          'proxy-authenticate': 'Basic',
          'set-cookie': 'a=b',
          server: 'secret/1.0',
          'content-security-policy': "default-src 'none'",
          'access-control-allow-origin': '*',
        })
        .end('{}');
    };
    const { headers } = await execute();
    expect(headers['access-control-allow-origin']).toBe(pageOrigin);
    expect(headers['keep-alive']).not.toBe('timeout=77');
    for (const name of ['x-hop', 'proxy-authenticate', 'set-cookie', 'server', 'content-security-policy']) {
      expect(headers[name], name).toBeUndefined();
    }
  });

  test.each(['abc', '..%2F..%2Fcustomers', `${id}x`, '%252e', `${id}%2F..%2F..`])(
    'refuses the id %s before anything is sent',
    async bad => {
      await startHost();
      const answer = await host.fetch('POST', `/connectors/${bad}/execute`, { headers: json, body: list });
      expect(answer.statusCode).toBe(400);
      expect(await answer.body.json()).toMatchObject({ code: 'malformed_request', errors: [{ path: 'id' }] });
      expect(service.applicationTokenRequests).toHaveLength(0);
    },
  );

  test('asks for tokens that only read, unless told otherwise', async () => {
    await startHost();
    await execute();
    // Without a list the service grants the reading actions.
    expect(JSON.parse(service.scopedTokenRequests[0]?.body ?? '')).toEqual({ customer_name: 'acme' });
    await host.stop();
    await startHost({ allowedActions: ['list', 'create'], allowedSources: ['granola'] });
    await execute();
    expect(JSON.parse(service.scopedTokenRequests[1]?.body ?? '')).toEqual({
      customer_name: 'acme',
      allowed_actions: ['list', 'create'],
      allowed_sources: ['granola'],
    });
  });
});

describe('the size of a body', () => {
  const megabyte = 1024 * 1024;

  test('may be exactly 1 MiB', async () => {
    await startHost();
    const body = 'x'.repeat(megabyte);
    expect((await execute({ body })).statusCode).toBe(200);
    expect(service.requests[0]?.body.length).toBe(megabyte);
  });

  test.each([
    ['announced', () => Buffer.alloc(megabyte + 1)],
    ['not announced', () => Readable.from(Array.from({ length: 17 }, () => Buffer.alloc(65_536)))],
  ])('beyond 1 MiB, %s, is 413 and goes nowhere', async (_how, body) => {
    await startHost();
    const answer = await execute({ body: body() });
    expect(answer.statusCode).toBe(413);
    expect(await answer.body.json()).toMatchObject({ code: 'body_too_large' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('a body parser that ran before', () => {
  test('is reported as a mistake of the app, in words that help', async () => {
    await startHost({}, app => app.use(express.json()));
    const answer = await execute();
    expect(answer.statusCode).toBe(500);
    expect(await answer.body.json()).toMatchObject({
      code: 'internal_error',
      detail: expect.stringContaining('before express.json()'),
    });
    expect(service.requests).toHaveLength(0);
  });

  test('that left no trace but an empty stream is noticed too', async () => {
    await startHost({}, app => {
      app.use(async (request, _response, next) => {
        await text(request);
        next();
      });
    });
    expect((await execute()).statusCode).toBe(500);
  });

  test('does not matter where there is no body to read', async () => {
    await startHost({}, app => app.use(express.json()));
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(200);
    expect((await host.fetch('GET', '/connectors')).statusCode).toBe(200);
  });
});

describe('scoped tokens', () => {
  test('are minted once per customer, however many calls come at once', async () => {
    await startHost();
    const calls = ['acme', 'globex'].flatMap(customer =>
      Array.from({ length: 25 }, () => execute({ headers: { cookie: `customer=${customer}` } })),
    );
    expect((await Promise.all(calls)).every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(service.scopedTokenRequests).toHaveLength(2);
    expect(service.applicationTokenRequests).toHaveLength(1);
    const tokens = new Set(service.requests.map(({ headers }) => headers.authorization?.replace(/-\d$/, '')));
    expect(tokens).toEqual(new Set(['Bearer scoped-acme', 'Bearer scoped-globex']));
  });

  test('are renewed once on a 401, and the same body is sent again', async () => {
    await startHost();
    service.refusedTokens.add('scoped-acme-1');
    const answer = await execute();
    expect(answer.statusCode).toBe(200);
    expect(service.requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ['Bearer scoped-acme-1', list],
      ['Bearer scoped-acme-2', list],
    ]);
  });

  test('are renewed before they expire', async () => {
    let now = 0;
    const never = () => new Promise<void>(() => {});
    await startHost({ clock: { now: () => now, wait: never } });
    await execute();
    now = 1_200_000;
    await execute();
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer scoped-acme-1',
      'Bearer scoped-acme-2',
    ]);
  });

  test('that the service keeps refusing are our fault, not the person’s: never a 401', async () => {
    await startHost();
    service.refusedTokens.add('scoped-acme-1').add('scoped-acme-2');
    const answer = await execute();
    expect(answer.statusCode).toBe(500);
    expect(await answer.body.json()).toMatchObject({ code: 'internal_error', request_id: 'req-1' });
  });
});

test('a wrong client secret is a 500 that names it, and never shows it', async () => {
  await startHost();
  service.refusesApplication = true;
  for (const [method, path] of [
    ['POST', '/widget-token'],
    ['POST', executePath],
  ] as const) {
    const answer = await host.fetch(method, path);
    expect(answer.statusCode).toBe(500);
    const body = await answer.body.text();
    expect(body).toContain('clientSecret');
    expect(body).not.toContain(clientSecret);
  }
});

describe('a service that is down', () => {
  test('is a 503 problem', async () => {
    const minuteMs = 60_000;
    const wait = (ms: number) => (ms < minuteMs ? Promise.resolve() : new Promise<void>(() => {}));
    await startHost({ clock: { now: () => 0, wait } });
    await service.stop();
    for (const [method, path] of [
      ['POST', '/widget-token'],
      ['GET', '/connectors'],
      ['POST', executePath],
    ] as const) {
      const answer = await host.fetch(method, path);
      expect(answer.statusCode).toBe(503);
      expect(await answer.body.json()).toMatchObject({ code: 'unreachable' });
    }
  });

  test('in the middle of an answer breaks the answer off', async () => {
    await startHost();
    service.answer = (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' }).write('{"result":');
      setImmediate(() => response.destroy());
    };
    const answer = await execute();
    await expect(answer.body.text()).rejects.toThrow();
    expect(host.errors).toEqual([]);
  });

  test('that never answers is a 504 problem when the time is up', async () => {
    const waits: (() => void)[] = [];
    const clock = { now: () => 0, wait: () => new Promise<void>(resolve => waits.push(resolve)) };
    await startHost({ clock, timeoutMs: 5_000 });
    service.answer = () => {};
    const answering = execute();
    await service.received(1);
    for (const end of waits) end();
    const answer = await answering;
    expect(answer.statusCode).toBe(504);
    expect(await answer.body.json()).toMatchObject({ code: 'timeout' });
  });
});

describe('a browser that leaves', () => {
  test('before the answer comes ends the call to the service', async () => {
    await startHost();
    const closed = new Promise<void>(resolve => {
      service.answer = (_request, response) => response.once('close', resolve);
    });
    const browser = new AbortController();
    const call = execute({ signal: browser.signal });
    await service.received(1);
    browser.abort();
    await expect(call).rejects.toThrow();
    await closed;
    expect(host.errors).toEqual([]);
  });

  test('in the middle of an answer ends it too', async () => {
    await startHost();
    const closed = new Promise<void>(resolve => {
      service.answer = (_request, response) => {
        response.writeHead(200, json).write('{"result":');
        response.once('close', resolve);
      };
    });
    const browser = new AbortController();
    const answer = await execute({ signal: browser.signal });
    const reading = answer.body.text();
    browser.abort();
    await expect(reading).rejects.toThrow();
    await closed;
    expect(host.errors).toEqual([]);
  });

  test('in the middle of its own request disturbs nobody', async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await startHost({
      resolveCustomer({ res }) {
        res?.once('close', () => left.resolve());
        arrived.resolve();
        return 'acme';
      },
    });
    const { hostname, port } = new URL(host.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /connector-auth${executePath} HTTP/1.1\r\nHost: x\r\nOrigin: ${pageOrigin}\r\n`;
    socket.write(`${head}Content-Length: 100\r\n\r\n{"half":`);
    await arrived.promise;
    socket.destroy();
    await left.promise;
    expect((await execute()).statusCode).toBe(200);
    expect(service.requests).toHaveLength(1);
    expect(host.errors).toEqual([]);
  });
});

describe('routes', () => {
  test.each([
    ['GET', '/widget-token', 'POST, OPTIONS'],
    ['POST', '/connectors', 'GET, OPTIONS'],
    ['DELETE', executePath, 'POST, OPTIONS'],
  ] as const)('%s %s is 405', async (method, path, allow) => {
    await startHost();
    const answer = await host.fetch(method, path);
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(await answer.body.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  test.each([
    ['POST', '/'],
    ['DELETE', `/connectors/${id}`],
    ['POST', `/connectors/${id}/check`],
  ] as const)('%s %s is left to the app', async (method, path) => {
    await startHost({}, app => {
      app.use((_request, response, next) => {
        response.set('X-App', 'yes');
        next();
      });
    });
    const answer = await host.fetch(method, path);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(service.requests).toHaveLength(0);
  });
});
