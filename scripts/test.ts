/**
 * Everything that must hold, in one run and one summary: types, lint and format, tests on Node, on both database
 * engines and in a real browser, and the journeys through the whole.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtVariable } from './ensure-built.ts';
import { ensureChromium } from './ensure-chromium.ts';
import { root, runStep, type Step, type StepResult } from './steps.ts';

const reports = join(root, '.cache/test-reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const build: Step = {
  name: 'build',
  command: ['node', '--conditions=source', 'scripts/run.mjs', 'build'],
  isQuiet: true,
};
/** Run beside the tests, which wait for processes and leases now and then. */
const checks: Step[] = [
  { name: 'types', command: ['node', '--conditions=source', 'scripts/run.mjs', 'types'], isQuiet: true },
  { name: 'lint', command: ['oxlint', '--deny-warnings'], isQuiet: true },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'], isQuiet: true },
];
const isBuilt = { [builtVariable]: 'yes' };
const tests: Step = {
  name: 'unit, integration and browser tests',
  command: [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'vitest.json')}`,
  ],
  env: isBuilt,
};
const browserJourneys: Step = {
  name: 'journeys in a real browser',
  command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  env: { ...isBuilt, PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
};

const results: StepResult[] = [];
if (await ensureChromium()) {
  results.push(await runStep(build));
  const [checked, tested] = await Promise.all([runOneByOne(checks), runStep(tests)]);
  results.push(...checked, tested);
  // Real windows need the machine to themselves.
  results.push(await runStep(browserJourneys));
} else {
  results.push({ name: 'Chromium', ok: false, seconds: 0 });
}

const vitest = readVitest(join(reports, 'vitest.json'));
const journeys = readPlaywright(join(reports, 'playwright.json'));
const passed = vitest.passed + journeys.passed;
const failedTests = vitest.failed + journeys.failed;
// A step that failed without a failed test (types, lint, a crash) counts as one failure.
const failedSteps = results.filter(({ ok }) => !ok).length;

process.stdout.write('\n── summary ──\n');
for (const { name, ok, seconds } of results) {
  process.stdout.write(`${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)\n`);
}
process.stdout.write(`\n${passed} passed, ${Math.max(failedTests, failedSteps)} failed\n`);
process.exitCode = failedSteps + failedTests > 0 || passed === 0 ? 1 : 0;

async function runOneByOne(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

interface Counts {
  passed: number;
  failed: number;
}

/** Counts of a vitest report; none when the run ended before it was written. */
function readVitest(path: string): Counts {
  const report = readReport(path) as { numPassedTests?: number; numFailedTests?: number } | null;
  return { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 };
}

/** Counts of a Playwright report; none when the run ended before it was written. */
function readPlaywright(path: string): Counts {
  const report = readReport(path) as { stats?: { expected: number; unexpected: number } } | null;
  const { expected = 0, unexpected = 0 } = report?.stats ?? {};
  return { passed: expected, failed: unexpected };
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}
