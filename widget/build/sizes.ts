/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * The compressed size in bytes of files that a browser fetches together. Each file is compressed with brotli
 * 11 and with gzip -9.
 */
export interface Size {
  readonly name: string;
  readonly brotli: number;
  readonly gzip: number;
  /** The target for `brotli`. */
  readonly aim: number;
  /** The maximum for `brotli`. If it already exceeds the target, raise it only for a documented reason. */
  readonly limit: number;
}

/**
 * Files that a browser fetches together, with paths relative to `dist`. The limits include 300 to 550 bytes for
 * consent by form from a frame (decisions 0020 and 0021) and for what users see of the organization (0022), 150
 * bytes for connectors that an operator has stopped, and 700 bytes for errors that say what an integrator has to change.
 */
const deliveries = [
  { name: 'script tag, all of it in English', files: ['connector-auth.js'], aim: 20_000, limit: 28_400 },
  {
    name: 'ES module, the first view',
    files: ['index.js', 'chunks/connector-auth.js'],
    aim: 14_000,
    limit: 20_700,
  },
  { name: 'ES module, the later steps', files: ['chunks/steps.js'], aim: 8_850, limit: 9_450 },
  { name: 'one more language (Arabic)', files: ['languages/ar.js'], aim: 1_500, limit: 1_650 },
] as const;

/** Returns the sizes of the files in `dist`. */
export function readSizes(dist: string): readonly Size[] {
  return deliveries.map(({ name, files, ...bounds }) => {
    const contents = files.map(file => readFileSync(join(dist, file)));
    const brotli = contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0);
    const gzip = contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
    return { name, brotli, gzip, ...bounds };
  });
}
