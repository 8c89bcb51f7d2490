/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSizes } from './sizes.ts';

const widget = join(import.meta.dirname, '..');
const dist = mkdtempSync(join(tmpdir(), 'connector-auth-sizes-'));
afterAll(() => {
  rmSync(dist, { recursive: true, force: true });
});

test('keeps every file group within its size limit', () => {
  for (const mode of ['widget', 'widget-script']) {
    execFileSync(
      join(widget, '../node_modules/.bin/vite'),
      ['build', '--config', join(widget, '../vite.config.ts'), '--mode', mode, '--outDir', dist],
      // Builds must not contain Lit's development code.
      { env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' },
    );
  }
  const sizes = readSizes(dist);
  process.stdout.write(
    `${sizes.map(({ name, brotli, aim }) => `${name}: ${brotli} B brotli (aim: ${aim})`).join('\n')}\n`,
  );
  expect(sizes.filter(({ brotli, limit }) => brotli > limit)).toEqual([]);
});
