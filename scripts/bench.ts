/**
 * Runs all benchmarks in sequence (`pnpm bench`), or only those whose path contains a given word
 * (`pnpm bench sync`). Options are for the benchmarks (`pnpm bench throughput --quick`): see
 * `service/bench/harness.ts`.
 */
import { globSync } from 'node:fs';
import { root, runStep } from './steps.ts';

const given = process.argv.slice(2);
const options = given.filter(word => word.startsWith('--'));
const wanted = given.filter(word => !options.includes(word));
const benches = globSync('*/bench/*.bench.ts', { cwd: root })
  .toSorted()
  .filter(path => wanted.every(word => path.includes(word)));

const node = ['node', '--conditions=source', '--disable-warning=ExperimentalWarning', '--expose-gc'] as const;

if (benches.length === 0) process.stderr.write(`No benchmark matches ${wanted.join(' ')}\n`);
let failed = benches.length === 0;
for (const path of benches) {
  const { ok } = await runStep({
    name: path,
    command: [...node, path, ...options],
  });
  failed ||= !ok;
}
process.exitCode = failed ? 1 : 0;
