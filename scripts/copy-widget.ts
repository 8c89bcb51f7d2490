import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './steps.ts';

/**
 * Copies what the service serves of the widget into the built service: the script and its languages, which the pages of
 * connect links load, and the theme page of the documentation.
 */
export function copyWidget(): void {
  const links = join(root, 'service/dist/features/connect-links/page/files');
  for (const path of copy('widget/dist', ['connector-auth.js', 'languages/*.js'], links)) {
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
  copy('widget/gallery/dist', ['**/*.js'], join(root, 'service/dist/features/docs/files'));
}

/** Copies files and returns their new paths. */
function copy(from: string, patterns: readonly string[], to: string): string[] {
  return globSync(patterns, { cwd: join(root, from) }).map(path => {
    cpSync(join(root, from, path), join(to, path));
    return join(to, path);
  });
}
