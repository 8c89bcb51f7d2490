import { events } from '@connector-auth/api';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import type { Dispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeService, problem } from '../test/fake-service.ts';
import { executePath, id, json, list, pageOrigin, type PageRequest } from '../test/host-app.ts';
import {
  openServer,
  serverNames,
  startServer,
  type RunningServer,
  type ServerName,
} from '../test/servers.ts';
import type { ReceivedEvent } from './webhook.ts';

const isFull = process.env['TEST_FULL'] !== undefined;

/** What the tests change of the integrator's app, which is the same on all servers. */
const app = {
  resolveCustomer: vi.fn<(cookie: string | null) => Promise<string | null>>(),
  signInUrl: (returnTo: string) => `/login?next=${encodeURIComponent(returnTo)}`,
  onError: vi.fn<(problem: Error, cookie: string | null) => void>(),
  onToken: vi.fn(),
  webhookSecret: ['whsec_b2xk', 'whsec_bmV3'],
  onEvent: vi.fn<(event: ReceivedEvent) => Promise<void>>(),
};

let service: FakeService;
let servers: Readonly<Record<ServerName, RunningServer>>;
beforeAll(async () => {
  service = await new FakeService().listen();
  const options = { ...app, baseUrl: service.baseUrl };
  const opened = serverNames.map(async name => [name, await openServer(name, options)] as const);
  // Each name has its server.
  servers = Object.fromEntries(await Promise.all(opened)) as Record<ServerName, RunningServer>;
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
  await service.stop();
});

beforeEach(() => {
  service.reset();
  app.resolveCustomer.mockImplementation(cookie => Promise.resolve(cookie?.replace('customer=', '') ?? null));
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const mock of [app.resolveCustomer, app.onError, app.onEvent, app.onToken]) mock.mockReset();
});

