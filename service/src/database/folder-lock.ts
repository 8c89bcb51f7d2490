import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** An exclusive lock on a folder, until it is released or the process ends. */
export interface FolderLock {
  release(): void;
}

/**
 * Creates the folder if necessary and locks it exclusively.
 *
 * Two processes on one PGlite folder silently lose acknowledged rows. The lock is SQLite's file lock on `folder/lock`:
 * the operating system releases it when the process dies, even by kill -9, so it never becomes stale, and it works
 * the same on Linux, macOS and Windows.
 * @throws Error with a message for the operator if another process holds the lock.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // An in-memory journal leaves no files behind.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `Another process uses the data folder ${resolve(folder)}. Stop it, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return { release: () => file.close() };
}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
