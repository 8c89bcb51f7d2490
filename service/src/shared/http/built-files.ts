import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, Response } from 'express';

/** A file of a browser build, as it is sent. */
export interface BuiltFile {
  readonly type: string;
  readonly content: Buffer;
  /** The content compressed with brotli, if the build wrote it. */
  readonly brotli: Buffer | null;
}

/** The files of a build by path. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the files that browsers load into memory, so that no request names a file on disk. */
export function readBuiltFiles(folder: string, isIncluded = (_path: string) => true): BuiltFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path =>
    path.replaceAll('\\', '/'),
  );
  const files = new Map<string, BuiltFile>();
  for (const path of paths) {
    const type = types[extname(path)];
    if (type === undefined || !isIncluded(path)) continue;
    const brotli = paths.includes(`${path}.br`) ? readFileSync(join(folder, `${path}.br`)) : null;
    files.set(path, { type, content: readFileSync(join(folder, path)), brotli });
  }
  return files;
}

/** Returns the first of these folders that contains a file, or null. */
export function findBuild(folders: readonly string[], file: string): string | null {
  return folders.find(folder => existsSync(join(folder, file))) ?? null;
}

/** Sends a file. If its URL contains a hash of its content, browsers cache it for a year, otherwise for an hour. */
export function sendBuiltFile(
  request: Request,
  response: Response,
  file: BuiltFile,
  { isHashed }: { readonly isHashed: boolean },
): void {
  response.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  response.set('Content-Type', file.type).vary('Accept-Encoding');
  if (file.brotli !== null && request.acceptsEncodings('br')) {
    response.set('Content-Encoding', 'br').end(file.brotli);
  } else {
    response.end(file.content);
  }
}
