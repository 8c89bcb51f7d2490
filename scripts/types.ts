import { runStep } from './steps.ts';

/**
 * The TypeScript projects that are checked separately: one for everything that runs on Node, and others for
 * code that runs in a browser, where the global types differ. The `tsconfig.json` of each package is only for
 * editors and for checking that package alone.
 */
const projects = ['.', 'widget', 'console', 'demo', 'e2e'];

let ok = true;
for (const project of projects) {
  const step = { name: `types of ${project}`, command: ['tsc', '-p', `${project}/tsconfig.json`] } as const;
  ok = (await runStep(step)).ok && ok;
}
process.exitCode = ok ? 0 : 1;
