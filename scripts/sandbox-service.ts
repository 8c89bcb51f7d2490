/** Starts the sandbox, alone or with a service that uses it and an application for a backend. */
import { mkdirSync } from 'node:fs';
import { startProcess } from '../demo/src/child-process.ts';
import { freePort } from '../demo/src/free-port.ts';
import { sandboxOAuthApps } from '../demo/src/stack.ts';

export interface StartOptions {
  /** The preferred port, which is used if it is free. 0 selects any free port. */
  readonly port: number;
  /** Receives a notice if the preferred port is in use. */
  readonly log: (line: string) => void;
  /** Called once if the process exits unexpectedly. */
  readonly onUnexpectedExit: (message: string) => void;
}

export interface ServiceOptions extends StartOptions {
  readonly sandboxUrl: string;
  /** The folder for the database and the keys. */
  readonly dataDir: string;
  /** The secret of the application. */
  readonly clientSecret: string;
}

/** A started process. */
export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** The client id of the application. */
export const clientId = 'my-backend';

/** The ports that are used if they are free. */
export const preferredPorts = {
  service: portFrom('SERVICE_PORT', 8787),
  sandbox: portFrom('SANDBOX_PORT', 8788),
};

function portFrom(variable: string, byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return byDefault;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  console.error(`${variable} must be a port from 1 to 65535, but it is "${text}".`);
  process.exit(1);
}

/** Starts the sandbox; resolves when it is ready. */
export function startSandbox(options: StartOptions): Promise<Running> {
  return start('sandbox', {}, options);
}

/** Starts a service that uses the sandbox, with one application; resolves when it is ready. */
export function startService(options: ServiceOptions): Promise<Running> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const environment = {
    DATA_DIR: options.dataDir,
    SANDBOX_URL: options.sandboxUrl,
    ...sandboxOAuthApps,
    BOOTSTRAP_ORGANIZATION: 'My product',
    BOOTSTRAP_CLIENT_ID: clientId,
    BOOTSTRAP_CLIENT_SECRET: options.clientSecret,
  };
  return start('service', environment, options);
}

async function start(
  name: 'sandbox' | 'service',
  environment: Readonly<Record<string, string>>,
  { port: preferred, log, onUnexpectedExit }: StartOptions,
): Promise<Running> {
  const port = await freePort(preferred);
  if (preferred !== 0 && port !== preferred) {
    log(`Port ${preferred} is in use. The ${name} uses port ${port} instead.`);
  }
  const started = startProcess(name, { ...environment, PORT: String(port) }, onUnexpectedExit);
  try {
    await started.ready;
  } catch (error) {
    await started.close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, close: () => started.close() };
}

/** Returns the lines of an `.env` file. */
export function formatEnvironment(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
