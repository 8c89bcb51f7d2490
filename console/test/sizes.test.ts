import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

test('keeps the whole console within 80 kB of brotli', () => {
  const dist = join(import.meta.dirname, '../dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(html|js|css|svg)$/.test(name))
    .map(name => readFileSync(join(dist, name)));
  const sum = (compress: (content: Buffer) => Buffer) =>
    files.reduce((total, content) => total + compress(content).length, 0);
  const brotli = sum(brotliCompressSync);
  process.stdout.write(`console: ${brotli} B brotli, ${sum(gzipSync)} B gzip, ${files.length} files\n`);
  expect(brotli).toBeLessThanOrEqual(80_000);
  // The page, the script, the style sheet and the icon.
  expect(files.length).toBe(4);
});

test('has the same mark as the documentation', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  expect(read('console/public/favicon.svg')).toBe(read('service/src/features/docs/assets/icon.svg'));
});
