import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Log } from '../log/log.ts';

/** The users that may access the data folder: only its owner, or also the group that shares the volume. */
export type FolderAccess = 'owner' | 'group';

/** The permissions that must not be set, which are also the umask of the process. */
export const forbiddenModes: Readonly<Record<FolderAccess, number>> = { owner: 0o077, group: 0o007 };

/**
 * Creates the data folder if necessary, and removes all other users' access to it and its content. Does
 * nothing on Windows, which has no file modes.
 * @throws Error for the operator, with the command to run, if this process may not change the permissions.
 */
export async function secureFolder(folder: string, access: FolderAccess, log: Log): Promise<void> {
  const forbidden = forbiddenModes[access];
  mkdirSync(folder, { recursive: true, mode: 0o777 & ~forbidden });
  if (process.platform === 'win32') return;
  const { mode } = lstatSync(folder);
  if (mode & sticky) {
    throw new Error(
      `The data folder ${resolve(folder)} is shared with other programs. Set DATA_DIR to a folder of its own.`,
    );
  }
  let count = 0;
  // Synchronous calls take a fraction of the time for the thousand files of a database.
  for (const path of [folder, ...pathsIn(folder)]) {
    if (restrict(path, forbidden, { folder, access })) count += 1;
  }
  // Some file systems ignore a change of the mode.
  if (lstatSync(folder).mode & forbidden) throw openFolderError(folder, access);
  if (count > 0) log.warn('data_folder_restricted', { folder: resolve(folder), files: count });
}

const sticky = 0o1000;

function pathsIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap(entry => (entry.isSymbolicLink() ? [] : [join(entry.parentPath, entry.name)]));
}

/** Returns whether the permissions of a file had to be changed. */
function restrict(
  path: string,
  forbidden: number,
  { folder, access }: { readonly folder: string; readonly access: FolderAccess },
): boolean {
  try {
    const { mode } = lstatSync(path);
    if ((mode & forbidden) === 0) return false;
    chmodSync(path, mode & 0o7777 & ~forbidden);
    return true;
  } catch (error) {
    // Another process that uses the folder, which is rejected later, may have deleted the file.
    if (isCode(error, 'ENOENT')) return false;
    if (isCode(error, 'EPERM') || isCode(error, 'EACCES')) throw openFolderError(folder, access, error);
    throw error;
  }
}

function openFolderError(folder: string, access: FolderAccess, cause?: unknown): Error {
  const path = `'${resolve(folder).replaceAll("'", String.raw`'\''`)}'`;
  const advice = access === 'group' ? `chmod -R o= ${path}` : adviceForOwner(folder, path);
  return new Error(
    `Other users can access the data folder ${resolve(folder)}, and this process cannot change that. Run as its owner or as root: ${advice}`,
    { cause },
  );
}

function adviceForOwner(folder: string, path: string): string {
  const { uid } = lstatSync(folder);
  const ownUid = process.getuid?.();
  const chown = uid === ownUid ? '' : `chown -R ${ownUid} ${path} && `;
  return (
    `${chown}chmod -R go= ${path}. ` +
    'If the volume belongs to a group that must have access (fsGroup in Kubernetes), set DATA_DIR_ACCESS=group instead.'
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
