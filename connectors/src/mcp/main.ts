#!/usr/bin/env node
import { explainOldNode } from '@connector-auth/api/node-version';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}

const { runOverStdio } = await import('./stdio.ts');
const [, , ...args] = process.argv;
const problem = runOverStdio(args, process.env);
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
