import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SandboxControl } from './control/control.ts';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

/** Longer than a busy test leaves a connection alone: one that is closed as it is used again fails its request. */
const keepAliveTimeout = 65_000;

/** Where the sandbox listens, besides how it is made. */
export interface StartOptions extends SandboxOptions {
  /** 0 = any free port. */
  port?: number;
  host?: string;
}

/** A sandbox that listens. */
export interface RunningSandbox {
  /** Its base URL, without a slash at the end. */
  readonly url: string;
  readonly control: SandboxControl;
  /** Ends it at once, requests that hang included. */
  close(): Promise<void>;
}

/** Starts a sandbox; rejects when the address cannot be had. */
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
