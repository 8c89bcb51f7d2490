import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Longer than load balancers keep an idle connection (60 s is usual), so that none is closed as it is used again. */
const keepAliveTimeout = 65_000;

/** A server that listens. */
export interface Listening {
  /** Where it can be reached from this machine, without a slash at its end. */
  readonly url: string;
  /**
   * Takes no more connections, lets running requests finish, and cuts off those that are not done in time.
   * @returns whether all of them finished.
   */
  readonly close: (withinMs: number) => Promise<boolean>;
}

/**
 * Listens, then serves what `handle` makes, which is told the URL.
 * @throws Error in words for the operator when the address cannot be had.
 */
export async function listen(
  { host, port }: { host: string; port: number },
  handle: (url: string) => RequestListener,
): Promise<Listening> {
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`Cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error });
  }
  const url = urlOf(server, host);
  // No connection is accepted before this turn of the event loop ends, so no request is missed.
  server.on('request', handle(url));
  return { url, close: withinMs => drain(server, withinMs) };
}

async function drain(server: Server, withinMs: number): Promise<boolean> {
  let isInTime = true;
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // Closes idle connections too; a busy one becomes idle when its answer is out.
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => {
    isInTime = false;
    server.closeAllConnections();
  }, withinMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return isInTime;
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no address');
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'the port is in use; choose another with PORT';
  if (code === 'EACCES') return 'this user may not; choose a PORT above 1023';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'this machine does not have that address; see HOST';
  return error instanceof Error ? error.message : String(error);
}
