import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listen, type Listening } from './listen.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close(0);
});

async function serve(handle: RequestListener, host = '127.0.0.1'): Promise<Listening> {
  const listening = await listen({ host, port: 0 }, () => handle);
  open.push(listening);
  return listening;
}

test('serves what it was told to make for its URL', async () => {
  const listening = await listen(
    { host: '127.0.0.1', port: 0 },
    url => (_request, response) => response.end(url),
  );
  open.push(listening);
  expect(await (await fetch(listening.url)).text()).toBe(listening.url);
});

test('gives a URL that this machine can use when it listens on every address', async () => {
  const { url } = await serve((_request, response) => response.end('here'), '0.0.0.0');
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
});

test('refuses a port in use, and says what to do', async () => {
  const { url } = await serve((_request, response) => response.end());
  const port = Number(new URL(url).port);
  await expect(listen({ host: '127.0.0.1', port }, () => () => {})).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT`,
  );
});

test('refuses an address that this machine does not have', async () => {
  await expect(listen({ host: '192.0.2.1', port: 0 }, () => () => {})).rejects.toThrow(
    'this machine does not have that address; see HOST',
  );
});

test('lets a running request finish, and closes its connection with the answer', async () => {
  const arrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const { url, close } = await serve((_request, response) => {
    arrived.resolve();
    void mayAnswer.promise.then(() => response.end('done'));
  });
  const response = fetch(url);
  await arrived.promise;
  const closed = close(10_000);
  mayAnswer.resolve();
  expect(await (await response).text()).toBe('done');
  expect(await closed).toBe(true);
});

test('cuts off who is not done in time, and says so', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, close } = await serve(() => arrived.resolve());
  const response = fetch(url).catch((error: unknown) => error);
  await arrived.promise;
  expect(await close(20)).toBe(false);
  expect(await response).toBeInstanceOf(TypeError);
});
