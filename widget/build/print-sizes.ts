/** Prints the sizes of the built files and their target sizes. */
import { join } from 'node:path';
import { readSizes } from './sizes.ts';

for (const { name, brotli, gzip, aim } of readSizes(join(import.meta.dirname, '../dist'))) {
  process.stdout.write(
    `${name.padEnd(34)} ${String(brotli).padStart(6)} B brotli  ${String(gzip).padStart(6)} B gzip  (aim: ${aim} B brotli)\n`,
  );
}