describe.each(serverNames)('%s', name => {
  test('mints a widget token for the customer in the framework’s own request', async () => {
    const response = await servers[name].fetch('POST', '/widget-token', {
      headers: { cookie: 'customer=globex' },
    });
    expect(await response.body.json()).toMatchObject({ token: 'widget-globex-1' });
    expect(app.onToken.mock.calls).toEqual([[{ customer: 'globex', origin: pageOrigin }]]);
  });

  test('receives events that are signed with one of the secrets, and no others', async () => {
    const body = JSON.stringify({
      type: 'link.used',
      timestamp: '2026-11-20T09:30:00.000Z',
      data: events['link.used'].example,
    });
    const send = (secret: string, sent = body) => {
      const at = new Date();
      return servers[name].fetch('POST', '/events', {
        headers: {
          origin: undefined,
          'content-type': 'application/json',
          'webhook-id': 'one',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('one', at, body),
        },
        body: sent,
      });
    };
    for (const secret of app.webhookSecret) expect((await send(secret)).statusCode).toBe(204);
    const event = { id: 'one', ...JSON.parse(body) };
    expect(app.onEvent.mock.calls).toEqual([[event], [event]]);
    for (const rejected of [await send('whsec_b3RoZXI='), await send('whsec_bmV3', `${body} `)]) {
      expect(await rejected.body.json()).toMatchObject({ code: 'webhook_signature_invalid', status: 400 });
    }
    expect(app.onEvent).toHaveBeenCalledTimes(2);
    // The service sends it again.
    vi.spyOn(console, 'error').mockReturnValue();
    app.onEvent.mockRejectedValueOnce(new Error('The database is down'));
    expect((await send('whsec_bmV3')).statusCode).toBe(500);
  });

  test('responds with 500 if resolveCustomer rejects, and serves the next request', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const failure = new Error('session store is down');
    app.resolveCustomer.mockImplementation(cookie =>
      cookie === 'customer=acme' ? Promise.resolve('acme') : Promise.reject(failure),
    );
    const server = servers[name];
    for (const [method, path] of [
      ['POST', '/widget-token'],
      ['GET', '/connectors'],
      ['DELETE', `/connectors/${id}`],
      ['POST', executePath],
    ] as const) {
      const response = await server.fetch(method, path, { headers: { cookie: 'customer=globex' } });
      expect(response.statusCode).toBe(500);
      expect(response.headers['access-control-allow-origin']).toBe(pageOrigin);
      expect(await response.body.text()).not.toContain(failure.message);
    }
    const reported = expect.objectContaining({ code: 'internal_error', cause: failure });
    expect(app.onError.mock.calls).toEqual(Array.from({ length: 4 }, () => [reported, 'customer=globex']));
    expect(log).not.toHaveBeenCalled();
    expect((await server.fetch('POST', '/widget-token')).statusCode).toBe(200);
  });

  test('streams the response and cancels the call if the browser disconnects', async () => {
    const closed = Promise.withResolvers<void>();
    service.respond = (_request, response) => {
      response.writeHead(200, json).write('{"result":');
      response.once('close', closed.resolve);
    };
    const server = servers[name];
    const browser = new AbortController();
    const response = await server.fetch('POST', executePath, {
      headers: json,
      body: list,
      signal: browser.signal,
    });
    const chunks = response.body[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('{"result":');
    browser.abort();
    await expect(chunks.next()).rejects.toThrow();
    await closed.promise;
    expect(app.onError).not.toHaveBeenCalled();
  });

  test('cancels the call if the browser disconnects before the response', async () => {
    const closed = Promise.withResolvers<void>();
    service.respond = (_request, response) => response.once('close', closed.resolve);
    const server = servers[name];
    const browser = new AbortController();
    const call = server.fetch('POST', executePath, { headers: json, body: list, signal: browser.signal });
    await service.received(1);
    browser.abort();
    await expect(call).rejects.toThrow();
    await closed.promise;
    expect(app.onError).not.toHaveBeenCalled();
  });

  test('aborts the response if the service disconnects in the middle of it', async () => {
    service.respond = (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' }).write('{"result":');
      setImmediate(() => response.destroy());
    };
    vi.spyOn(console, 'error').mockReturnValue();
    const server = servers[name];
    const response = await server.fetch('POST', executePath, { headers: json, body: list });
    await expect(response.body.text()).rejects.toThrow();
    expect((await server.fetch('POST', '/widget-token')).statusCode).toBe(200);
  });

  test('forwards a body of 1 MiB byte for byte, and rejects a larger one', async () => {
    const server = servers[name];
    const body = 'x'.repeat(1024 * 1024);
    const accepted = await server.fetch('POST', executePath, { headers: json, body });
    expect([accepted.statusCode, service.requests[0]?.body === body]).toEqual([200, true]);
    const rejected = await server.fetch('POST', executePath, { headers: json, body: `${body}x` });
    expect(rejected.statusCode).toBe(413);
    expect(await rejected.body.json()).toMatchObject({ code: 'body_too_large' });
  });

  test('confirms a connect link, and returns here from the sign-in page', async () => {
    const returnUrl = `https://connectors.example.com/connect/${id}#return=r`;
    service.respond = (_request, response) =>
      response.writeHead(200, json).end(JSON.stringify({ return_url: returnUrl }));
    const server = servers[name];
    const open = (cookie: string | undefined, path = `/connect-link?link=${id}&code=${'c'.repeat(43)}`) =>
      server.fetch('GET', path, { headers: { origin: undefined, cookie, 'sec-fetch-mode': 'navigate' } });

    const { statusCode, headers } = await open(undefined);
    expect(statusCode).toBe(303);
    const next = new URL(String(headers['location']), server.url).searchParams.get('next') ?? '';
    expect(next).toBe(`/connector-auth/connect-link?link=${id}&code=${'c'.repeat(43)}`);
    const back = await open('customer=acme', next.slice('/connector-auth'.length));
    expect([back.statusCode, back.headers['location']]).toEqual([303, returnUrl]);
    expect(back.headers['referrer-policy']).toBe('no-referrer');
  });

  test('responds with 404 to unknown paths', async () => {
    const server = servers[name];
    for (const path of ['/other', '/widget-token/other', `/connectors/${id}/check`, '//']) {
      expect((await server.fetch('GET', path)).statusCode, path).toBe(404);
    }
    expect(service.requests).toHaveLength(0);
  });
});

// One server whose app handles unexpected errors itself, and one whose app does not.
test.each(['Express 5', 'web requests'] as const)(
  'on %s responds with 500 if allowedOrigins throws',
  async name => {
    const failure = new Error('tenants are unavailable');
    const onError = vi.fn();
    const allowedOrigins = () => Promise.reject(failure);
    const server = await startServer(name, { baseUrl: service.baseUrl, allowedOrigins, onError });
    const response = await server.fetch('POST', '/widget-token');
    expect(response.statusCode).toBe(500);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ cause: failure });
  },
);

test('reports that what is at baseUrl responds with a status that HTTP does not define', async () => {
  const closed = Promise.withResolvers<void>();
  service.respond = (_request, response) => {
    response.writeHead(999).write('still writing');
    response.once('close', closed.resolve);
  };
  const response = await servers['web requests'].fetch('POST', executePath, { headers: json, body: list });
  expect(response.statusCode).toBe(502);
  expect(response.headers['access-control-allow-origin']).toBe(pageOrigin);
  expect(await response.body.json()).toMatchObject({ code: 'unexpected_answer' });
  expect(app.onError).toHaveBeenCalledTimes(1);
  await closed.promise;
});

