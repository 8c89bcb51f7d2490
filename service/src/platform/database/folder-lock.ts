import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** An exclusive lock on a folder, which is held until it is released or the process exits. */
export interface FolderLock {
  release(): void;
}

/** Says that another process holds the lock of a folder, and what the operator can do. */
export class FolderInUseError extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `Another process is using the data folder ${resolve(folder)}. Stop it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/**
 * Creates the folder if necessary and locks it exclusively.
 *
 * If two processes used the same PGlite folder, acknowledged rows would silently be lost. The lock is
 * SQLite's file lock on `folder/lock`. The operating system releases it when the process exits, even after
 * `kill -9`, so the lock never becomes stale. The lock works the same way on Linux, macOS and Windows.
 * @throws FolderInUseError if another process holds the lock.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // An in-memory journal leaves no files on disk.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if (!isBusy(error)) throw error;
    throw new FolderInUseError(folder, error);
  }
  return { release: () => file.close() };
}

/** Returns whether the error is SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
