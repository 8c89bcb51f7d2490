import { runStep } from './steps.ts';

/** Set for the parts of a test run that has already built the packages. */
export const builtVariable = 'CONNECTOR_AUTH_IS_BUILT';

/**
 * Builds every package, so that tests of the published packages match the current sources. Also used as a
 * global setup.
 * @throws Error with the build output if the build fails
 */
export default async function ensureBuilt(): Promise<void> {
  if (process.env[builtVariable]) return;
  const { ok } = await runStep({
    name: 'build',
    command: [process.execPath, '--conditions=source', 'scripts/run.mjs', 'build'],
    isQuiet: true,
  });
  if (!ok) throw new Error('The packages did not build; what the build said is above');
}
