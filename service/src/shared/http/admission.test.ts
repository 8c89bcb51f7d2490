import { connect } from 'node:net';
import { Agent, request as send } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const connectors = '/api/v1/integrations/connectors';
const unknownSession = '11111111-1111-4111-8111-111111111111';

onPostgresOrEachEngineInFull('admission', database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database(), {
      limits: { requestLimits: { perAddress: 20, perCustomer: 20, perApplication: 400 } },
    });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterAll(() => service.close());

  fullTest.each([
    ['the completion page', `/oauth/complete?session_id=${unknownSession}`, [404, 429]],
    ['the OAuth callback', '/oauth/callback?state=x', [400, 429]],
    ['the readiness probe', '/readyz', [200]],
  ])(
    'serves authenticated requests while one address floods %s from 560 sockets',
    async (_name, path, expected) => {
      const flood = startFlood(service.url + path, { sockets: 560 });
      try {
        for (let count = 0; count < 12; count += 1) {
          expect((await service.ask('GET', connectors, { token })).status).toBe(200);
          expect((await service.ask('GET', '/readyz')).status).toBe(200);
        }
      } finally {
        expect(expected).toEqual(expect.arrayContaining([...(await flood.stop())]));
      }
    },
  );

  test('serves authenticated requests while one address sends invalid tokens from 560 sockets', async () => {
    const headers = { authorization: 'Bearer abc.def.ghi' };
    const flood = startFlood(service.url + connectors, { sockets: 560, headers });
    try {
      for (let count = 0; count < 12; count += 1) {
        expect((await service.ask('GET', connectors, { token })).status).toBe(200);
      }
    } finally {
      expect([401, 429]).toEqual(expect.arrayContaining([...(await flood.stop())]));
    }
  });

  fullTest(
    'rejects requests above the limit in a flood by one customer, and serves another customer',
    async () => {
      const [hostile, other] = await Promise.all(
        ['hostile', 'other'].map(customer_name => service.customerToken(token, { customer_name })),
      );
      const flood = startFlood(service.url + connectors, {
        sockets: 800,
        headers: { authorization: `Bearer ${hostile}` },
      });
      try {
        for (let count = 0; count < 12; count += 1) {
          expect((await service.ask('GET', connectors, { token: other })).status).toBe(200);
          expect((await service.ask('GET', '/readyz')).status).toBe(200);
        }
      } finally {
        expect(await flood.stop()).toEqual(new Set([200, 429]));
      }
      expect((await service.ask('GET', connectors, { token: hostile })).status).toBe(200);
    },
  );
});

onPostgresOrEachEngineInFull('admission at the limit', database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database(), {
      limits: { requestLimits: { perAddress: 1, perCustomer: 1, perApplication: 1 } },
    });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterAll(() => service.close());

  test('reports the exceeded limit to a rejected request in headers that pages can read', async () => {
    const origin = 'https://app.example';
    const widgetToken = await service.customerToken(token, { customer_name: 'acme', allowed_origin: origin });
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.ask('GET', connectors, { token: widgetToken, headers: { origin } }),
      ),
    );
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.body.code).toBe('rate_limited');
    expect(rejected?.headers).toMatchObject({
      'ratelimit-policy': '"customer";q=1;qu="concurrent-requests"',
      ratelimit: '"customer";r=0;t=1',
      'retry-after': '1',
    });
    expect(rejected?.headers['access-control-expose-headers']).toMatch(/RateLimit, RateLimit-Policy/);
  });

  test('describes what is left of a limit in a successful response, which pages can read', async () => {
    const origin = 'https://app.example';
    const widgetToken = await service.customerToken(token, { customer_name: 'acme', allowed_origin: origin });
    const { status, headers } = await service.ask('GET', connectors, {
      token: widgetToken,
      headers: { origin },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'ratelimit-policy': '"customer";q=1;qu="concurrent-requests"',
      ratelimit: '"customer";r=1',
      'access-control-expose-headers': expect.stringMatching(/RateLimit, RateLimit-Policy/),
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  test.each([
    ['GET', '/openapi.json', 200],
    ['GET', '/metrics', 200],
    ['GET', '/unknown', 404],
    ['GET', connectors, 401],
    ['PUT', connectors, 405],
    ['OPTIONS', connectors, 204],
  ])('limits the requests of an address even if they never wait: %s %s', async (method, path, expected) => {
    expect(await sendAtOnce(service.url, `${method} ${path}`, 40)).toEqual(new Set([expected, 429]));
  });

  test('removes a request from the queue when its caller disconnects', async () => {
    const leave = new AbortController();
    const abandoned = Array.from({ length: 3 }, () =>
      service.ask('GET', connectors, { token, signal: leave.signal }).catch(() => null),
    );
    leave.abort();
    await Promise.all(abandoned);
    for (let count = 0; count < 3; count += 1)
      expect((await service.ask('GET', connectors, { token })).status).toBe(200);
  });
});

/** Sends requests on each socket until stopped. Returns the received statuses. */
function startFlood(
  url: string,
  { sockets, headers = {} }: { readonly sockets: number; readonly headers?: Record<string, string> },
): { stop(): Promise<ReadonlySet<number>> } {
  const dispatcher = new Agent({ connections: sockets });
  const statuses = new Set<number>();
  const stop = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const response = await send(url, { dispatcher, headers });
      await response.body.dump();
      statuses.add(response.statusCode);
    }
  };
  const running = Promise.all(Array.from({ length: sockets }, repeat));
  return {
    stop: async () => {
      stop.abort();
      await running;
      await dispatcher.close();
      return statuses;
    },
  };
}

/** Sends the same request several times in one write, so that all of them arrive together. Returns the statuses. */
async function sendAtOnce(url: string, methodAndPath: string, count: number): Promise<ReadonlySet<number>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const request = `${methodAndPath} HTTP/1.1\r\nhost: localhost\r\n`;
  socket.write(`${request}\r\n`.repeat(count - 1) + `${request}connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return new Set([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)));
}
