import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../platform/log/log.ts';
import { mountConsole } from './routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-console-'));
beforeAll(() => {
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.js'), 'secret');
  writeFileSync(
    join(folder, 'dist/index.html'),
    '<meta name="service-url" content="" /><title>Console</title>',
  );
  writeFileSync(join(folder, 'dist/assets/index-1a2b.js'), 'start()');
  writeFileSync(join(folder, 'dist/assets/index-1a2b.js.br'), brotliCompressSync('start()'));
  writeFileSync(join(folder, 'dist/favicon.svg'), '<svg/>');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Serves the console and returns a function that requests a path without normalizing it. */
async function serve(
  built: string | null = join(folder, 'dist'),
  publicUrl = 'https://connect.example.com',
): Promise<{
  ask: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  logged: () => string;
}> {
  const lines: string[] = [];
  const log = createLog({ destination: { write: line => void lines.push(line) } });
  const app = express();
  app.use(mountConsole({ publicUrl, log, folder: built }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    logged: () => lines.join(''),
    ask: async (path, headers = {}) => {
      const sent = request({ host: '127.0.0.1', port, path, headers }).end();
      // The event passes one response.
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, headers: response.headers, text: await text(response) };
    },
  };
}

test.each(['/console', '/console/', '/console/organizations/7', '/console/%2e%2e/secret.js'])(
  'serves the page at %s',
  async path => {
    const { ask } = await serve();
    const { status, headers, text } = await ask(path);
    expect(status).toBe(200);
    expect(text).toContain('<title>Console</title>');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
  },
);

test('forbids inline code, other origins, framing and untrusted HTML', async () => {
  const { ask } = await serve();
  const policy = String((await ask('/console')).headers['content-security-policy']).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(policy.join()).not.toContain('unsafe');
});

test('writes the public URL into the page, escaped', async () => {
  const { ask } = await serve(undefined, 'https://connect.example.com/"><b>');
  expect((await ask('/console')).text).toContain(
    'content="https://connect.example.com/&#34;&#62;&#60;b&#62;"',
  );
});

test('serves hashed files compressed and for good, and others for an hour', async () => {
  const { ask } = await serve();
  const plain = await ask('/console/assets/index-1a2b.js');
  expect(plain).toMatchObject({ status: 200, text: 'start()' });
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const compressed = await ask('/console/assets/index-1a2b.js', { 'accept-encoding': 'gzip, br' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  const icon = await ask('/console/favicon.svg');
  expect(icon.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=3600',
  });
});

test.each([
  '/console/assets/index-9z.js',
  '/console/assets/../../secret.js',
  '/console/assets/%2e%2e/%2e%2e/secret.js',
  '/console/assets/index-1a2b.js.br',
])('responds with 404 to %s', async path => {
  const { ask } = await serve();
  const { status, text } = await ask(path);
  expect(status).toBe(404);
  expect(text).not.toBe('secret');
});

test('says what to do if the console was not built', async () => {
  const { ask, logged } = await serve(null);
  const { status, text } = await ask('/console/organizations');
  expect(status).toBe(503);
  expect(text).toContain('pnpm build');
  expect(logged()).toContain('console_missing');
});
