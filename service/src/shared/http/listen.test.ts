import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { checkAddress, listen, type Listening } from './listen.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close(0);
});

async function serve(handle: RequestListener, host = '127.0.0.1'): Promise<Listening> {
  const listening = await listen({ host, port: 0 }, () => handle);
  open.push(listening);
  return listening;
}

test('serves requests with the handler that was created for the server URL', async () => {
  const listening = await listen(
    { host: '127.0.0.1', port: 0 },
    url => (_request, response) => response.end(url),
  );
  open.push(listening);
  expect(await (await fetch(listening.url)).text()).toBe(listening.url);
});

test('returns a localhost URL when it listens on every address', async () => {
  const { url } = await serve((_request, response) => response.end('here'), '0.0.0.0');
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
});

test('rejects a port that is in use and suggests another', async () => {
  const { url } = await serve((_request, response) => response.end());
  const port = Number(new URL(url).port);
  await expect(listen({ host: '127.0.0.1', port }, () => () => {})).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT`,
  );
});

test('checks whether an address is available, and leaves it available', async () => {
  const { url } = await serve((_request, response) => response.end());
  const address = { host: '127.0.0.1', port: Number(new URL(url).port) };
  await expect(checkAddress(address, 'METRICS_')).rejects.toThrow('choose another with METRICS_PORT');
  await open.pop()?.close(0);
  await checkAddress(address);
  open.push(await listen(address, () => () => {}));
});

test('rejects an address that this machine does not have', async () => {
  await expect(listen({ host: '192.0.2.1', port: 0 }, () => () => {})).rejects.toThrow(
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
