import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Longer than the idle timeout of load balancers (usually 60 s), so that the service never closes a
 * connection that a load balancer is about to reuse.
 */
const keepAliveTimeout = 65_000;

/** An address of this machine. */
export interface Address {
  /** Its URL on this machine, without a trailing slash. */
  readonly url: string;
  /**
   * Starts accepting connections.
   * @throws Error as {@link reserveAddress} does.
   */
  readonly serve: (handle: RequestListener) => Promise<void>;
  /** Ends each connection with its next response, so that clients open their next one elsewhere. */
  readonly endConnections: () => void;
  /**
   * Stops accepting connections, waits for running requests, and aborts those that exceed the time limit.
   * @returns whether all requests finished in time.
   */
  readonly close: (withinMs: number) => Promise<boolean>;
}

/**
 * Checks that an address is available, before work starts that would still run while the process exits. Connections to a
 * fixed port are rejected until the address is served. A port that the operating system chose stays reserved.
 * @param prefix the prefix of the variables with the address, `HOST` and `PORT`.
 * @throws Error with a message for the operator if the address is not available.
 */
export async function reserveAddress(
  { host, port }: { host: string; port: number },
  prefix = '',
): Promise<Address> {
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout });
  await bind(server, { host, port }, prefix);
  const url = urlOf(server, host);
  if (port !== 0) {
    server.close();
    await once(server, 'close');
  }
  return {
    url,
    serve: async handle => {
      if (!server.listening) await bind(server, { host, port }, prefix);
      // The server accepts no connection before this turn of the event loop ends, so no request is missed.
      server.on('request', handle);
    },
    endConnections: () => endConnections(server),
    close: withinMs => close(server, withinMs),
  };
}

async function bind(
  server: Server,
  { host, port }: { host: string; port: number },
  prefix: string,
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = reasonOf(error, prefix);
    const message = `Cannot listen on ${host}:${port}`;
    throw reason === null ? new Error(message, { cause: error }) : new Error(`${message}: ${reason}`);
  }
}

function endConnections(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

async function close(server: Server, withinMs: number): Promise<boolean> {
  let isInTime = true;
  const closed = once(server, 'close');
  endConnections(server);
  // Also closes idle connections. A busy connection becomes idle after its response.
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
  if (address === null || typeof address === 'string')
    throw new Error('The server is not bound to a TCP address');
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

/** Returns what to change, or null if the error is not one of those that an operator can cause. */
function reasonOf(error: unknown, prefix: string): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `the port is in use; choose another with ${prefix}PORT`;
  if (code === 'EACCES') return `permission denied; choose a ${prefix}PORT above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `this machine does not have that address; check ${prefix}HOST`;
  return null;
}
