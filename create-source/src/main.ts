#!/usr/bin/env node
import { explainOldNode } from '@connector-auth/api/node-version';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}

const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
