import type { ConnectorAuthError } from '@connector-auth/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { FakeService } from '../test/fake-service.ts';
import {
  clientSecret,
  execute,
  executePath,
  id,
  json,
  list,
  pageOrigin,
  startHost,
  type HostApp,
} from '../test/host-app.ts';

let service: FakeService;
let host: HostApp;
beforeEach(async () => {
  service = await new FakeService().start();
});

describe('POST /widget-token', () => {
  test('returns a token for the signed-in customer and the page’s origin, and the service URL', async () => {
    host = await startHost(service);
    const response = await host.fetch('POST', '/widget-token');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await response.body.json()).toEqual({
      token: 'widget-acme-1',
      expires_in: 1200,
      service_url: service.baseUrl,
    });
    const [mint] = service.widgetTokenRequests;
    expect(mint?.headers.authorization).toBe('Bearer app-1');
    expect(JSON.parse(mint?.body ?? '')).toEqual({ customer_name: 'acme', allowed_origin: pageOrigin });
  });

  test('passes the display name of the customer on', async () => {
    host = await startHost(service, { resolveCustomer: () => ({ name: 'acme', displayName: 'Acme Inc.' }) });
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(200);
    expect(JSON.parse(service.widgetTokenRequests[0]?.body ?? '')).toEqual({
      customer_name: 'acme',
      customer_display_name: 'Acme Inc.',
      allowed_origin: pageOrigin,
    });
  });

  test('binds the token to the origin of the request, not to another allowed origin', async () => {
    host = await startHost(service);
    await host.fetch('POST', '/widget-token', { headers: { origin: 'http://localhost:5173' } });
    expect(JSON.parse(service.widgetTokenRequests[0]?.body ?? '')).toMatchObject({
      allowed_origin: 'http://localhost:5173',
    });
  });

  test('returns serviceUrl if it differs from baseUrl', async () => {
    host = await startHost(service, { serviceUrl: 'https://connectors.example.com/' });
    const response = await host.fetch('POST', '/widget-token');
    expect(await response.body.json()).toMatchObject({ service_url: 'https://connectors.example.com' });
  });

  test('mints tokens with the configured actions, rights, data, sources, access and default settings', async () => {
    host = await startHost(service, {
      allowedActions: ['list', 'update'],
      allowedManagement: ['create', 'reconnect'],
      allowedData: ['private_fields'],
      allowedSources: ['granola'],
      access: 'read',
      replicationDefaults: { 'google-ads': { conversion_window_days: 30 } },
    });
    await host.fetch('POST', '/widget-token');
    expect(JSON.parse(service.widgetTokenRequests[0]?.body ?? '')).toMatchObject({
      allowed_actions: ['list', 'update'],
      allowed_management: ['create', 'reconnect'],
      allowed_data: ['private_fields'],
      allowed_sources: ['granola'],
      access: 'read',
      replication_defaults: { 'google-ads': { conversion_window_days: 30 } },
    });
  });

  test('reports default settings that the service rejects to the operator, because no user can repair them', async () => {
    const problems: ConnectorAuthError[] = [];
    host = await startHost(service, {
      replicationDefaults: { granola: { depth: 99 } },
      onError: problem => problems.push(problem),
    });
    service.rejectedDefault = 'replication_defaults.granola.depth';
    const response = await host.fetch('POST', '/widget-token');
    expect(response.statusCode).toBe(500);
    expect(await response.body.json()).toMatchObject({ code: 'backend_misconfigured', request_id: 'req-1' });
    expect(problems.map(({ message }) => message)).toEqual([
      'The service rejected the replicationDefaults passed to connectorAuth(): replication_defaults.granola.depth: Too large',
    ]);
    service.rejectedDefault = 'allowed_sources.0';
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(422);
  });

  test('renews the application token once after a 401', async () => {
    host = await startHost(service);
    service.rejectedTokens.add('app-1');
    const response = await host.fetch('POST', '/widget-token');
    expect(response.statusCode).toBe(200);
    expect(service.widgetTokenRequests[0]?.headers.authorization).toBe('Bearer app-2');
  });

  test('requests one application token when many pages load at once', async () => {
    host = await startHost(service);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => host.fetch('POST', '/widget-token')),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(service.applicationTokenRequests).toHaveLength(1);
  });
});

