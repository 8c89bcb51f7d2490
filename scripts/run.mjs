// Runs a script from this folder on the project's own Node version: `node scripts/run.mjs test`.
// Written in plain JavaScript, so that an older Node version can run it and report the error.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `This project needs Node 24, but Node ${process.versions.node} is running.\n` +
      'The install step of the npm package “node” puts the right version into node_modules/.bin.\n' +
      'Run the commands through pnpm (npx -y pnpm@12 test). If you did, the installation failed: see the error above.\n' +
      'If there is no error, the install step did not run: check `allowBuilds` in pnpm-workspace.yaml, delete\n' +
      'node_modules, and try again.',
  );
  process.exit(1);
}
// Compiled modules, also those of the processes that the script starts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/node', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
// The script finds its own arguments where it would if it had been started directly.
const [script] = process.argv.splice(2, 1);
await import(`./${script}.ts`);
