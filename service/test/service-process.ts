import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from '@connector-auth/api/client';
import { readConfiguration } from '../src/platform/config/configuration.ts';
import type { Environment } from '../src/platform/config/environment.ts';
import type { DatabaseLocation } from '../src/platform/database/database.ts';
import { createLog } from '../src/platform/log/log.ts';
import { startService, type RunningService } from '../src/service.ts';

/** The service as operators run it, in a process that is configured by environment variables. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The service's URL from the `service_ready` log line. Rejects if the process exits earlier. */
  readonly url: Promise<string>;
  /** The exit code of the process, or the signal that killed it. */
  readonly ended: Promise<number | string>;
  /** Resolves when this event is logged. */
  logged(event: string): Promise<void>;
  stdout(): string;
  stderr(): string;
}

/** The bootstrap application of service processes in tests. */
export const application = {
  BOOTSTRAP_ORGANIZATION: 'Acme',
  BOOTSTRAP_CLIENT_ID: 'acme',
  BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests',
} as const;

/** Returns environment variables for a database, and keys that are the same at every start. */
export function environmentOf(location: DatabaseLocation): Environment {
  const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
  return {
    ...('dataDir' in location
      ? { DATA_DIR: location.dataDir }
      : // Opening one takes the server longer than most requests.
        { DATABASE_URL: location.databaseUrl, DATABASE_CONNECTIONS: '8' }),
    ENCRYPTION_KEYS: `e1:${key(1)}`,
    SIGNING_KEYS: `s1:${key(2)}`,
  };
}

/** What processes in tests need of this process's environment. */
export const inherited = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
} as const;

/** Starts the service with only this environment. By default, the service listens on a free port. */
export function startServiceProcess(environment: Environment): ServiceProcess {
  const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  // The process runs for only a few seconds, so optimizing PGlite's WebAssembly does not pay off. See
  // vite.config.ts.
  const child = spawn(process.execPath, ['--conditions=source', '--liftoff-only', entry], {
    env: { ...inherited, PORT: '0', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: string[] = [];
  const err: string[] = [];
  const ready = Promise.withResolvers<string>();
  const awaited = new Map<string, () => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', line => {
    out.push(line);
    // The service writes only JSON lines to standard output.
    const { event, url } = JSON.parse(line) as { event: string; url?: string };
    if (event === 'service_ready' && url !== undefined) ready.resolve(url);
    awaited.get(event)?.();
  });
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    ready.reject(new Error(`The service exited before it was ready:\n${out.join('\n')}\n${err.join('')}`));
    return code ?? signal ?? 'unknown';
  });
  // Tests that expect the start to fail do not await the URL.
  ready.promise.catch(() => {});
  return {
    child,
    url: ready.promise,
    ended,
    logged: event => new Promise(resolve => awaited.set(event, resolve)),
    stdout: () => out.join('\n'),
    stderr: () => err.join(''),
  };
}

/** A service that can be killed, and the client of its bootstrap application. */
export interface KillableService {
  /** Uses the process that was started last. */
  readonly client: Client;
  /** Kills the process, and starts it again on the same database. */
  kill(): Promise<void>;
  /** Ends the process as operators do. */
  stop(): Promise<void>;
}

/** Starts the service with the sandbox as its vendors. */
export async function startKillableService(
  location: DatabaseLocation,
  sandboxUrl: string,
  environment: Environment = {},
): Promise<KillableService> {
  const start = (): ServiceProcess =>
    startServiceProcess({
      ...environmentOf(location),
      ...application,
      SANDBOX_URL: sandboxUrl,
      VENDOR_RATE_LIMITS: 'off',
      ...environment,
    });
  const clientOf = async (service: ServiceProcess): Promise<Client> =>
    createClient({
      baseUrl: await service.url,
      clientId: application.BOOTSTRAP_CLIENT_ID,
      clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    });
  const end = async (signal: 'SIGKILL' | 'SIGTERM', outcome: string | number): Promise<void> => {
    service.child.kill(signal);
    const ended = await service.ended;
    if (ended !== outcome) throw new Error(`The service ended with ${ended}:\n${service.stdout()}`);
  };
  let service = start();
  let client = await clientOf(service);
  return {
    get client() {
      return client;
    },
    kill: async () => {
      await end('SIGKILL', 'SIGKILL');
      service = start();
      client = await clientOf(service);
    },
    stop: () => end('SIGTERM', 0),
  };
}

/** The service in the process of the test. */
export interface ServiceHere extends RunningService {
  /** The lines of its log. */
  readonly logged: () => string;
  /** What it wrote to the terminal. */
  readonly printed: () => string;
}

/**
 * Starts the service in this process, with the same environment as {@link startServiceProcess}. Without another process
 * that loads all code, this takes a fraction of the time. Only `main.ts` differs: signals, exit codes and the umask.
 */
export async function startServiceHere(environment: Environment): Promise<ServiceHere> {
  const lines: string[] = [];
  const printed: string[] = [];
  const { configuration } = readConfiguration({ PORT: '0', ...environment }, []);
  const service = await startService(configuration, {
    log: createLog({ destination: { write: line => void lines.push(line) } }),
    terminal: { write: text => printed.push(text) },
  });
  return { ...service, logged: () => lines.join('').trimEnd(), printed: () => printed.join('') };
}
