import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastChange } from './build-sources.ts';
import { builtVariable } from './ensure-built.ts';
import { root, runStep, type Step } from './steps.ts';

/** A build of files that the service serves. */
export interface ServedBuild {
  readonly name: string;
  /** The file that the build writes last. */
  readonly output: string;
  readonly sources: readonly string[];
  readonly commands: readonly Step['command'][];
}

/**
 * Builds files if they were not built since their sources changed.
 * @throws Error if the build fails, after printing the build output
 */
export async function ensureFresh({ name, output, sources, commands }: ServedBuild): Promise<void> {
  if (process.env[builtVariable]) return;
  const built = join(root, output);
  if (existsSync(built) && statSync(built).mtimeMs > lastChange(sources)) return;
  console.log(`Building the ${name}…`);
  for (const command of commands) {
    // Lit's development code must not be served.
    const { ok } = await runStep({
      name: `build of ${name}`,
      command,
      env: { NODE_ENV: 'production' },
      isSilent: true,
    });
    if (!ok) throw new Error(`The ${name} failed to build. See the build output above.`);
  }
}
