#!/usr/bin/env node
import { explainOldNode } from '@connector-auth/api/node-version';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}

const { createSource } = await import('./create-source.ts');
const { parseArgs } = await import('node:util');
const usage = 'Usage: npm create @connector-auth/source <folder> [-- --tarballs <folder>]';
try {
  const { values, positionals } = parseArgs({
    options: { tarballs: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Name the folder of the new package');
  const created = await createSource(folder, { tarballs: values.tarballs ?? null });
  console.log(`Created ${created.name} in ${folder}. Next:

  cd ${folder}
  npm install
  npm test
  npm run dev -- --play recordings/${created.key}.json

Then change src/index.ts to your API. README.md explains the commands.`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}
