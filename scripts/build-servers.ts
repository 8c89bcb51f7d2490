/** Builds the server packages: JavaScript and declarations, each against what was built before it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep } from './steps.ts';

const folders = ['api', 'connectors', 'service', 'server-helper'];
/** What the code reads at run time beside itself: migrations, style sheets. */
const assets = ['service/src/database/migrations', 'service/src/docs/style.css'];

let ok = true;
for (const folder of folders) {
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  ok &&= (
    await runStep({ name: `build of ${folder}`, command: ['tsc', '-p', `${folder}/tsconfig.build.json`] })
  ).ok;
}
for (const path of assets)
  cpSync(join(root, path), join(root, path.replace('/src/', '/dist/')), { recursive: true });
process.exitCode = ok ? 0 : 1;
