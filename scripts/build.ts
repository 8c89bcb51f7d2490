/** Builds all published packages. */
import { runStep } from './steps.ts';

const parts = await Promise.all(
  ['build-servers', 'build-widget'].map(name =>
    runStep({ name, command: ['node', '--conditions=source', 'scripts/run.mjs', name], isQuiet: true }),
  ),
);
process.exitCode = parts.every(({ ok }) => ok) ? 0 : 1;
