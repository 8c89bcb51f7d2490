/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** What a browser fetches together, and what it weighs: by brotli 11 and by gzip -9, file by file as a server does it. */
export interface Size {
  readonly name: string;
  readonly brotli: number;
  readonly gzip: number;
  /** What `brotli` should be. */
  readonly aim: number;
  /** What it must not exceed. Where it is above the aim, it is to come down, never to go up. */
  readonly limit: number;
}

/** What belongs together, with paths below `dist`. */
const deliveries = [
  { name: 'script tag, all of it in English', files: ['connector-auth.js'], aim: 20_000, limit: 26_350 },
  {
    name: 'ES module, the first view',
    files: ['index.js', 'chunks/connector-auth.js'],
    aim: 14_000,
    limit: 19_050,
  },
  { name: 'ES module, the later steps', files: ['chunks/steps.js'], aim: 8_850, limit: 8_850 },
  { name: 'one more language (Arabic)', files: ['languages/ar.js'], aim: 1_500, limit: 1_500 },
] as const;

/** The sizes of what was built into `dist`. */
export function readSizes(dist: string): readonly Size[] {
  return deliveries.map(({ name, files, ...bounds }) => {
    const contents = files.map(file => readFileSync(join(dist, file)));
    const brotli = contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0);
    const gzip = contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
    return { name, brotli, gzip, ...bounds };
  });
}
