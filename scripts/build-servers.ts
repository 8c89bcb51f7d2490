/**
 * Builds the server packages (JavaScript and declarations) in dependency order, and the console, which is part of
 * the service.
 */
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep } from './steps.ts';

const folders = ['api', 'connectors', 'service', 'server-helper', 'sandbox', 'create-source'];
/** Files that the code reads at run time. */
const assets = [
  'service/src/platform/database/migrations',
  'service/src/features/docs/assets',
  'service/src/features/docs/guides',
  ...globSync('connectors/src/*/examples.json', { cwd: root }),
];

let ok = (
  await runStep({
    name: 'build of console',
    command: ['node', '--conditions=source', 'scripts/run.mjs', 'build-console'],
  })
).ok;
for (const folder of folders) {
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  ok &&= (
    await runStep({ name: `build of ${folder}`, command: ['tsc', '-p', `${folder}/tsconfig.build.json`] })
  ).ok;
}
for (const path of assets)
  cpSync(join(root, path), join(root, path.replace('/src/', '/dist/')), { recursive: true });
if (ok)
  cpSync(join(root, 'console/dist'), join(root, 'service/dist/features/console/files'), { recursive: true });
process.exitCode = ok ? 0 : 1;
