import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../src/config/environment.ts';
import type { DatabaseLocation } from '../src/database/database.ts';

/** The service as operators run it: a process of its own, told everything by its environment. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Its URL, from its ready line; rejects when it ends before. */
  readonly url: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Resolves when a line with this event was logged. */
  logged(event: string): Promise<void>;
  stdout(): string;
  stderr(): string;
}

/** What every service process of the tests is started with. */
export const application = {
  BOOTSTRAP_ORGANIZATION: 'Acme',
  BOOTSTRAP_CLIENT_ID: 'acme',
  BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests',
} as const;

/** The environment variables for a database, and keys that are the same at every start. */
export function environmentOf(location: DatabaseLocation): Environment {
  const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
  return {
    ...('dataDir' in location ? { DATA_DIR: location.dataDir } : { DATABASE_URL: location.databaseUrl }),
    ENCRYPTION_KEYS: `e1:${key(1)}`,
    SIGNING_KEYS: `s1:${key(2)}`,
  };
}

/** Starts the service with this environment and nothing inherited but the search path; on a free port unless told. */
export function startServiceProcess(environment: Environment): ServiceProcess {
  const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  // Lives for seconds: compiling PGlite's WebAssembly once more, for speed, does not pay. See vite.config.ts.
  const child = spawn(process.execPath, ['--conditions=source', '--liftoff-only', entry], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: string[] = [];
  const err: string[] = [];
  const ready = Promise.withResolvers<string>();
  const awaited = new Map<string, () => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', line => {
    out.push(line);
    // The service writes JSON lines to its standard output and nothing else.
    const { event, url } = JSON.parse(line) as { event: string; url?: string };
    if (event === 'service_ready' && url !== undefined) ready.resolve(url);
    awaited.get(event)?.();
  });
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    ready.reject(new Error(`The service ended before it was ready:\n${out.join('\n')}\n${err.join('')}`));
    return code ?? signal ?? 'unknown';
  });
  // Who does not ask for the URL does not mind that there is none.
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
