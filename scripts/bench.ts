/**
 * Runs all benchmarks in sequence (`pnpm bench`), or only those whose path contains a given word
 * (`pnpm bench memory`).
 */
import { globSync } from 'node:fs';
import { root, runStep } from './steps.ts';

const wanted = process.argv.slice(2);
const benches = globSync('*/bench/*.bench.ts', { cwd: root })
  .toSorted()
  .filter(path => wanted.every(word => path.includes(word)));

if (benches.length === 0) process.stderr.write(`No benchmark matches ${wanted.join(' ')}\n`);
let failed = benches.length === 0;
for (const path of benches) {
  const { ok } = await runStep({
    name: path,
    command: ['node', '--conditions=source', '--disable-warning=ExperimentalWarning', '--expose-gc', path],
  });
  failed ||= !ok;
}
process.exitCode = failed ? 1 : 0;
