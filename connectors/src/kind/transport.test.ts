import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectorAuthError } from '@connector-auth/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createTransport, isAllowedHost, TransportError } from './transport.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a real server in place of the sandbox and returns its base URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Its timeout is never reached, however busy the machine is: tests of a timeout set their own. */
const call = { vendorName: 'Things', hosts: ['things.example'], timeoutMs: 3_600_000 };
const get = { method: 'GET', url: 'https://things.example/v1/things' } as const;

describe('request URLs', () => {
  test('puts the vendor host into the path of the sandbox URL and keeps the path and query', async () => {
    let seen: string | undefined;
    const sandboxUrl = await serve((request, response) => {
      seen = request.url;
      response.end('{}');
    });
    await createTransport({ sandboxUrl })({ ...get, query: { a: 'x y', b: 7n, c: undefined } }, call);
    expect(seen).toBe('/things.example/v1/things?a=x+y&b=7');
  });

  test.each([
    'https://evil.example/',
    'http://things.example/',
    'https://things.example.evil.example/',
    'https://things.example:8443/',
  ])('never sends a request to %s', async url => {
    await expect(createTransport()({ ...get, url }, call)).rejects.toThrow('must not be sent to');
  });

  test('rejects a sandbox on another machine', () => {
    for (const sandboxUrl of [
      'https://sandbox.example.com',
      'http://127.0.0.1.example.com',
      'ftp://localhost',
    ])
      expect(() => createTransport({ sandboxUrl })).toThrow('sandboxUrl must be a localhost URL');
  });

  test('matches subdomains only if the pattern starts with `*.`', () => {
    expect(isAllowedHost('a.api.example', ['*.api.example'])).toBe(true);
    expect(isAllowedHost('api.example', ['*.api.example'])).toBe(false);
    expect(isAllowedHost('evilapi.example', ['*.api.example'])).toBe(false);
    expect(isAllowedHost('.api.example', ['*.api.example'])).toBe(false);
  });
});

describe('responses', () => {
  test('parses 19-digit integers without loss', async () => {
    const sandboxUrl = await serve((_request, response) => response.end('{"id": 7210046633581101057}'));
    const { body } = await createTransport({ sandboxUrl })(get, call);
    expect(body).toEqual({ id: 7210046633581101057n });
  });

  test.each([
    ['', null],
    ['<html>', undefined],
    ['{"cut', undefined],
    [`{"id": ${'9'.repeat(101)}}`, undefined],
    [`${'['.repeat(129)}${']'.repeat(129)}`, undefined],
  ])('parses the response body %j as %j', async (text, body) => {
    const sandboxUrl = await serve((_request, response) => response.end(text));
    expect(await createTransport({ sandboxUrl })(get, call)).toMatchObject({ status: 200, body });
  });

  test('does not follow redirects', async () => {
    const sandboxUrl = await serve((_request, response) =>
      response.writeHead(302, { location: '/other' }).end(),
    );
    expect(await createTransport({ sandboxUrl })(get, call)).toMatchObject({ status: 302 });
  });

  test('preserves 64-bit integers in JSON request bodies', async () => {
    let seen = '';
    const sandboxUrl = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => (seen += chunk.toString())).on('end', () => response.end('{}'));
    });
    await createTransport({ sandboxUrl })(
      { ...get, method: 'POST', body: { id: 7210046633581101057n } },
      call,
    );
    expect(seen).toBe('{"id":7210046633581101057}');
  });
});

