/// <reference types="node" />
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureWidget } from '../../scripts/ensure-served.ts';
import { readSizes } from './sizes.ts';

test('keeps every file group within its size limit', async () => {
  await ensureWidget();
  const sizes = readSizes(join(import.meta.dirname, '../dist'));
  process.stdout.write(
    `${sizes.map(({ name, brotli, aim }) => `${name}: ${brotli} B brotli (aim: ${aim})`).join('\n')}\n`,
  );
  expect(sizes.filter(({ brotli, limit }) => brotli > limit)).toEqual([]);
});
