import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { reserveAddress, type Address } from './listen.ts';

const open: Address[] = [];
afterEach(async () => {
  for (const address of open.splice(0)) await address.close(0);
});

async function serve(handle: RequestListener, host = '127.0.0.1', port = 0): Promise<Address> {
  const address = await reserveAddress({ host, port });
  open.push(address);
  await address.serve(handle);
  return address;
}

test('knows the URL of a free port before it serves requests there', async () => {
  const address = await reserveAddress({ host: '127.0.0.1', port: 0 });
  open.push(address);
  const port = Number(new URL(address.url).port);
  await expect(reserveAddress({ host: '127.0.0.1', port })).rejects.toThrow('the port is in use');
  await address.serve((_request, response) => response.end('here'));
  expect(await (await fetch(address.url)).text()).toBe('here');
});

test('returns a localhost URL when it listens on every address', async () => {
  const { url } = await serve((_request, response) => response.end('here'), '0.0.0.0');
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
});

test('rejects a port that is in use and suggests another', async () => {
  const { url } = await serve((_request, response) => response.end());
  const port = Number(new URL(url).port);
  await expect(reserveAddress({ host: '127.0.0.1', port })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT`,
  );
});

test('leaves a fixed port available until it serves requests there', async () => {
  const { url } = await serve((_request, response) => response.end());
  const port = Number(new URL(url).port);
  await expect(reserveAddress({ host: '127.0.0.1', port }, 'METRICS_')).rejects.toThrow(
    'choose another with METRICS_PORT',
  );
  await open.pop()?.close(0);
  const reserved = await reserveAddress({ host: '127.0.0.1', port });
  await expect(fetch(reserved.url)).rejects.toThrow(TypeError);
  const other = await serve((_request, response) => response.end(), '127.0.0.1', port);
  await expect(reserved.serve(() => {})).rejects.toThrow('the port is in use');
  await other.close(0);
  open.push(reserved);
  await reserved.serve((_request, response) => response.end('here'));
  expect(await (await fetch(reserved.url)).text()).toBe('here');
});

test('rejects an address that this machine does not have', async () => {
  await expect(reserveAddress({ host: '192.0.2.1', port: 0 })).rejects.toThrow(
    'this machine does not have that address; check HOST',
  );
});

test('finishes a running request on shutdown and then closes its connection', async () => {
  const arrived = Promise.withResolvers<void>();
  const mayRespond = Promise.withResolvers<void>();
  const { url, close } = await serve((_request, response) => {
    arrived.resolve();
    void mayRespond.promise.then(() => response.end('done'));
  });
  const response = fetch(url);
  await arrived.promise;
  const closed = close(10_000);
  mayRespond.resolve();
  expect(await (await response).text()).toBe('done');
  expect(await closed).toBe(true);
});

test('closes the connections of requests that exceed the shutdown time limit, and returns false', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, close } = await serve(() => arrived.resolve());
  const response = fetch(url).catch((error: unknown) => error);
  await arrived.promise;
  expect(await close(20)).toBe(false);
  expect(await response).toBeInstanceOf(TypeError);
});
