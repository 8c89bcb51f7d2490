#!/usr/bin/env node
import { explainOldNode } from '@connector-auth/api/node-version';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}

const { loadKinds } = await import('../load-kinds.ts');
const { runOverStdio } = await import('./stdio.ts');
const [, , ...args] = process.argv;
const { kinds, problems } = await loadKinds(process.env['KINDS']);
const problem = problems.length > 0 ? problems.join('\n') : runOverStdio(args, process.env, { kinds });
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
