/**
 * Runs all benchmarks in sequence (`pnpm bench`), or only those whose path contains a given word
 * (`pnpm bench sync`). Options are for the benchmarks (`pnpm bench throughput --quick`): see
 * `service/bench/harness.ts`. Writes `bench/report.md`, with the machine, the versions and all samples.
 */
import { globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeReport } from './bench-report.ts';
import { root, runStep } from './steps.ts';

const given = process.argv.slice(2);
const options = given.filter(word => word.startsWith('--'));
const wanted = given.filter(word => !options.includes(word));
const all = globSync('*/bench/*.bench.ts', { cwd: root }).toSorted();
const benches = all.filter(path => wanted.every(word => path.includes(word)));

const node = ['node', '--conditions=source', '--disable-warning=ExperimentalWarning', '--expose-gc'] as const;

if (benches.length === 0) process.stderr.write(`No benchmark matches ${wanted.join(' ')}\n`);
const samples = join(tmpdir(), `connector-auth-bench-${process.pid}.jsonl`);
const report = {
  startedAt: new Date(),
  given,
  skipped: all.filter(path => !benches.includes(path)),
  samples,
};
const steps = [];
for (const path of benches) {
  steps.push(
    await runStep({ name: path, command: [...node, path, ...options], env: { BENCH_SAMPLES: samples } }),
  );
}
if (steps.length > 0) writeReport({ ...report, steps });
rmSync(samples, { force: true });
const failed = steps.length === 0 || steps.some(({ ok }) => !ok);
process.exitCode = failed ? 1 : 0;
