import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SandboxControl } from './control/control.ts';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

/**
 * Longer than any pause in a test, because a request fails if the server closes its connection just as the
 * client reuses that connection.
 */
const keepAliveTimeout = 65_000;

/** Options for starting a sandbox. */
export interface StartOptions extends SandboxOptions {
  /** 0 (the default) chooses a free port. */
  port?: number;
  host?: string;
}

/** A listening sandbox. */
export interface RunningSandbox {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  readonly control: SandboxControl;
  /** Closes the server and all open connections, including hanging requests. */
  close(): Promise<void>;
}

/** Starts a sandbox; rejects if it cannot listen on the address. */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const { port = 0, host = '127.0.0.1', ...rest } = options;
  const { app, control } = createSandbox(rest);
  const server = createServer({ keepAliveTimeout }, app);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    control,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
