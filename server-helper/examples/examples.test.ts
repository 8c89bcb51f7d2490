import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeService } from '../test/fake-service.ts';

const page = 'http://localhost:3000';

test.each(['app.ts', 'fastify.ts', 'hono.ts', 'node.ts'])(
  'the example %s returns a widget token to a signed-in user and 401 to others',
  async file => {
    const service = await new FakeService().start();
    const port = await freePort();
    const app = spawn(process.execPath, ['--conditions=source', '--import', reportListening, pathOf(file)], {
      env: {
        SERVICE_URL: service.baseUrl,
        CLIENT_ID: 'client-1',
        CLIENT_SECRET: 'secret',
        PORT: String(port),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      await once(app, 'message');
      const post = (cookie: string) =>
        request(`http://localhost:${port}/connector-auth/widget-token`, {
          method: 'POST',
          headers: { origin: page, cookie },
        });
      const signedIn = await post('theme=dark; session=3f1c0a52');
      expect(await signedIn.body.json()).toMatchObject({
        token: 'widget-acme-1',
        service_url: service.baseUrl,
      });
      expect((await post('session=unknown')).statusCode).toBe(401);
    } finally {
      app.kill();
      await service.stop();
    }
  },
);

test('the examples for Next.js and web requests return a widget token to a signed-in user', async () => {
  const service = await new FakeService().start();
  vi.stubEnv('SERVICE_URL', service.baseUrl)
    .stubEnv('CLIENT_ID', 'client-1')
    .stubEnv('CLIENT_SECRET', 'secret');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const handlers = [(await import('./next.ts')).POST, (await import('./web.ts')).handler];
  for (const [index, handler] of handlers.entries()) {
    const post = (cookie: string) =>
      handler(
        new Request(`${page}/connector-auth/widget-token`, {
          method: 'POST',
          headers: { origin: page, cookie },
        }),
      );
    const signedIn = await post('session=3f1c0a52');
    expect(await signedIn.json()).toMatchObject({ token: `widget-acme-${index + 1}` });
    expect((await post('session=unknown')).status).toBe(401);
  }
});

test.each(['app.ts', 'fastify.ts', 'hono.ts', 'next.ts', 'node.ts', 'web.ts'])(
  'the README contains the example %s verbatim',
  file => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(readFileSync(pathOf(file), 'utf8'));
  },
);

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** A module that sends a message when any server starts to listen, because the example prints nothing. */
const reportListening = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    return listen.apply(this.once('listening', () => process.send('listening')), args);
  };
`)}`;

/** Returns a port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