describe('customer of a request', () => {
  const evil = 'customer_name=evil&customer=evil&resolveCustomer=evil';

  test('the browser cannot choose the customer of a widget token through the body, query or headers', async () => {
    host = await startHost(service);
    const response = await host.fetch('POST', `/widget-token?${evil}`, {
      headers: {
        ...json,
        'x-customer-name': 'evil',
        'x-organization-id': 'evil',
        authorization: 'Bearer evil',
      },
      body: JSON.stringify({ customer_name: 'evil', allowed_origin: 'https://evil.example' }),
    });
    expect(await response.body.json()).toMatchObject({ token: 'widget-acme-1' });
    const [mint] = service.widgetTokenRequests;
    expect(JSON.stringify(mint)).not.toContain('evil');
  });

  test('execute does not forward the browser’s headers, cookies or query', async () => {
    host = await startHost(service);
    await execute(host, {
      headers: { 'x-organization-id': 'evil', authorization: 'Bearer evil', 'x-evil': 'evil' },
    });
    const response = await host.fetch('POST', `${executePath}?${evil}`, { headers: json, body: list });
    expect(response.statusCode).toBe(200);
    for (const seen of service.requests) {
      expect(seen.headers.authorization).toBe('Bearer scoped-acme-1');
      expect(seen.headers.cookie).toBeUndefined();
      expect(JSON.stringify(seen)).not.toContain('evil');
    }
  });

  test('the browser cannot choose the customer whose connectors are listed', async () => {
    host = await startHost(service);
    const response = await host.fetch('GET', '/connectors?customer_name=evil');
    expect(response.statusCode).toBe(400);
    expect(await response.body.json()).toMatchObject({
      code: 'malformed_request',
      errors: [{ path: 'customer_name' }],
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe('resolveCustomer', () => {
  const signedOut = { headers: { cookie: undefined } };

  test.each([
    ['POST', '/widget-token'],
    ['GET', '/connectors'],
    ['GET', `/connectors/${id}`],
    ['DELETE', `/connectors/${id}`],
    ['POST', executePath],
  ] as const)(
    'rejects %s %s without a signed-in user with 401 `not_signed_in` and does not call the service',
    async (method, path) => {
      host = await startHost(service);
      const response = await host.fetch(method, path, signedOut);
      expect(response.statusCode).toBe(401);
      expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(await response.body.json()).toMatchObject({ code: 'not_signed_in', status: 401 });
      expect(service.applicationTokenRequests).toHaveLength(0);
    },
  );

  test('accepts an asynchronous resolveCustomer that returns undefined', async () => {
    host = await startHost(service, { resolveCustomer: () => Promise.resolve(undefined) });
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(401);
  });

  test("passes errors thrown by resolveCustomer to the app's error handler", async () => {
    host = await startHost(service, {
      resolveCustomer: () => Promise.reject(new Error('session store is down')),
    });
    const response = await host.fetch('POST', '/widget-token');
    expect(await response.body.text()).toBe('the app’s own error page');
    expect(host.errors).toEqual([new Error('session store is down')]);
  });

  test.each([
    ['an empty name', ''],
    ['a number', 7],
    ['an object', {}],
  ])('treats resolveCustomer returning %s as an error in the app', async (_what, customer) => {
    // Callers in plain JavaScript can pass any value.
    host = await startHost(service, { resolveCustomer: () => customer as string });
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(500);
    expect(host.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('resolveCustomer') }),
    ]);
    expect(service.applicationTokenRequests).toHaveLength(0);
  });
});

describe('scoped tokens', () => {
  test('mints one scoped token per customer for concurrent calls', async () => {
    host = await startHost(service);
    const calls = ['acme', 'globex'].flatMap(customer =>
      Array.from({ length: 25 }, () => execute(host, { headers: { cookie: `customer=${customer}` } })),
    );
    expect((await Promise.all(calls)).every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(service.scopedTokenRequests).toHaveLength(2);
    expect(service.applicationTokenRequests).toHaveLength(1);
    const tokens = new Set(service.requests.map(({ headers }) => headers.authorization?.replace(/-\d$/, '')));
    expect(tokens).toEqual(new Set(['Bearer scoped-acme', 'Bearer scoped-globex']));
  });

  test('renews a scoped token after a 401 and sends the same body again', async () => {
    host = await startHost(service);
    service.rejectedTokens.add('scoped-acme-1');
    const response = await execute(host);
    expect(response.statusCode).toBe(200);
    expect(service.requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ['Bearer scoped-acme-1', list],
      ['Bearer scoped-acme-2', list],
    ]);
  });

  test('renews a scoped token before it expires', async () => {
    let now = 0;
    const never = () => new Promise<void>(() => {});
    host = await startHost(service, { clock: { now: () => now, sleep: never } });
    await execute(host);
    now = 1_200_000;
    await execute(host);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer scoped-acme-1',
      'Bearer scoped-acme-2',
    ]);
  });

  test('responds with 500, not 401, if the service keeps rejecting the scoped token', async () => {
    host = await startHost(service);
    service.rejectedTokens.add('scoped-acme-1').add('scoped-acme-2');
    const response = await execute(host);
    expect(response.statusCode).toBe(500);
    expect(await response.body.json()).toMatchObject({ code: 'backend_misconfigured', request_id: 'req-1' });
  });
});

test('responds with 500 to an invalid client secret and names the option but not its value', async () => {
  host = await startHost(service);
  service.rejectsApplication = true;
  for (const [method, path] of [
    ['POST', '/widget-token'],
    ['POST', executePath],
  ] as const) {
    const response = await host.fetch(method, path);
    expect(response.statusCode).toBe(500);
    const body = await response.body.text();
    expect(body).toContain('clientSecret');
    expect(body).not.toContain(clientSecret);
  }
});

describe('service failures', () => {
  test('responds with 503 if the service is down', async () => {
    const minuteMs = 60_000;
    const sleep = (ms: number) => (ms < minuteMs ? Promise.resolve() : new Promise<void>(() => {}));
    host = await startHost(service, { clock: { now: () => 0, sleep } });
    await service.stop();
    for (const [method, path] of [
      ['POST', '/widget-token'],
      ['GET', '/connectors'],
      ['POST', executePath],
    ] as const) {
      const response = await host.fetch(method, path);
      expect(response.statusCode).toBe(503);
      expect(await response.body.json()).toMatchObject({ code: 'unreachable' });
    }
  });

  test('aborts the response if the service disconnects in the middle of it', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' }).write('{"result":');
      setImmediate(() => response.destroy());
    };
    const response = await execute(host);
    await expect(response.body.text()).rejects.toThrow();
    expect(host.errors).toEqual([]);
  });

  test('responds with 504 if the service does not respond in time', async () => {
    const waits: (() => void)[] = [];
    const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => waits.push(resolve)) };
    host = await startHost(service, { clock, timeoutMs: 5_000 });
    service.respond = () => {};
    const pending = execute(host);
    await service.received(1);
    for (const end of waits) end();
    const response = await pending;
    expect(response.statusCode).toBe(504);
    expect(await response.body.json()).toMatchObject({ code: 'timeout' });
  });
});

describe('routes', () => {
  test.each([
    ['GET', '/widget-token', 'POST, OPTIONS'],
    ['POST', '/connectors', 'GET, OPTIONS'],
    ['DELETE', executePath, 'POST, OPTIONS'],
    ['POST', `/connectors/${id}`, 'GET, DELETE, OPTIONS'],
  ] as const)('rejects %s %s with 405 and the allowed methods', async (method, path, allow) => {
    host = await startHost(service);
    const response = await host.fetch(method, path);
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe(allow);
    expect(await response.body.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  test.each([
    ['POST', '/'],
    ['POST', '/nested/widget-token'],
    ['TRACE', '/widget-token'],
    ['POST', `/connectors/${id}/check`],
  ] as const)('%s %s is passed to the app', async (method, path) => {
    host = await startHost(service, {}, app => {
      app.use((_request, response, next) => {
        response.set('X-App', 'yes');
        next();
      });
    });
    const response = await host.fetch(method, path);
    expect(response.statusCode).toBe(404);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(service.requests).toHaveLength(0);
  });
});
