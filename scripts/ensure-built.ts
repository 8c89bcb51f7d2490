import { runStep } from './steps.ts';

/** The environment variable that a test run sets for its parts after it has built the packages. */
export const builtVariable = 'CONNECTOR_AUTH_IS_BUILT';

/**
 * Builds the packages whose sources changed, so that tests of the published packages match the current sources.
 * Also used as a global setup.
 * @throws Error if the build fails, after printing the build output
 */
export default async function ensureBuilt(): Promise<void> {
  if (process.env[builtVariable]) return;
  const { ok } = await runStep({
    name: 'build',
    command: [process.execPath, '--conditions=source', 'scripts/run.mjs', 'build', 'stale'],
    isSilent: true,
  });
  if (!ok) throw new Error('The packages failed to build. See the build output above.');
}
