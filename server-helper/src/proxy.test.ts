import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { FakeService, problem } from '../test/fake-service.ts';
import {
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

describe('GET /connectors', () => {
  test('lists one page of connectors with the customer’s scoped token', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => {
      response.writeHead(200, json).end('{"data":[],"meta":{"cursor":null,"has_more":false}}');
    };
    const response = await host.fetch('GET', '/connectors?limit=2&cursor=a%2Fb&connector_type=granola');
    expect(await response.body.text()).toBe('{"data":[],"meta":{"cursor":null,"has_more":false}}');
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/integrations/connectors?limit=2&cursor=a%2Fb&connector_type=granola',
      headers: { authorization: 'Bearer scoped-acme-1' },
    });
  });
});

describe('/connectors/:id', () => {
  test('GET returns the connector with the customer’s scoped token', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => response.writeHead(200, json).end(`{"id":"${id}"}`);
    const response = await host.fetch('GET', `/connectors/${id}?customer_name=evil`);
    expect(await response.body.text()).toBe(`{"id":"${id}"}`);
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: `/api/v1/integrations/connectors/${id}`,
      headers: { authorization: 'Bearer scoped-acme-1' },
    });
  });

  test('DELETE deletes the connector with the customer’s scoped token', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => response.writeHead(204).end();
    const response = await host.fetch('DELETE', `/connectors/${id}`);
    expect([response.statusCode, await response.body.text()]).toEqual([204, '']);
    expect(service.requests[0]).toMatchObject({
      method: 'DELETE',
      path: `/api/v1/integrations/connectors/${id}`,
      headers: { authorization: 'Bearer scoped-acme-1' },
    });
  });

  test('forwards the error for the connector of another customer', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => problem(response, 404, 'connector_not_found');
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await host.fetch(method, `/connectors/${id}`);
      expect(response.statusCode).toBe(404);
      expect(await response.body.json()).toMatchObject({ code: 'connector_not_found' });
    }
  });

  test('rejects DELETE if allowedManagement lacks it, and asks for no such right', async () => {
    host = await startHost(service, { allowedManagement: ['create'] });
    const response = await host.fetch('DELETE', `/connectors/${id}`);
    expect(response.statusCode).toBe(403);
    expect(await response.body.json()).toMatchObject({
      code: 'management_not_allowed',
      detail: expect.stringContaining('allowedManagement'),
    });
    expect(service.requests).toHaveLength(0);
    await host.fetch('GET', `/connectors/${id}`);
    expect(JSON.parse(service.scopedTokenRequests[0]?.body ?? '')).toMatchObject({ allowed_management: [] });
  });

  test.each(['abc', '..%2F..%2Fcustomers', `${id}x`])('rejects the id %s', async bad => {
    host = await startHost(service);
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await host.fetch(method, `/connectors/${bad}`);
      expect(await response.body.json()).toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'id' }],
      });
    }
    expect(service.applicationTokenRequests).toHaveLength(0);
  });
});

