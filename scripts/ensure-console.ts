import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtVariable } from './ensure-built.ts';
import { root, runStep } from './steps.ts';

/** What the console is built from. */
const sources = [
  'console/index.html',
  'console/vite.config.ts',
  'console/build',
  'console/public',
  'console/src',
  'api/src/contract/admin',
];

/**
 * Builds the console if it was not built since its sources changed. Also used as a global setup.
 * @throws Error if the build fails, after printing the build output
 */
export default async function ensureConsole(): Promise<void> {
  if (process.env[builtVariable]) return;
  const built = join(root, 'console/dist/index.html');
  if (existsSync(built) && statSync(built).mtimeMs > lastChange()) return;
  const { ok } = await runStep({
    name: 'build of console',
    command: [process.execPath, '--conditions=source', 'scripts/run.mjs', 'build-console'],
    isQuiet: true,
  });
  if (!ok) throw new Error('The console failed to build. See the build output above.');
}

function lastChange(): number {
  const files = sources.flatMap(source => {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name));
  });
  return Math.max(...files.map(path => statSync(path).mtimeMs));
}
