import { existsSync } from 'node:fs';
import { runStep } from './steps.ts';

/** Every package is checked with its own compiler settings: a browser package has no Node types, and the other way round. */
const projects = ['.', 'api', 'connectors', 'service', 'server-helper', 'widget', 'sandbox', 'demo', 'e2e'];

let failed = false;
for (const project of projects) {
  const config = `${project}/tsconfig.json`;
  if (!existsSync(config)) continue;
  const { ok } = await runStep({ name: `types of ${project}`, command: ['tsc', '-p', config] });
  failed ||= !ok;
}
process.exitCode = failed ? 1 : 0;
