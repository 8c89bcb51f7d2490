import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { FakeService } from '../test/fake-service.ts';

const example = fileURLToPath(new URL('app.ts', import.meta.url));

test('the README example returns a widget token to a signed-in user and 401 to others', async () => {
  const service = await new FakeService().start();
  const port = await freePort();
  const app = spawn(process.execPath, ['--conditions=source', '--import', reportListening, example], {
    env: { SERVICE_URL: service.baseUrl, CLIENT_ID: 'client-1', CLIENT_SECRET: 'secret', PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await once(app, 'message');
    const post = (cookie: string) =>
      request(`http://127.0.0.1:${port}/connector-auth/widget-token`, {
        method: 'POST',
        headers: { origin: 'http://localhost:3000', cookie },
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
});

test('the README contains the example verbatim', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(readFileSync(example, 'utf8'));
});

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