test('every server responds alike to the same request', async () => {
  service.respond = ({ method, body }, response) => {
    const [, status] = /"status":(\d+)/.exec(body) ?? [];
    if (status !== undefined) return response.writeHead(Number(status)).end();
    if (method === 'DELETE') return response.writeHead(204, { 'x-request-id': 'req-1' }).end();
    if (body.includes('limited'))
      return problem(response, 429, 'vendor_rate_limited', { 'retry-after': '7' });
    if (body.includes('zipped')) {
      const compressed = { ...json, 'content-encoding': 'gzip' };
      return response.writeHead(200, compressed).end(Buffer.from([31, 139, 8, 0, 1, 2, 3]));
    }
    return response
      .writeHead(200, { ...json, 'set-cookie': 'a=b' })
      .end(`{ "body" : ${JSON.stringify(body)} }\n`);
  };
  const running = serverNames.map(name => ({ name, server: servers[name] }));
  let forwarded = 0;
  await fc.assert(
    fc.asyncProperty(pageRequests(), async page => {
      const before = service.requests.length;
      const [first, ...others] = await Promise.all(
        running.map(async ({ name, server }) => ({ name, outcome: await outcomeOf(server, page) })),
      );
      const seen = service.requests.slice(before);
      forwarded += seen.length;
      for (const other of others) expect(other.outcome, other.name).toEqual(first?.outcome);
      const sent = seen.map(({ method, path, body }) => JSON.stringify([method, path, body]));
      expect(new Set(sent).size).toBe(Math.min(sent.length, 1));
      expect([0, running.length]).toContain(sent.length);
    }),
    { numRuns: isFull ? 120 : 40, examples: [205, 304, 599, 999].map(status => [answeredWith(status)]) },
  );
  // Otherwise the property would hold because everything was rejected.
  expect(forwarded).toBeGreaterThan(6 * running.length);
});

interface Page extends PageRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
}

/** An allowed request to which the service responds with this status. */
function answeredWith(status: number): Page {
  const headers = { origin: pageOrigin, cookie: 'customer=acme', ...json };
  return { method: 'POST', path: executePath, headers, body: `{"status":${status}}` };
}

/** Requests of pages, most of which are valid. */
function pageRequests(): fc.Arbitrary<Page> {
  const usually = <Value>(value: Value, ...others: Value[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, fc.constantFrom(...others));
  const calls = [
    ['POST', '/widget-token'],
    ['GET', '/connectors'],
    ['GET', `/connectors/${id}`],
    ['DELETE', `/connectors/${id}`],
    ['POST', executePath],
    ['POST', executePath],
  ] as const;
  return fc
    .record({
      call: fc.constantFrom(...calls),
      method: usually<Dispatcher.HttpMethod | null>(null, 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'),
      path: usually<string | null>(null, '/connectors/7', '/connectors/%2e%2e%2F/execute', '/CONNECTORS/'),
      query: usually('', '?limit=2&cursor=a%2Fb', '?customer_name=evil', '?', '?a=%00é&b'),
      origin: usually<string | undefined>(
        pageOrigin,
        'https://a.tenants.example.com',
        'http://acme.localhost:3000',
        'https://a.b.tenants.example.com',
        'null',
        undefined,
      ),
      cookie: usually<string | undefined>('customer=acme', undefined),
      site: usually<string | undefined>(undefined, 'same-origin', 'cross-site'),
      body: usually(list, '', '{"a":"limited"}', '{"a":"zipped"}', '{ "id": 9223372036854775807 }\n', 'é'),
    })
    .map(({ call, method, path, query, origin, cookie, site, body }) => {
      const chosen = method ?? call[0];
      return {
        method: chosen,
        path: encodeURI(`${path ?? call[1]}${query}`).replaceAll('%25', '%'),
        headers: {
          origin,
          cookie,
          'sec-fetch-site': site,
          'accept-encoding': 'gzip',
          ...(chosen === 'POST' ? json : {}),
        },
        ...(chosen === 'POST' ? { body } : {}),
      };
    });
}

const comparedHeaders = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'cache-control',
  'content-encoding',
  'content-type',
  'retry-after',
  'set-cookie',
  'vary',
  'x-content-type-options',
  'x-request-id',
];

async function outcomeOf(server: RunningServer, { method, path, ...page }: Page) {
  const { statusCode, headers, body } = await server.fetch(method, path, page);
  const bytes = Buffer.from(await body.arrayBuffer()).toString('latin1');
  return {
    statusCode,
    headers: Object.fromEntries(comparedHeaders.map(name => [name, headers[name]])),
    // Widget tokens are numbered.
    body: bytes.replace(/widget-acme-\d+/, 'widget-acme'),
  };
}
