import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the console, as it is sent. */
export interface BuiltFile {
  readonly type: string;
  readonly content: Buffer;
  /** The content compressed with brotli, if the build wrote it. */
  readonly brotli: Buffer | null;
}

/** The console's page, and its other files by path below `/console/`. */
export interface BuiltConsole {
  readonly page: string;
  readonly files: ReadonlyMap<string, BuiltFile>;
}

/** In the published package, the build copies the files beside this one. In the workspace, the console's own build. */
const folders = ['./files/', '../../../console/dist/'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Returns the folder with the built console, or null if it was not built. */
export function findBuiltConsole(): string | null {
  return folders.find(folder => existsSync(join(folder, 'index.html'))) ?? null;
}

/** Reads the built console into memory, so that no request names a file. */
export function readBuiltConsole(folder: string): BuiltConsole {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path =>
    path.replaceAll('\\', '/'),
  );
  const files = new Map<string, BuiltFile>();
  for (const path of paths) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const brotli = paths.includes(`${path}.br`) ? readFileSync(join(folder, `${path}.br`)) : null;
    files.set(path, { type, content: readFileSync(join(folder, path)), brotli });
  }
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), files };
}
