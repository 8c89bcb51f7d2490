/**
 * Lets a command copy the files of an embedded database that a running process uses. The command connects to a socket in the data
 * folder, which only those reach who can read the folder. The process then runs no statements until the command has copied the
 * files, closes the connection, or takes too long.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../log/log.ts';
import { FolderInUseError, lockFolder } from './folder-lock.ts';

/** Requests wait meanwhile, and those that wait for more than 10 s for the database fail. */
const maxPauseMs = 60_000;

function socketIn(dataDir: string): string {
  return join(dataDir, 'backup.socket');
}

/**
 * Pauses this process's database while a command copies it. The caller has the lock of the folder.
 * @param pause runs work while the files do not change.
 * @returns a function that stops listening.
 */
export async function servePauses(
  dataDir: string,
  pause: (work: () => Promise<void>) => Promise<void>,
  log: Log,
): Promise<() => void> {
  // Windows has no sockets in folders: there, a backup needs the service to be stopped.
  if (process.platform === 'win32') return () => {};
  const server = createServer(socket => {
    socket.on('error', () => {});
    void pause(() => untilCopied(socket, log));
  });
  // A process that was killed leaves its socket behind.
  await rm(socketIn(dataDir), { force: true });
  server.listen(socketIn(dataDir));
  try {
    await once(server, 'listening');
  } catch (error) {
    // Such as a path that is too long for a socket.
    log.warn('backup_socket_failed', { error });
  }
  server.unref();
  return () => server.close();
}

async function untilCopied(socket: Socket, log: Log): Promise<void> {
  if (socket.destroyed) return;
  const startedAt = performance.now();
  const limit = setTimeout(() => socket.destroy(), maxPauseMs);
  await new Promise<void>(resolve => {
    // The command learns that the files have not changed since it began.
    socket.once('data', () => socket.end('unchanged', resolve)).once('close', () => resolve());
    socket.write('paused');
  });
  clearTimeout(limit);
  log.info('database_paused', { for: 'backup', took_ms: Math.round(performance.now() - startedAt) });
}

/**
 * Runs work while the files of the embedded database do not change, whether or not a process uses them.
 * @param copy must not wait for anything that needs the database.
 * @throws Error for the operator if the files may have changed meanwhile.
 */
export async function whilePaused<T>(dataDir: string, copy: () => T): Promise<T> {
  try {
    const lock = await lockFolder(dataDir);
    try {
      return copy();
    } finally {
      lock.release();
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const socket = connect(socketIn(dataDir));
    try {
      await receive(socket, error);
      const result = copy();
      socket.write('copied');
      await receive(socket, new Error(`Copying took longer than ${maxPauseMs / 1000} s`));
      return result;
    } finally {
      socket.destroy();
    }
  }
}

async function receive(socket: Socket, cause: unknown): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error?: unknown): void =>
      reject(
        new Error('The running process did not pause. Stop it, and run the command again.', {
          cause: error instanceof Error ? error : cause,
        }),
      );
    socket
      .once('data', () => resolve())
      .once('error', fail)
      .once('close', () => fail());
  });
}
