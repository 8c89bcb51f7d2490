import { relative } from 'node:path';

/** A summary of a test runner's report. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** The title and message of the first failed test, or null if no test failed. */
  readonly firstFailure: string | null;
  /**
   * The files with failed tests, relative to the workspace root, in a form that the runner accepts as an
   * argument.
   */
  readonly failedFiles: readonly string[];
}

/** The report for a run that ended before it wrote one. */
export const emptyReport: TestReport = { passed: 0, failed: 0, firstFailure: null, failedFiles: [] };

/** The parts of Vitest's JSON report that `readVitestReport` reads. */
interface VitestJson {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** The error if the file could not be loaded. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Parses Vitest's JSON report. */
export function readVitestReport(json: string, root: string): TestReport {
  const report = JSON.parse(json) as VitestJson;
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(test => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, text: `${file}\n${message}` }];
    return failed.map(test => ({
      file,
      text: `${file} › ${test.fullName}\n${test.failureMessages.join('\n')}`,
    }));
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    firstFailure: failures[0]?.text ?? null,
    failedFiles: [...new Set(failures.map(({ file }) => file))],
  };
}

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/** The parts of Playwright's JSON report that `readPlaywrightReport` reads. */
interface PlaywrightJson {
  readonly stats: { readonly expected: number; readonly unexpected: number };
  readonly suites: readonly PlaywrightSuite[];
}

/** Parses Playwright's JSON report. Prefixes the paths of the journeys with `folder`. */
export function readPlaywrightReport(json: string, folder: string): TestReport {
  const report = JSON.parse(json) as PlaywrightJson;
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const failed = report.suites.flatMap(specsOf).filter(({ ok }) => !ok);
  const failures = failed.map(({ title, file, line, tests }) => {
    const errors = tests.flatMap(({ results }) => results.flatMap(result => result.errors));
    const place = `${folder}/${file}:${line}`;
    return { place, text: `${place} › ${title}\n${errors[0]?.message ?? ''}` };
  });
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected,
    firstFailure: failures[0]?.text ?? null,
    failedFiles: failures.map(({ place }) => place),
  };
}
