import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { makeFolder } from './engines.ts';
import { freePort } from './postgres.ts';
import { requirePrograms } from './programs.ts';

const program = '/usr/sbin/pgbouncer';

/** PgBouncer in front of the PostgreSQL server of the tests. */
export interface PgBouncer {
  /** Returns the URL of a database through the pooler. */
  readonly urlOf: (directUrl: string) => string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts Debian's PgBouncer in transaction mode, with its defaults for what the test does not set.
 * @param settings more lines of its configuration.
 */
export async function startPgBouncer(settings: readonly string[] = []): Promise<PgBouncer> {
  requirePrograms({ pgbouncer: program });
  const { folder, remove } = await makeFolder();
  const port = await freePort();
  const { hostname, port: serverPort, username } = new URL(inject('postgres').url);
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    // It does not run as root.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ...settings,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  await chmod(folder, 0o755);
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)));
  });
  return {
    urlOf: directUrl => Object.assign(new URL(directUrl), { port }).href,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      await remove();
    },
  };
}
