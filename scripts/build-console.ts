/** Builds the files of the console, which the service serves. */
import { runStep } from './steps.ts';

const { ok } = await runStep({
  name: 'build of console',
  command: ['vite', 'build', '--mode', 'console', '--logLevel', 'warn'],
  // Lit's development code must not be published.
  env: { NODE_ENV: 'production' },
});
process.exitCode = ok ? 0 : 1;