describe('large responses', () => {
  const MiB = 1024 * 1024;

  /** Sends spaces, which are valid before a JSON value, as fast as the client reads them. */
  const sendSpaces =
    (bytes: number): RequestListener =>
    (_request, response) => {
      const chunk = Buffer.alloc(MiB / 4, ' ');
      let sent = 0;
      const send = (): void => {
        while (sent < bytes) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', send);
        }
        response.end('{}');
      };
      send();
    };

  test('stops reading a response at 64 MiB', async () => {
    const sandboxUrl = await serve(sendSpaces(65 * MiB));
    expect(await failure(createTransport({ sandboxUrl })(get, call))).toMatchObject({
      code: 'vendor_response_too_large',
      message: expect.stringContaining('larger than 64 MiB') as string,
    });
  });

  test('does not read a response whose Content-Length is over 64 MiB', async () => {
    const sandboxUrl = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': 65 * MiB }).flushHeaders(),
    );
    expect(await failure(createTransport({ sandboxUrl })(get, call))).toMatchObject({
      code: 'vendor_response_too_large',
    });
  });

  test.each([true, false])(
    'reserves memory for a response before reading more of it (Content-Length: %s)',
    async hasLength => {
      const bytes = 2 * MiB;
      const sandboxUrl = await serve((request, response) => {
        if (hasLength) response.setHeader('content-length', bytes + 2);
        sendSpaces(bytes)(request, response);
      });
      let reserved = 0;
      let largest = 0;
      const memory = {
        reserve: (more: number) => {
          reserved += more;
          largest = Math.max(largest, more);
          return undefined;
        },
        takeTurn: () => undefined,
      };
      expect(await createTransport({ sandboxUrl })(get, { ...call, memory })).toMatchObject({ body: {} });
      expect(reserved).toBe(bytes + 2);
      if (hasLength) expect(largest).toBe(bytes + 2);
      else expect(largest).toBeLessThan(MiB);
    },
  );

  test('does not count the wait for memory towards the vendor’s timeout', async () => {
    const sandboxUrl = await serve((_request, response) => response.end('{}'));
    const timeoutMs = 5_000;
    const memory = {
      reserve: () => new Promise<void>(resolve => setTimeout(resolve, timeoutMs + 500)),
      takeTurn: () => undefined,
    };
    const { status } = await createTransport({ sandboxUrl })(get, { ...call, timeoutMs, memory });
    expect(status).toBe(200);
  });

  test('throws the error with which reserving memory failed', async () => {
    const sandboxUrl = await serve((_request, response) => response.end('{}'));
    const error = new ConnectorAuthError('rate_limited', 'Too many', { retryAfterSeconds: 5 });
    const memory = { reserve: () => Promise.reject(error), takeTurn: () => undefined };
    expect(await failure(createTransport({ sandboxUrl })(get, { ...call, memory }))).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 5,
    });
  });
});

describe('failing requests', () => {
  test('marks a refused connection as not sent', async () => {
    const sandboxUrl = await serve((_request, response) => response.end());
    servers[0]?.close();
    const error = await failure(createTransport({ sandboxUrl })(get, call));
    expect(error).toMatchObject({ code: 'vendor_failed', mayHaveArrived: false });
  });

  test('marks a request whose connection was lost as possibly sent', async () => {
    const sandboxUrl = await serve(request => request.socket.destroy());
    const error = await failure(createTransport({ sandboxUrl })(get, call));
    expect(error).toMatchObject({ code: 'vendor_failed', mayHaveArrived: true });
  });

  test('fails if the body is cut off', async () => {
    const sandboxUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => response.destroy());
    });
    expect(await failure(createTransport({ sandboxUrl })(get, call))).toMatchObject({
      code: 'vendor_failed',
    });
  });

  test('stops waiting at the timeout', async () => {
    const sandboxUrl = await serve(() => undefined);
    const error = await failure(createTransport({ sandboxUrl })(get, { ...call, timeoutMs: 50 }));
    expect(error).toMatchObject({
      code: 'vendor_timeout',
      status: 504,
      mayHaveArrived: true,
      message: 'Things did not respond within 50 ms',
    });
  });

  test('aborts the request when the caller cancels', async () => {
    const controller = new AbortController();
    const sandboxUrl = await serve(() => controller.abort());
    const error = await failure(createTransport({ sandboxUrl })(get, { ...call, signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted' });
  });
});

async function failure(promise: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof TransportError)) throw new Error(`no transport error: ${String(error)}`);
  return error;
}
