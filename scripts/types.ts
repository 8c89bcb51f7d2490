import { runStep } from './steps.ts';

/**
 * What is compiled with settings of its own: everything that runs on Node, in one go; then what runs in a browser, which
 * has other types there. Each package's own `tsconfig.json` is for editors and for a look at that package alone.
 */
const projects = ['.', 'widget', 'demo', 'e2e'];

let ok = true;
for (const project of projects) {
  const step = { name: `types of ${project}`, command: ['tsc', '-p', `${project}/tsconfig.json`] } as const;
  ok = (await runStep(step)).ok && ok;
}
process.exitCode = ok ? 0 : 1;
