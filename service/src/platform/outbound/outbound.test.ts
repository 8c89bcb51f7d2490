import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
import { createAddressCheck, isNetwork } from './public-address.ts';

const never = new AbortController().signal;
const message = { headers: { 'content-type': 'application/json' }, body: '{}' };
const limits = { timeoutMs: 60_000, maxBytes: 1_000, signal: never };

/** Resolves each name to the next of its addresses, as a host does that changes its DNS. */
function resolving(...addresses: readonly string[]): LookupFunction {
  let asked = 0;
  return (_hostname, { all }, callback) => {
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
    asked += 1;
    const family = address.includes(':') ? 6 : 4;
    if (all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

describe('requests to URLs that outsiders choose', () => {
  let server: Server;
  let connections = 0;
  let requests: string[] = [];
  let port: number;
  let outbound: Outbound;
  const open = (options: Partial<OutboundOptions> = {}): Outbound => {
    outbound = createOutbound({
      allowedNetworks: [],
      allowedHosts: null,
      allowsLoopback: true,
      proxyUrl: null,
      ...options,
    });
    return outbound;
  };

  beforeEach(async () => {
    [connections, requests] = [0, []];
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (request.url === '/redirect') return response.writeHead(307, { location: '/other' }).end();
      if (request.url === '/endless') return writeForever(response);
      if (request.url === '/silent') return;
      if (request.url === '/garbage') return void request.socket.end('not HTTP\r\n\r\n');
      const headers = {
        'retry-after': '7',
        'cache-control': 'max-age=60',
        'content-type': 'text/plain',
        connection: 'close',
      };
      return response.writeHead(200, headers).end('ok');
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });

  test('posts to this machine if that is allowed, by address and by name', async () => {
    open();
    for (const host of ['127.0.0.1', 'localhost']) {
      const response = await outbound.post(`http://${host}:${port}/`, message, limits);
      expect(response).toEqual({
        status: 200,
        retryAfter: '7',
        cacheControl: 'max-age=60',
        contentType: 'text/plain',
        text: 'ok',
      });
    }
  });

  test('reads documents by the same rules', async () => {
    const response = await open().get(`http://127.0.0.1:${port}/redirect`, {}, limits);
    expect([response.status, requests]).toEqual([307, ['GET /redirect']]);
    await expect(outbound.get('https://10.0.0.1/', {}, limits)).rejects.toThrow('not public');
  });

  test('does not follow redirects', async () => {
    const response = await open().post(`http://127.0.0.1:${port}/redirect`, message, limits);
    expect([response.status, requests]).toEqual([307, ['POST /redirect']]);
  });

  test('reads only the beginning of an endless response, and closes its connection', async () => {
    const closed = new Promise(resolve => server.once('connection', socket => socket.once('close', resolve)));
    const response = await open().post(`http://127.0.0.1:${port}/endless`, message, limits);
    expect(response.text).toBe('x'.repeat(1_000));
    await closed;
  });

  test.each([
    ['/silent', 200, 'No response within 0.2 s'],
    ['/garbage', 60_000, 'The request failed'],
  ])('says why %s has no response', async (path, timeoutMs, reason) => {
    const sent = open().post(`http://127.0.0.1:${port}${path}`, message, { ...limits, timeoutMs });
    await expect(sent).rejects.toThrow(reason);
  });

  test.each([
    ['an IPv4 address', '127.0.0.1'],
    ['an IPv6 address', '::1'],
    ['a mapped address', '::ffff:127.0.0.1'],
    ['all addresses', '0.0.0.0'],
  ])('opens no connection to a name that resolves to %s of this machine', async (_title, address) => {
    open({ allowsLoopback: false, lookup: resolving(address) });
    const sent = outbound.post(`https://hook.example:${port}/`, message, limits);
    await expect(sent).rejects.toThrow('not public');
    expect(connections).toBe(0);
  });

  test('checks the address of each connection, so a name that resolves to another one later is rejected', async () => {
    open({ lookup: resolving('127.0.0.1', '10.0.0.1') });
    const url = `http://localhost:${port}/`;
    expect((await outbound.post(url, message, limits)).status).toBe(200);
    await expect(outbound.post(url, message, limits)).rejects.toThrow('not public');
    expect(connections).toBe(1);
  });

  test('rejects a name of which only one address is private', async () => {
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    open({ allowsLoopback: false, lookup });
    await expect(outbound.post('https://hook.example/', message, limits)).rejects.toThrow('not public');
  });

  test('sends only to the allowed hosts, if they are limited', async () => {
    open({ allowedHosts: ['localhost', '*.example.com'] });
    expect((await outbound.post(`http://localhost:${port}/`, message, limits)).status).toBe(200);
    await expect(outbound.post(`http://127.0.0.1:${port}/`, message, limits)).rejects.toThrow(
      'operators allow',
    );
    expect(connections).toBe(1);
    const urls = [
      'https://a.example.com',
      'https://example.com',
      'https://b.a.example.com',
      'https://a.example.org',
    ];
    expect(urls.map(url => outbound.explainRejection(url) === null)).toEqual([true, false, false, false]);
  });

  test('sends everything through the forward proxy, if there is one', async () => {
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      seen.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    const { port: proxyPort } = proxy.address() as AddressInfo;
    open({ allowsLoopback: false, proxyUrl: `http://127.0.0.1:${proxyPort}` });
    await expect(outbound.post('https://hook.example/', message, limits)).rejects.toThrow(
      'The request failed',
    );
    await expect(outbound.post('https://10.0.0.1/', message, limits)).rejects.toThrow('not public');
    expect(seen).toEqual(['hook.example:443']);
    proxy.close();
  });

  test.each([
    'http://app.example/',
    'https://user@app.example/',
    'https://:secret@app.example/',
    'ftp://app.example/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://[::ffff:7f00:1]/',
    'not a URL',
  ])('rejects %s before it resolves anything', async url => {
    open({ allowsLoopback: false, lookup: () => expect.unreachable() });
    expect(outbound.explainRejection(url)).not.toBeNull();
    await expect(outbound.post(url, message, limits)).rejects.toThrow();
  });
});

describe('addresses', () => {
  const isPublic = createAddressCheck({ allowedNetworks: [], allowsLoopback: false });

  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '2a00:1450::1',
  ])('%s is public', address => expect(isPublic(address)).toBe(true));
  test.each([
    ['0.0.0.0', 'this network'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'shared by carriers'],
    ['100.100.100.200', 'metadata'],
    ['127.8.8.8', 'loopback'],
    ['169.254.169.254', 'metadata'],
    ['168.63.129.16', 'a platform service'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'for benchmarks'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:10.0.0.1', 'mapped'],
    ['::ffff:8.8.8.8', 'mapped'],
    ['::10.0.0.1', 'compatible with IPv4'],
    ['64:ff9b::a00:1', 'translated'],
    ['2002:a00:1::', 'a tunnel'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'a tunnel'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['ff02::1', 'multicast'],
    ['localhost', 'no address'],
  ])('%s is not public: %s', address => expect(isPublic(address)).toBe(false));

  test('networks of the operator are allowed, and nothing beside them', () => {
    const isAllowed = createAddressCheck({
      allowedNetworks: ['10.1.0.0/16', 'fd12::/32'],
      allowsLoopback: true,
    });
    expect(['10.1.2.3', 'fd12::1', '127.0.0.1', '::1'].map(isAllowed)).toEqual([true, true, true, true]);
    expect(['10.2.0.1', 'fd13::1', '169.254.169.254'].map(isAllowed)).toEqual([false, false, false]);
  });

  test.each(['10.0.0.0/8', 'fd00::/8', '192.0.2.1/32'])('%s is a network', text =>
    expect(isNetwork(text)).toBe(true),
  );
  test.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', 'example.com/8', '10.0.0.0/8/8', '/8', 'fe80::%1/64'])(
    '%s is no network',
    text => expect(isNetwork(text)).toBe(false),
  );
});

function writeForever(response: { write(text: string, done: (error: unknown) => void): boolean }): void {
  response.write('x'.repeat(64_000), error => {
    if (!error) writeForever(response);
  });
}
