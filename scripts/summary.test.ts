import { describe, expect, it } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './reports.ts';
import { firstError, summarize, type PartResult } from './summary.ts';

const types: PartResult = { name: 'types', ok: true, seconds: 12.34, output: '', command: 'pnpm types' };
const tests: PartResult = {
  name: 'tests',
  ok: true,
  seconds: 300,
  output: '',
  command: 'vitest run',
  report: { passed: 40, failed: 0, firstFailure: null, failedFiles: [] },
};

describe('summarize', () => {
  it('lists the parts with their times, and ends with the test counts', () => {
    expect(summarize([types, tests])).toBe(
      ['── summary ──', '✓ types (12.3 s)', '✓ tests (300.0 s)', '', '40 passed, 0 failed'].join('\n'),
    );
  });

  it('shows a failed part, its first error and the command that runs only that part', () => {
    const output = [
      '── types of api ──',
      "src/a.ts(1,2): error TS2322: Type 'string' is not…",
      '  detail',
      '',
    ].join('\n');
    const summary = summarize([{ ...types, ok: false, output }, tests]);
    expect(summary.split('\n').slice(1)).toEqual([
      '✗ types (12.3 s)',
      '✓ tests (300.0 s)',
      '',
      '✗ types failed. First error:',
      "  src/a.ts(1,2): error TS2322: Type 'string' is not…",
      '    detail',
      '  Run only this: pnpm types',
      '',
      '40 passed, 1 failed',
    ]);
  });

  it('lists the files with failed tests in the command, and counts the tests', () => {
    const report = {
      passed: 38,
      failed: 2,
      firstFailure: 'api/src/a.test.ts › adds\n\u001B[31mAssertionError\u001B[39m: expected 1 to be 2',
      failedFiles: ['api/src/a.test.ts', 'api/src/b.test.ts'],
    };
    const lines = summarize([types, { ...tests, ok: false, report }]).split('\n');
    expect(lines).toContain('  api/src/a.test.ts › adds');
    expect(lines).toContain('  AssertionError: expected 1 to be 2');
    expect(lines).toContain('  Run only this: vitest run api/src/a.test.ts api/src/b.test.ts');
    expect(lines.at(-1)).toBe('38 passed, 2 failed');
  });

  it('counts a run that crashed without a failed test as one failure', () => {
    const crashed = { ...tests, ok: false, output: 'Error: out of memory\n' };
    expect(summarize([crashed])).toMatch(/Error: out of memory[^]*\n40 passed, 1 failed$/);
  });

  it('truncates long errors', () => {
    const output = ['Error: many', ...Array.from({ length: 100 }, (_, index) => `line ${index}`)].join('\n');
    expect(summarize([{ ...types, ok: false, output }]).split('\n').length).toBeLessThan(20);
  });
});

describe('firstError', () => {
  it.each([
    ['tsc', "a.ts(1,2): error TS2322: Type 'x'"],
    ['oxlint', '  × eslint(no-console): Unexpected console statement.'],
    ['node', 'TypeError: x is not a function'],
  ])('finds the first error in the output of %s', (_tool, line) => {
    expect(firstError(`── title ──\nall is well\n${line}\nmore`)).toBe(`${line}\nmore`);
  });

  it('returns the last lines of an output without a recognized error', () => {
    expect(firstError('one\ntwo\n')).toBe('one\ntwo');
  });
});

describe('readVitestReport', () => {
  const test = { fullName: 'adds numbers', status: 'failed', failureMessages: ['Error: 1'] };

  it('reads the test counts and the failed tests from the report', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        { name: '/project/a.test.ts', status: 'passed', message: '', assertionResults: [] },
        { name: '/project/b.test.ts', status: 'failed', message: '', assertionResults: [test] },
      ],
    };
    expect(readVitestReport(JSON.stringify(report), '/project')).toEqual({
      passed: 3,
      failed: 1,
      firstFailure: 'b.test.ts › adds numbers\nError: 1',
      failedFiles: ['b.test.ts'],
    });
  });

  it('reports the error of a test file that could not be loaded', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 0,
      testResults: [
        { name: '/project/a.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      ],
    };
    expect(readVitestReport(JSON.stringify(report), '/project')).toMatchObject({
      firstFailure: 'a.test.ts\nNo such module',
      failedFiles: ['a.test.ts'],
    });
  });
});

it('readPlaywrightReport reads nested suites', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    ok,
    file: 'connect.spec.ts',
    line: 25,
    tests: [{ results: [{ errors: ok ? [] : [{ message: 'Timed out' }] }] }],
  });
  const report = {
    stats: { expected: 1, unexpected: 1 },
    suites: [{ specs: [spec('works', true)], suites: [{ specs: [spec('breaks', false)] }] }],
  };
  expect(readPlaywrightReport(JSON.stringify(report), 'e2e/journeys')).toEqual({
    passed: 1,
    failed: 1,
    firstFailure: 'e2e/journeys/connect.spec.ts:25 › breaks\nTimed out',
    failedFiles: ['e2e/journeys/connect.spec.ts:25'],
  });
});
