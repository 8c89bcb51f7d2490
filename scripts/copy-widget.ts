import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './steps.ts';

/** Copies the widget's script and its languages, which the pages of connect links load, into the built service. */
export function copyWidget(): void {
  const from = join(root, 'widget/dist');
  const to = join(root, 'service/dist/features/connect-links/page/files');
  for (const path of globSync(['connector-auth.js', 'languages/*.js'], { cwd: from })) {
    cpSync(join(from, path), join(to, path));
    writeFileSync(join(to, `${path}.br`), brotliCompressSync(readFileSync(join(from, path))));
  }
}
