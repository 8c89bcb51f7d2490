import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleSources, lastChange } from './build-sources.ts';
import { builtVariable } from './ensure-built.ts';
import { root, runStep } from './steps.ts';

/**
 * Builds the console if it was not built since its sources changed. Also used as a global setup.
 * @throws Error if the build fails, after printing the build output
 */
export default async function ensureConsole(): Promise<void> {
  if (process.env[builtVariable]) return;
  const built = join(root, 'console/dist/index.html');
  if (existsSync(built) && statSync(built).mtimeMs > lastChange(consoleSources)) return;
  const { ok } = await runStep({
    name: 'build of console',
    command: [process.execPath, '--conditions=source', 'scripts/run.mjs', 'build-console'],
    isQuiet: true,
  });
  if (!ok) throw new Error('The console failed to build. See the build output above.');
}
