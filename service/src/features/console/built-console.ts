import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBuild, readBuiltFiles, type BuiltFiles } from '../../shared/http/built-files.ts';

/** The console's page, and its other files by path below `/console/`. */
export interface BuiltConsole {
  readonly page: string;
  readonly files: BuiltFiles;
}

/** In the published package, the build copies the files beside this one. In the workspace, the console's own build. */
const folders = ['./files/', '../../../../console/dist/'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Returns the folder with the built console, or null if it was not built. */
export function findBuiltConsole(): string | null {
  return findBuild(folders, 'index.html');
}

export function readBuiltConsole(folder: string): BuiltConsole {
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), files: readBuiltFiles(folder) };
}
