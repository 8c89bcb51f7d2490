/** Builds what is published: JavaScript and declarations of the server packages, then the widget. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep } from './steps.ts';

/** In the order of their dependencies: each is compiled against what was built before it. */
const serverPackages = ['api', 'connectors', 'service', 'server-helper'];
const assets = /\.(sql|css|svg|html)$/;

let ok = true;
for (const folder of serverPackages) {
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  ok &&= (
    await runStep({ name: `build of ${folder}`, command: ['tsc', '-p', `${folder}/tsconfig.build.json`] })
  ).ok;
  copyAssets(folder);
}
ok &&= (await runStep({ name: 'build of widget', command: ['node', 'scripts/run.mjs', 'build-widget'] })).ok;
process.exitCode = ok ? 0 : 1;

/** What the code reads at run time beside itself: migrations, style sheets. */
function copyAssets(folder: string): void {
  cpSync(join(root, folder, 'src'), join(root, folder, 'dist'), {
    recursive: true,
    filter: path => !/\.[a-z0-9]+$/i.test(path) || assets.test(path),
  });
}
