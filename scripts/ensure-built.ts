import { runStep } from './steps.ts';

/** Set for the parts of a run that has built the packages already. */
export const builtVariable = 'CONNECTOR_AUTH_IS_BUILT';

/**
 * Makes sure that every package's `dist` is what its sources say now, for tests of what is published. Also a global set-up.
 * @throws Error when the build fails; its output says why.
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
