import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { FakeService } from '../test/fake-service.ts';

const page = 'http://localhost:3000';

/** The examples that listen, read when they are loaded. */
const programs = {
  'app.ts': () => import('./app.ts'),
  'fastify.ts': () => import('./fastify.ts'),
  'hono.ts': () => import('./hono.ts'),
  'node.ts': () => import('./node.ts'),
} as const;

let service: FakeService;
beforeAll(async () => {
  service = await new FakeService().listen();
  // The examples read them once.
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.stop();
});

function variables(port = 0) {
  return {
    SERVICE_URL: service.baseUrl,
    CLIENT_ID: 'client-1',
    CLIENT_SECRET: 'secret',
    PORT: String(port),
  };
}

test.each(Object.entries(programs))(
  'the example %s returns a widget token to a signed-in user and 401 to others',
  async (_file, load) => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    // `this` of a method of servers is a server.
    const servers = listen.mock.contexts as readonly Server[];
    onTestFinished(() => {
      listen.mockRestore();
      for (const server of servers) server.close();
    });
    await load();
    const [server] = servers;
    if (server === undefined) throw new Error('The example does not listen');
    if (!server.listening) await once(server, 'listening');
    // A server that listens on a port has an AddressInfo.
    await expectTokens((server.address() as AddressInfo).port);
  },
);

// Each process loads the helper, its framework and the client. One shows that Node runs the examples as they are.
test('the example node.ts runs as a program', () => runs('node.ts'));
fullTest.each(['app.ts', 'fastify.ts', 'hono.ts'])('the example %s runs as a program', file => runs(file));

async function runs(file: string): Promise<void> {
  const port = await freePort();
  const app = spawn(process.execPath, ['--conditions=source', '--import', reportListening, pathOf(file)], {
    env: { ...variables(port), NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await once(app, 'message');
    await expectTokens(port);
  } finally {
    app.kill();
  }
}

async function expectTokens(port: number): Promise<void> {
  const post = (cookie: string) =>
    request(`http://localhost:${port}/connector-auth/widget-token`, {
      method: 'POST',
      headers: { origin: page, cookie },
    });
  const signedIn = await post('theme=dark; session=3f1c0a52');
  expect(await signedIn.body.json()).toMatchObject({
    token: expect.stringMatching(/^widget-acme-\d+$/) as string,
    service_url: service.baseUrl,
  });
  expect((await post('session=unknown')).statusCode).toBe(401);
}

test('the examples for Next.js and web requests return a widget token to a signed-in user', async () => {
  const handlers = [(await import('./next.ts')).POST, (await import('./web.ts')).handler];
  for (const handler of handlers) {
    const post = (cookie: string) =>
      handler(
        new Request(`${page}/connector-auth/widget-token`, {
          method: 'POST',
          headers: { origin: page, cookie },
        }),
      );
    const signedIn = await post('session=3f1c0a52');
    expect(await signedIn.json()).toMatchObject({ token: expect.stringMatching(/^widget-acme-/) as string });
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
