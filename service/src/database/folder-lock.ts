import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A folder that is ours alone until released, or until this process ends in whatever way. */
export interface FolderLock {
  release(): void;
}

/**
 * Makes the folder if there is none and takes its exclusive lock.
 *
 * Two processes on one PGlite folder lose acknowledged rows in silence, so this must hold. The lock is SQLite's own on
 * `folder/lock`: the operating system gives it back when the process dies, kill -9 included, so there is no stale lock to clean up,
 * and it works the same on Linux, macOS and Windows.
 * @throws Error in words for the operator when another process has it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // A journal in memory: nothing is ever written, so there is nothing to leave behind.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `Another process uses the data folder ${resolve(folder)}. Stop it, or give this one a folder of its own (DATA_DIR).`,
      { cause: error },
    );
  }
  return { release: () => file.close() };
}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
