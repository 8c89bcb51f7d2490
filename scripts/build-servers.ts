/**
 * Builds the server packages (JavaScript and declarations) in dependency order, and the console, which is part of
 * the service.
 */
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { root, runStep } from './steps.ts';

const folders = ['api', 'connectors', 'service', 'server-helper', 'sandbox', 'create-source'];
/** Bundled into a few files, which Node loads in half of the time of hundreds. */
const bundled: readonly string[] = ['api', 'connectors', 'service'];
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
  if (ok && bundled.includes(folder)) await bundle(folder);
}
for (const path of assets)
  cpSync(join(root, path), join(root, path.replace('/src/', '/dist/')), { recursive: true });
if (ok)
  cpSync(join(root, 'console/dist'), join(root, 'service/dist/features/console/files'), { recursive: true });
process.exitCode = ok ? 0 : 1;

/**
 * Bundles the modules of a package. Those that are found by their path keep it: what `package.json` names, the worker
 * thread, and modules that find other files by their own path.
 */
async function bundle(folder: string): Promise<void> {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8');
  const source = join(root, folder, 'src');
  const keepsPath = (name: string): boolean =>
    manifest.includes(`/dist/${name}.js`) ||
    name.endsWith('/pglite-worker') ||
    readFileSync(join(source, `${name}.ts`), 'utf8').includes('import.meta.url');
  const names = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts', '**/*.test-d.ts'] })
    .map(file => file.slice(0, -'.ts'.length))
    .filter(keepsPath);
  await build({
    root: join(root, folder),
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'es2024',
      sourcemap: true,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(names.map(name => [name, join(source, `${name}.ts`)])),
        external: id => /^[@a-z]/.test(id) && !id.startsWith('@oxc-project/'),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: ({ moduleIds }) => {
            const kept = names.find(name => moduleIds.includes(join(source, `${name}.ts`)));
            return join(dirname(kept ?? ''), '[name]-[hash].js');
          },
        },
      },
    },
  });
}
