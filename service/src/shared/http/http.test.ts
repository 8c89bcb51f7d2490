import { once } from 'node:events';
import { connect } from 'node:net';
import { endpoints, type Endpoint } from '@connector-auth/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginConsent, consentKind, platformApps } from '../../../test/consent.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { addressOf, exampleRequest, goodKey, type Subject } from '../../../test/example-requests.ts';
import { bothKinds, firstKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { type Database } from '../../platform/database/database.ts';

/** Tests the behaviour that all endpoints share. It does not depend on SQL, so one engine is enough. */

const definitions = '/api/v1/integrations/definitions/sources';
const page = 'https://app.example';

let place: TestDatabase;
let database: Database;
let service: TestService;
let token: string;
let widgetToken: string;
let subject: Subject;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  const kinds = [...bothKinds, consentKind];
  service = await startTestService(database, { kinds, oauthApps: platformApps });
  const application = await service.addApplication('own', ['Own']);
  token = await service.tokenOf(application);
  widgetToken = await service.customerToken(token, { customer_name: 'acme', allowed_origin: page });
  const body = {
    customer_name: 'acme',
    connector_type: firstKind.key,
    name: 'Notes',
    credentials: { api_key: goodKey },
  };
  const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
  subject = {
    ...application,
    connectorId: created.body.id,
    sessionId: await beginConsent(service, token),
  };
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const table = Object.entries<Endpoint>(endpoints);
const withToken = table.filter(([, { callers }]) => callers.length > 0);
const withoutToken = table.filter(
  ([, { path }]) => !withToken.some(([, endpoint]) => endpoint.path === path),
);
const forBackends = table.filter(([, { callers }]) => callers.includes('application'));
// `endpoints` has exactly these keys.
const pathOf = (name: string): string =>
  addressOf(
    endpoints[name as keyof typeof endpoints].path,
    exampleRequest(name as keyof typeof endpoints, subject),
  );

describe('CORS', () => {
  test.each(withToken)('allows preflights of %s from any page origin', async (name, { method }) => {
    const response = await service.ask('OPTIONS', pathOf(name), {
      headers: {
        origin: 'https://any-page.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('https://any-page.example');
    expect(response.headers['access-control-allow-methods']).toContain(method);
    expect(response.headers['access-control-allow-headers']).toMatch(
      /Authorization.*Content-Type.*Idempotency-Key/,
    );
    expect(response.headers['vary']).toMatch(/\bOrigin\b/);
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(withToken)('allows a page from any origin to read errors from %s', async (name, { method }) => {
    const response = await service.ask(method, pathOf(name), { headers: { origin: 'https://evil.example' } });
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe('https://evil.example');
    expect(response.headers['access-control-expose-headers']).toBe(
      'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, WWW-Authenticate',
    );
    expect(response.headers['vary']).toMatch(/\bOrigin\b/);
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(withoutToken)('sends no CORS headers for %s', async (name, { method }) => {
    for (const asked of ['OPTIONS', method]) {
      const response = await service.ask(asked, pathOf(name), {
        headers: { origin: page, 'access-control-request-method': method },
      });
      expect(Object.keys(response.headers).filter(header => header.startsWith('access-control-'))).toEqual(
        [],
      );
    }
  });

  test.each([
    'null',
    'file://',
    'https://app.example/',
    'https://APP.example',
    'https://a.example, https://b.example',
  ])('rejects the malformed origin %s', async origin => {
    const headers = { origin, 'access-control-request-method': 'GET' };
    const preflight = await service.ask('OPTIONS', definitions, { headers });
    expect(preflight.status).toBe(400);
    const response = await service.ask('GET', definitions, { token: widgetToken, headers: { origin } });
    expect(response.body.code).toBe('origin_not_allowed');
    for (const { headers } of [preflight, response]) {
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['vary']).toMatch(/\bOrigin\b/);
    }
  });

  test.each(forBackends)(
    'rejects an application token in a page on %s, with an error that the page can read',
    async (name, { method }) => {
      const headers = { origin: page };
      const response = await service.ask(method, pathOf(name), { token, headers });
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({
        code: 'origin_not_allowed',
        detail: expect.stringContaining('An application token must stay on your server') as string,
      });
      expect(response.headers['access-control-allow-origin']).toBe(page);
    },
  );

  test('rejects a scoped token in a page of another origin, and accepts it from a backend', async () => {
    const scoped = await service.customerToken(token, { customer_name: 'acme' });
    for (const origin of [page, 'null']) {
      const response = await service.ask('GET', definitions, { token: scoped, headers: { origin } });
      expect(response.body.code).toBe('origin_not_allowed');
    }
    expect((await service.ask('GET', definitions, { token: scoped })).status).toBe(200);
    const headers = { origin: 'https://service.example' };
    expect((await service.ask('GET', definitions, { token: scoped, headers })).status).toBe(200);
  });

  test('allows an http page to read the error saying that its origin is not allowed', async () => {
    const headers = { origin: 'http://app.example', 'access-control-request-method': 'GET' };
    const preflight = await service.ask('OPTIONS', definitions, { headers });
    expect(preflight.status).toBe(204);
    const response = await service.ask('GET', definitions, { token: widgetToken, headers });
    expect(response.body.code).toBe('origin_not_allowed');
    for (const { headers } of [preflight, response]) {
      expect(headers['access-control-allow-origin']).toBe('http://app.example');
    }
  });

  test('returns the page origin in Access-Control-Allow-Origin', async () => {
    const response = await service.ask('GET', definitions, { token: widgetToken, headers: { origin: page } });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(page);
  });
});

describe('request ids', () => {
  const askWith = async (id: string) => {
    const response = await service.ask('GET', definitions, { headers: { 'x-request-id': id } });
    expect(response.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.body.request_id).toBe(response.requestId);
    return until(() => {
      const line = service
        .logged()
        .split('\n')
        .find(text => text.includes(response.requestId));
      return JSON.parse(line ?? '') as unknown;
    });
  };

  test("are generated, and the caller's well-formed one is logged beside", async () => {
    expect(await askWith('order-4711.retry:2')).toMatchObject({ caller_request_id: 'order-4711.retry:2' });
  });

  test.each(['two words', 'quote"', 'x'.repeat(129), ''])('omit the malformed one %j', async id => {
    expect(await askWith(id)).not.toHaveProperty('caller_request_id');
  });
});

describe('paths', () => {
  test.each([
    ['with a slash at the end', `${definitions}/`],
    ['with a query', `${definitions}?name=granola`],
    ['of a whole URL, as proxies send it', () => service.url + definitions],
  ])('can be requested %s', async (_form, target) => {
    const [status] = await rawResponse('GET', typeof target === 'string' ? target : target());
    expect(status).toContain('200');
  });

  test('with invalid percent-encoding are rejected', async () => {
    const [status, body] = await rawResponse('GET', '/api/v1/integrations/connectors/%zz');
    expect(status).toContain('400');
    expect(body).toContain('percent-encoding');
  });

  /** Sends a target as it is. Clients normalize it. */
  async function rawResponse(method: string, target: string): Promise<[status: string, text: string]> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return [text.slice(0, text.indexOf('\r\n')), text];
  }
});

describe('unknown routes and methods', () => {
  test.each(['/api/v1', '/api/v1/nothing', '/API/V1/customers', '/api/v1/integrations/connectors/a/b/c'])(
    'returns route_not_found for %s',
    async path => {
      const response = await service.ask('GET', path, { token });
      expect(response.status).toBe(404);
      expect(response.body.code).toBe('route_not_found');
    },
  );

  test.each(table)(
    'returns method_not_allowed and the allowed methods when %s is called with another method',
    async (name, { path }) => {
      const methods = table.filter(([, endpoint]) => endpoint.path === path).map(([, { method }]) => method);
      const other = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        method => !methods.some(own => own === method),
      );
      for (const method of other) {
        const response = await service.ask(method, pathOf(name), { token });
        expect(response.status).toBe(405);
        expect(response.body.code).toBe('method_not_allowed');
        expect(response.headers['allow']).toBe(methods.join(', '));
      }
    },
  );
});

describe('response headers', () => {
  test('forbids caching, except private caching of the catalog', async () => {
    const customers = await service.ask('GET', '/api/v1/customers', { token });
    expect(customers.headers['cache-control']).toBe('no-store');
    expect(customers.headers['etag']).toBeUndefined();
    const catalog = await service.ask('GET', definitions, { token });
    expect(catalog.headers['cache-control']).toBe('private, no-cache');
    const etag = String(catalog.headers['etag']);
    const again = await service.ask('GET', definitions, { token, headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    const narrower = await service.ask('GET', `${definitions}?name=ledger`, {
      token,
      headers: { 'if-none-match': etag },
    });
    expect(narrower.status).toBe(200);
  });

  test('sets security headers on API responses', async () => {
    const { headers } = await service.ask('GET', definitions, { token });
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('returns no body for a HEAD request', async () => {
    const response = await service.ask('HEAD', definitions, { token });
    expect(response.status).toBe(200);
    expect(response.text).toBe('');
  });
});

describe('request bodies over the limit', () => {
  test.each([
    [
      'known from Content-Length',
      (rawBody: Buffer) => service.ask('POST', '/api/v1/account/applications/token', { rawBody }),
    ],
    [
      'unknown before it is read',
      (rawBody: Buffer) => service.askInChunks('POST', '/api/v1/account/applications/token', { rawBody }),
    ],
  ])('rejects a large body while the caller is still sending it, with its size %s', async (_title, send) => {
    const rawBody = Buffer.alloc(12 * 1024 * 1024, 'x');
    for (let count = 0; count < 5; count += 1) expect((await send(rawBody)).body.code).toBe('body_too_large');
  });
});

describe('disconnects', () => {
  test('logs status 499, not an error, if the caller disconnects while sending the request body', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      'POST /api/v1/account/applications/token HTTP/1.1\r\nHost: x\r\nX-Request-Id: left\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    const find = (text: string): { readonly request_id: string }[] =>
      service
        .logged()
        .split('\n')
        .flatMap(line => (line.includes(text) ? [JSON.parse(line)] : []));
    socket.destroySoon();
    const { request_id } = await until(() => {
      const [line] = find('"caller_request_id":"left"');
      if (line === undefined) throw new Error('The request was not logged');
      return line;
    });
    expect(find(request_id)).toEqual([
      expect.objectContaining({ event: 'request', level: 'info', status: 499 }),
    ]);
  });
});

describe('the access log', () => {
  test('logs the route pattern instead of the URL or query', async () => {
    await service.ask('GET', `${definitions}?name=whispered-name`, { token });
    await service.ask('DELETE', '/api/v1/customers/whispered-customer', { token });
    const logged = service.logged();
    expect(logged).toContain(`"route":"${definitions}"`);
    expect(logged).toContain('"route":"/api/v1/customers/{name}"');
    expect(logged).not.toContain('whispered');
  });

  test('the access log contains no token, client secret or credential', () => {
    const logged = service.logged();
    expect(logged.split('\n').length).toBeGreaterThan(50);
    for (const secret of [
      token,
      widgetToken,
      token.split('.')[2],
      widgetToken.split('.')[2],
      subject.clientSecret,
      goodKey,
    ]) {
      expect(logged).not.toContain(secret);
    }
  });
});

describe('endpoints outside the contract', () => {
  test('responds to liveness and readiness probes', async () => {
    expect((await service.ask('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await service.ask('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });

  test('reports that it is alive but not ready while the database is not responding', async () => {
    const ping = () => Promise.reject(new Error('connection to 10.0.0.7 refused'));
    const cutOff = await startTestService({ ...database, ping }, { sandbox: service.sandbox });
    expect((await cutOff.ask('GET', '/healthz')).status).toBe(200);
    const response = await cutOff.ask('GET', '/readyz');
    await cutOff.close();
    expect(response.status).toBe(503);
    expect(response.body.code).toBe('overloaded');
    expect(response.headers['retry-after']).toBe('1');
    expect(response.text).not.toContain('10.0.0.7');
  });

  test('reports in time that it is not ready while the database does not answer at all', async () => {
    const ping = () => new Promise<void>(() => {});
    const frozen = await startTestService({ ...database, ping }, { sandbox: service.sandbox });
    const response = await frozen.ask('GET', '/readyz');
    await frozen.close();
    expect([response.status, response.body.code]).toEqual([503, 'overloaded']);
  });

  test('counts API requests by route and vendor requests by outcome', async () => {
    const { text } = await service.ask('GET', '/metrics');
    expect(text).toMatch(
      /connector_auth_request_duration_seconds_count\{method="POST",route="\/api\/v1\/integrations\/connectors",status="201"\} 1/,
    );
    expect(text).toMatch(
      /connector_auth_vendor_call_duration_seconds_count\{vendor="Granola",outcome="200"\} 1/,
    );
    expect(text).not.toContain(subject.connectorId);
  });

  test('serves metrics only with the token if one is configured', async () => {
    const token = 'a-token-for-prometheus-0123456789';
    const metrics = { token: new Secret(token), listener: null, isServedWithApi: true };
    const guarded = await startTestService(database, { sandbox: service.sandbox, metrics });
    const missing = await guarded.ask('GET', '/metrics');
    const wrong = await guarded.ask('GET', '/metrics', { token: `${token}x` });
    const right = await guarded.ask('GET', '/metrics', { token });
    await guarded.close();
    expect([missing.status, missing.body.code]).toEqual([401, 'token_missing']);
    expect([wrong.status, wrong.body.code]).toEqual([401, 'token_invalid']);
    expect([right.status, right.text]).toEqual([200, expect.stringContaining('connector_auth_')]);
  });

  test('does not serve metrics to a network by default', async () => {
    const metrics = { token: null, listener: null, isServedWithApi: false };
    const open = await startTestService(database, { sandbox: service.sandbox, metrics });
    const response = await open.ask('GET', '/metrics');
    await open.close();
    expect([response.status, response.body.code]).toEqual([404, 'route_not_found']);
  });

  test('rejects other names for this machine if it serves only this machine', async () => {
    const local = await startTestService(database, {
      sandbox: service.sandbox,
      settings: { isLocal: true },
      console: { access: 'private', url: null },
    });
    const paths = ['/', '/metrics', '/healthz', '/docs', definitions, `${local.privateUrl}/metrics`];
    for (const path of paths) {
      const response = await local.ask('GET', path, { headers: { host: 'rebound.example:8787' } });
      expect([path, response.status, response.body.code]).toEqual([path, 400, 'malformed_request']);
      expect(response.body.errors[0].path).toBe('Host');
    }
    for (const host of ['localhost:8787', '127.0.0.1', '[::1]:8787', 'app.localhost']) {
      expect((await local.ask('GET', '/metrics', { headers: { host } })).status).toBe(200);
    }
    await local.close();
    expect((await service.ask('GET', '/metrics', { headers: { host: 'service.example' } })).status).toBe(200);
  });

  test('serves icons to pages from any origin, with scripts and framing disabled', async () => {
    const response = await service.ask('GET', `/icons/${firstKind.key}.svg`);
    expect(response.text).toBe(firstKind.icon);
    expect(response.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none';.*sandbox; frame-ancestors 'none'$/,
    );
    const again = await service.ask('GET', `/icons/${firstKind.key}.svg`, {
      headers: { 'if-none-match': String(response.headers['etag']) },
    });
    expect(again.status).toBe(304);
    expect((await service.ask('GET', '/icons/nothing.svg')).status).toBe(404);
  });

  test('does not let a page show an icon in a frame', async () => {
    const { headers } = await service.ask('GET', `/icons/${firstKind.key}.svg`);
    expect(String(headers['content-security-policy']).split('; ')).toContain("frame-ancestors 'none'");
  });

  test('serves the OpenAPI document and the API reference', async () => {
    const openapi = await service.ask('GET', '/openapi.json');
    expect(openapi.body.openapi).toBe('3.1.1');
    expect(openapi.body.servers).toEqual([{ url: 'https://service.example' }]);
    expect((await service.ask('GET', '/docs')).text).toContain('<!doctype html>');
  });
});

describe('the page at /', () => {
  const links = ['/docs', '/console', '/openapi.json', '/readyz'];

  test('links the reference, the console and the OpenAPI document, which exist', async () => {
    const { status, headers, text } = await service.ask('GET', '/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    // The policy also allows the icon, without which browsers request `/favicon.ico`.
    expect(headers['content-security-policy']).toContain("default-src 'none'; img-src 'self'");
    expect(text).not.toMatch(/<script|style=/);
    const found = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => `/${href}`);
    const assets = ['/docs/assets/icon.svg', '/docs/assets/style.css'];
    expect(found).toEqual([...assets, ...links]);
    for (const path of [...assets, '/docs', '/openapi.json', '/readyz']) {
      expect((await service.ask('GET', path)).status, path).toBe(200);
    }
  });

  test('is JSON for clients that ask for it', async () => {
    const { headers, body } = await service.ask('GET', '/', { headers: { accept: 'application/json' } });
    expect(headers['vary']).toContain('Accept');
    expect(body.service).toBe('connector-auth');
    expect(Object.values(body.links)).toEqual(links.map(path => `https://service.example${path}`));
  });
});
