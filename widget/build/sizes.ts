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
 * Files that a browser fetches together, with paths relative to `dist`. The targets are those of the connection
 * experience with the introduction, the choice of accounts, live syncs and the management of connections. Where a
 * limit exceeds the target, the features exceed it too. Without the style sheets, the script-tag file would be 6,200 bytes
 * smaller, without Lit 4,900, without the English sentences 3,000, without managing connections 2,500, and without any
 * other module at most 1,200. Of the first view, Lit is 4,800 bytes, the style sheets are 3,500, and the names of the
 * messages of all steps are 900; it includes what the widget shares with the provider. The screen for apps and agents has a
 * file of its own, with its words in all languages. Fast keystrokes in long lists, and steps that are prepared while the catalog is
 * idle, are 140 bytes.
 */
const deliveries = [
  { name: 'script tag, all of it in English', files: ['connector-auth.js'], aim: 36_000, limit: 47_440 },
  {
    name: 'ES module, the first view',
    files: ['index.js', 'chunks/connector-auth.js'],
    aim: 20_000,
    limit: 24_200,
  },
  { name: 'ES module, the later steps', files: ['chunks/steps.js'], aim: 16_000, limit: 27_100 },
  { name: 'ES module, provider and elements', files: ['lit.js'], aim: 4_000, limit: 3_620 },
  { name: 'one more language (Arabic)', files: ['languages/ar.js'], aim: 2_500, limit: 3_010 },
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