describe('POST /connectors/:id/execute', () => {
  test('forwards the request body byte for byte', async () => {
    host = await startHost(service);
    const body = '{ "entity":"ads","action":"list", "params":{"id": 1234567890123456789} }\n';
    await execute(host, { body });
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: `/api/v1/integrations/connectors/${id}/execute`,
      body,
    });
    expect(service.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('forwards the response body byte for byte', async () => {
    host = await startHost(service);
    const body = '{ "result" : [{"id": 9223372036854775807, "name":"é"}],\n"connector_metadata":null}';
    service.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    };
    const response = await execute(host);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await response.body.text()).toBe(body);
  });

  test('streams the response', async () => {
    host = await startHost(service);
    let finish = () => {};
    service.respond = (_request, response) => {
      response.writeHead(200, json).write('{"result":');
      finish = () => response.end('[]}');
    };
    const response = await execute(host);
    const chunks = response.body[Symbol.asyncIterator]();
    const readChunk = async () => String((await chunks.next()).value);
    expect(await readChunk()).toBe('{"result":');
    finish();
    expect(await readChunk()).toBe('[]}');
  });

  test('forwards problems from the service unchanged', async () => {
    host = await startHost(service);
    service.respond = (_request, response) =>
      problem(response, 429, 'vendor_rate_limited', { 'retry-after': '7' });
    const response = await execute(host);
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '7',
      'x-request-id': 'req-1',
    });
    expect(await response.body.json()).toMatchObject({ code: 'vendor_rate_limited', request_id: 'req-1' });
    expect(service.requests).toHaveLength(1);
  });

  test('forwards a compressed response without decompressing it', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8, 0]));
    };
    const response = await execute(host, { headers: { 'accept-encoding': 'gzip' } });
    expect(service.requests[0]?.headers['accept-encoding']).toBe('gzip');
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(new Uint8Array(await response.body.arrayBuffer())).toEqual(new Uint8Array([31, 139, 8, 0]));
  });

  test('does not forward connection headers, cookies or policies from the service', async () => {
    host = await startHost(service);
    service.respond = (_request, response) => {
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
    const { headers } = await execute(host);
    expect(headers['access-control-allow-origin']).toBe(pageOrigin);
    expect(headers['keep-alive']).not.toBe('timeout=77');
    for (const name of ['x-hop', 'proxy-authenticate', 'set-cookie', 'server', 'content-security-policy']) {
      expect(headers[name], name).toBeUndefined();
    }
  });

  test.each(['abc', '..%2F..%2Fcustomers', `${id}x`, '%252e', `${id}%2F..%2F..`])(
    'rejects the connector id %s without calling the service',
    async bad => {
      host = await startHost(service);
      const response = await host.fetch('POST', `/connectors/${bad}/execute`, { headers: json, body: list });
      expect(response.statusCode).toBe(400);
      expect(await response.body.json()).toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'id' }],
      });
      expect(service.applicationTokenRequests).toHaveLength(0);
    },
  );

  test.each([204, 205, 304])('forwards a response with status %d without its body', async status => {
    host = await startHost(service);
    service.respond = (_request, response) =>
      response.writeHead(status, { 'x-request-id': 'req-1' }).end('text');
    const response = await execute(host);
    expect([response.statusCode, response.headers['x-request-id']]).toEqual([status, 'req-1']);
    expect(await response.body.text()).toBe('');
  });

  test('mints read-only tokens by default', async () => {
    host = await startHost(service);
    await execute(host);
    // Without a list, the service allows the read-only actions.
    expect(JSON.parse(service.scopedTokenRequests[0]?.body ?? '')).toEqual({
      customer_name: 'acme',
      allowed_management: ['delete'],
    });
    await host.stop();
    host = await startHost(service, { allowedActions: ['list', 'create'], allowedSources: ['granola'] });
    await execute(host);
    expect(JSON.parse(service.scopedTokenRequests[1]?.body ?? '')).toEqual({
      customer_name: 'acme',
      allowed_actions: ['list', 'create'],
      allowed_sources: ['granola'],
      allowed_management: ['delete'],
    });
  });
});

describe('browser disconnects', () => {
  test('cancels the call to the service if the browser disconnects before the response', async () => {
    host = await startHost(service);
    const closed = new Promise<void>(resolve => {
      service.respond = (_request, response) => response.once('close', resolve);
    });
    const browser = new AbortController();
    const call = execute(host, { signal: browser.signal });
    await service.received(1);
    browser.abort();
    await expect(call).rejects.toThrow();
    await closed;
    expect(host.errors).toEqual([]);
  });

  test('cancels the call to the service if the app itself responds', async () => {
    let own: ServerResponse | undefined;
    host = await startHost(service, {
      resolveCustomer({ res }) {
        own = res;
        return 'acme';
      },
    });
    const closed = new Promise<void>(resolve => {
      service.respond = (_request, response) => {
        response.once('close', resolve);
        own?.writeHead(503).end('Too slow');
      };
    });
    const response = await execute(host);
    expect([response.statusCode, await response.body.text()]).toEqual([503, 'Too slow']);
    await closed;
    expect(host.errors).toEqual([]);
  });

  test('leaves a response alone that the app itself has started', async () => {
    let own: ServerResponse | undefined;
    host = await startHost(service, {
      resolveCustomer({ res }) {
        own = res;
        return 'acme';
      },
    });
    const closed = new Promise<void>(resolve => {
      service.respond = (_request, response) => {
        own?.writeHead(503).write('Too');
        response.writeHead(200, json).write('{"result":');
        response.once('close', resolve);
      };
    });
    const response = await execute(host);
    await closed;
    own?.end(' slow');
    expect([response.statusCode, await response.body.text()]).toEqual([503, 'Too slow']);
    expect(host.errors).toEqual([]);
  });

  test('cancels the call to the service if the browser disconnects during the response', async () => {
    host = await startHost(service);
    const closed = new Promise<void>(resolve => {
      service.respond = (_request, response) => {
        response.writeHead(200, json).write('{"result":');
        response.once('close', resolve);
      };
    });
    const browser = new AbortController();
    const response = await execute(host, { signal: browser.signal });
    const reading = response.body.text();
    browser.abort();
    await expect(reading).rejects.toThrow();
    await closed;
    expect(host.errors).toEqual([]);
  });

  test('ignores a browser that disconnects while sending its request', async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    host = await startHost(service, {
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
    expect((await execute(host)).statusCode).toBe(200);
    expect(service.requests).toHaveLength(1);
    expect(host.errors).toEqual([]);
  });
});
