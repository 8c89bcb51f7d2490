import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './steps.ts';

/**
 * Copies what the service serves of the widget into the built service: the script and its languages, which the pages of
 * connect links load, and the theme page of the documentation.
 */
export function copyWidget(): void {
  const links = 'service/dist/features/connect-links/page/files';
  copy('widget/dist', ['connector-auth.js', 'languages/*.js'], links);
  copy('widget/gallery/dist', ['**/*.js'], 'service/dist/features/docs/files');
}

function copy(from: string, patterns: readonly string[], to: string): void {
  for (const path of globSync(patterns, { cwd: join(root, from) })) {
    cpSync(join(root, from, path), join(root, to, path));
    writeFileSync(join(root, to, `${path}.br`), brotliCompressSync(readFileSync(join(root, from, path))));
  }
}
