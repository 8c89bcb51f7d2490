/** The fastest possible vendor: a sandbox in a separate process that serves cached responses from memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { startSandbox } from '@connector-auth/sandbox';
import { atEnd } from './harness.ts';

/** The message that the vendor process sends when it is ready. */
export interface CachedVendor {
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Starts the vendor process with settings for the simulated vendor. */
export async function startCachedVendor(
  vendor: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<CachedVendor> {
  const child = fork(import.meta.filename, [vendor, JSON.stringify(settings)]);
  atEnd(() => child.kill());
  // The process sends only this message.
  const [ready] = (await once(child, 'message')) as [CachedVendor];
  return ready;
}

async function serve(vendor: string, settings: Record<string, unknown>): Promise<CachedVendor> {
  const sandbox = await startSandbox();
  sandbox.control.vendor(vendor).settings.set(settings);
  const cache = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const address = `${request.method} ${request.url}`;
      let body = cache.get(address);
      if (body === undefined) {
        const { authorization, 'access-token': token } = request.headers;
        const headers = {
          ...(authorization && { authorization }),
          ...(token && { 'access-token': String(token) }),
        };
        const response = await fetch(`${sandbox.url}${request.url}`, {
          method: request.method ?? 'GET',
          headers,
        });
        body = Buffer.from(await response.arrayBuffer());
        cache.set(address, body);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not bound to a TCP port');
  const described = sandbox.control.vendors().find(({ key }) => key === vendor);
  const credentials = described?.credentials.find(({ works }) => works)?.values ?? {};
  return { url: `http://127.0.0.1:${address.port}`, credentials };
}

if (import.meta.main) {
  const [vendor = '', settings = '{}'] = process.argv.slice(2);
  // `startCachedVendor` passes the settings as JSON.
  process.send?.(await serve(vendor, JSON.parse(settings) as Record<string, unknown>));
}
