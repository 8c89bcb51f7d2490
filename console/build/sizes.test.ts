/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const dist = mkdtempSync(join(tmpdir(), 'connector-auth-console-'));
afterAll(() => {
  rmSync(dist, { recursive: true, force: true });
});

test('keeps the whole console within 80 kB of brotli', () => {
  execFileSync(
    join(folder, '../node_modules/.bin/vite'),
    ['build', '--config', join(folder, '../vite.config.ts'), '--mode', 'console', '--outDir', dist],
    // Builds must not contain Lit's development code.
    { env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' },
  );
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
