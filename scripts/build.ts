/** Builds everything that is published. */
import { runStep } from './steps.ts';

let ok = true;
for (const part of ['build-servers', 'build-widget']) {
  ok &&= (await runStep({ name: part, command: ['node', '--conditions=source', 'scripts/run.mjs', part] }))
    .ok;
}
process.exitCode = ok ? 0 : 1;
