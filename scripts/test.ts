/**
 * Runs every check and prints one summary: types, lint, format, tests on Node with both database engines,
 * browser tests, and end-to-end journeys. `pnpm test:full` adds slower checks: the packages as published, builds with
 * other frameworks, more iterations and test data, benchmarks with limits, and the widget in Firefox and WebKit.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtVariable } from './ensure-built.ts';
import { ensureChromium } from './ensure-chromium.ts';
import { describeMissingBrowsers, installCommand } from './find-browsers.ts';
import { emptyReport, readPlaywrightReport, readVitestReport, type TestReport } from './reports.ts';
import { root, runStep, type Step } from './steps.ts';
import { summarize, type PartResult } from './summary.ts';

/** A step of the test command that can also be run alone. */
interface Part extends Step {
  /** The command that a developer enters to run only this part. */
  readonly alone: string;
  readonly readReport?: () => TestReport;
}

const reports = join(root, '.cache/test-reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const pnpm = 'npx -y pnpm@12';
const isFull = process.argv.includes('full');
const isBuilt = { [builtVariable]: 'yes' };
const inFull = isFull ? { TEST_FULL: 'yes' } : {};
// Node stores compiled code there, so that the many processes of the tests start faster.
process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache/compiled');

const build: Part = {
  name: 'build',
  command: ['node', '--conditions=source', 'scripts/run.mjs', 'build', ...(isFull ? [] : ['served'])],
  isQuiet: true,
  alone: `${pnpm} build`,
};
/** Checks that run in parallel with the tests, which leave the processor idle while they wait. */
const checks: Part[] = (
  [
    ['layers', ['node', '--conditions=source', 'scripts/run.mjs', 'layers']],
    ['unused', ['knip', '--no-progress']],
    ['words', ['node', '--conditions=source', 'scripts/run.mjs', 'words']],
    ['lint', ['node', '--conditions=source', 'scripts/run.mjs', 'lint']],
    ['format', ['oxfmt', '--check']],
    ...(isFull
      ? ([
          // The compiler of the published types. Lint checks types as well.
          ['types', ['node', '--conditions=source', 'scripts/run.mjs', 'types']],
          // Nothing else needs the packages that it packs.
          ['check-packages', ['node', '--conditions=source', 'scripts/run.mjs', 'check-packages']],
        ] as const)
      : []),
  ] as const
).map(([name, command]) => ({
  name,
  command,
  env: isBuilt,
  isQuiet: true,
  alone: `${pnpm} ${name}`,
}));

const vitestReport = join(reports, 'vitest.json');
const tests: Part = {
  name: 'unit, integration and browser tests',
  command: [
    'vitest',
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=./scripts/failed-tests.ts',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
  ],
  env: { ...isBuilt, ...inFull, ...(isFull ? { SEARCH_SETS: '300' } : {}) },
  alone: `${isFull ? 'TEST_FULL=yes ' : ''}${pnpm} exec vitest run`,
  readReport: () => readVitestReport(readFileSync(vitestReport, 'utf8'), root),
};
const playwrightReport = join(reports, 'playwright.json');
const journeys: Part = {
  name: 'journeys in a real browser',
  command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  env: { ...isBuilt, ...inFull, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  alone: `${isFull ? 'TEST_FULL=yes ' : ''}${pnpm} exec playwright test --config e2e/playwright.config.ts`,
  readReport: () => readPlaywrightReport(readFileSync(playwrightReport, 'utf8'), 'e2e/journeys'),
};

const measurements: Part[] = ['service/bench/sync', 'e2e/bench/widget'].map(path => ({
  name: `measurement ${path}`,
  command: ['node', '--conditions=source', 'scripts/run.mjs', 'bench', path],
  alone: `${pnpm} bench ${path}`,
}));

const browsersReport = (name: string) => join(reports, `browsers-${name}.json`);
/** The widget in Firefox and WebKit, see e2e/browsers. */
const otherBrowsers: Part[] = [
  ...(['firefox', 'webkit'] as const).map((project): Part => {
    const command = [
      'vitest',
      'run',
      '--config',
      'e2e/browsers/vitest.config.ts',
      '--project',
      project,
    ] as const;
    return {
      name: `widget tests in ${project}`,
      command: [
        ...command,
        '--allowOnly=false',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${browsersReport(project)}`,
      ],
      alone: `${pnpm} exec ${command.join(' ')}`,
      readReport: () => readVitestReport(readFileSync(browsersReport(project), 'utf8'), root),
    };
  }),
  {
    name: 'journeys in firefox and webkit',
    command: ['playwright', 'test', '--config', 'e2e/browsers/playwright.config.ts', '--reporter=list,json'],
    env: { ...isBuilt, PLAYWRIGHT_JSON_OUTPUT_FILE: browsersReport('journeys') },
    alone: `${pnpm} exec playwright test --config e2e/browsers/playwright.config.ts`,
    readReport: () =>
      readPlaywrightReport(readFileSync(browsersReport('journeys'), 'utf8'), 'e2e/browsers/journeys'),
  },
];

const results: PartResult[] = [];
const chromium = await ensureChromium();
if (chromium.ok) {
  results.push(await runPart(build));
  const parts = await Promise.all([[tests], [journeys], checks].map(runOneByOne));
  results.push(...parts.flat());
  if (isFull) results.push(...(await runOtherBrowsers()), ...(await runOneByOne(measurements)));
} else {
  results.push({ ...chromium, command: `${pnpm} exec playwright install chromium` });
}

process.stdout.write(`\n${summarize(results)}\n`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

/** Fails with the packages to install if a browser is missing. */
async function runOtherBrowsers(): Promise<PartResult[]> {
  const problem = describeMissingBrowsers();
  if (problem === null) return runOneByOne(otherBrowsers);
  process.stderr.write(`\n${problem}`);
  return [{ name: 'Firefox and WebKit', ok: false, seconds: 0, output: problem, command: installCommand() }];
}

async function runOneByOne(parts: readonly Part[]): Promise<PartResult[]> {
  const results: PartResult[] = [];
  for (const part of parts) results.push(await runPart(part));
  return results;
}

async function runPart({ alone, readReport, ...step }: Part): Promise<PartResult> {
  const result = { ...(await runStep(step)), command: alone };
  if (!readReport) return result;
  const report = readOrEmpty(readReport);
  // A run without a passed test counts as failed.
  return { ...result, ok: result.ok && report.failed === 0 && report.passed > 0, report };
}

/** Reads a report; returns an empty report if the run ended before it was written. */
function readOrEmpty(read: () => TestReport): TestReport {
  try {
    return read();
  } catch {
    return emptyReport;
  }
}
