import { beforeEach, describe, expect, test } from 'vitest';
import { FakeService } from '../test/fake-service.ts';
import { executePath, id, pageOrigin, startHost, type HostApp } from '../test/host-app.ts';

let service: FakeService;
let host: HostApp;
beforeEach(async () => {
  service = await new FakeService().start();
});

describe('page origins', () => {
  const routes = [
    ['POST', '/widget-token'],
    ['GET', '/connectors'],
    ['GET', `/connectors/${id}`],
    ['DELETE', `/connectors/${id}`],
    ['POST', executePath],
  ] as const;

  test.each(routes)('allows %s %s from an allowed origin with credentials', async (method, path) => {
    host = await startHost(service);
    const response = await host.fetch(method, path);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': pageOrigin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
      vary: 'Origin',
    });
  });

  test.each(routes)(
    'rejects %s %s from a disallowed origin with 403 and no CORS headers',
    async (method, path) => {
      host = await startHost(service);
      for (const origin of [
        'https://evil.example',
        'https://app.example.com.evil.example',
        'https://app.example.com:8443',
        'http://app.example.com',
        'https://APP.example.com',
        'null',
        '',
      ]) {
        const response = await host.fetch(method, path, { headers: { origin } });
        expect(response.statusCode, origin).toBe(403);
        expect(response.headers['access-control-allow-origin']).toBeUndefined();
        expect(response.headers.vary).toBe('Origin');
        expect(await response.body.json()).toMatchObject({ code: 'origin_not_allowed' });
      }
      expect(service.requests).toHaveLength(0);
      expect(service.widgetTokenRequests).toHaveLength(0);
    },
  );

  test.each([
    ['POST', '/widget-token'],
    ['DELETE', `/connectors/${id}`],
    ['POST', executePath],
  ] as const)('rejects %s %s without Origin with 403 for any Sec-Fetch-Site', async (method, path) => {
    host = await startHost(service);
    for (const site of [undefined, 'same-origin', 'none', 'cross-site']) {
      const response = await host.fetch(method, path, {
        headers: { origin: undefined, 'sec-fetch-site': site },
      });
      expect(response.statusCode, site).toBe(403);
    }
  });

  test.each([
    [undefined, 200],
    ['same-origin', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['none', 403],
  ])('GET /connectors without Origin and with Sec-Fetch-Site %s returns %i', async (site, status) => {
    host = await startHost(service);
    const headers = { origin: undefined, 'sec-fetch-site': site };
    expect((await host.fetch('GET', '/connectors', { headers })).statusCode).toBe(status);
  });

  test('returns the allowed methods and headers for a preflight from an allowed origin', async () => {
    host = await startHost(service);
    const response = await host.fetch('OPTIONS', executePath, {
      headers: { cookie: undefined, 'access-control-request-method': 'POST' },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': pageOrigin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'Content-Type',
      vary: 'Origin',
    });
  });

  test('rejects a preflight from a disallowed origin with 403 and no CORS headers', async () => {
    host = await startHost(service);
    const response = await host.fetch('OPTIONS', executePath, {
      headers: { origin: 'https://evil.example' },
    });
    expect(response.statusCode).toBe(403);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('keeps the Vary of earlier middleware', async () => {
    host = await startHost(service, {}, app => {
      app.use((_request, response, next) => {
        response.vary('Accept-Encoding');
        next();
      });
    });
    const response = await host.fetch('POST', '/widget-token');
    expect(response.headers.vary).toBe('Accept-Encoding, Origin');
  });

  test('includes CORS headers in error responses', async () => {
    host = await startHost(service);
    const response = await host.fetch('POST', '/widget-token', { headers: { cookie: undefined } });
    expect(response.headers['access-control-allow-origin']).toBe(pageOrigin);
  });
});

test.each([
  ['https://evil.example', "add 'https://evil.example' to allowedOrigins"],
  ['http://app.example.com', 'open the page with https, or on localhost'],
  ['null', 'not from a file or a sandboxed frame'],
  ['https://a.example"<script>', 'is not the origin of a page'],
])('says what to change for a page on %s', async (origin, advice) => {
  host = await startHost(service);
  const response = await host.fetch('POST', '/widget-token', { headers: { origin } });
  expect(await response.body.json()).toMatchObject({ detail: expect.stringContaining(advice) });
});
