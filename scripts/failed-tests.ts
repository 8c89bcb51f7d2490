import type { Reporter, TestCase } from 'vitest/node';

/**
 * Prints each failed test at once. Vitest's own reporters print the errors after all tests, and the names of failed tests
 * after the last test of their file.
 */
export default class FailedTests implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== 'failed') return;
    const messages = errors.map(({ message }) => `  ${message}\n`);
    process.stdout.write(`✗ ${test.module.relativeModuleId} › ${test.fullName}\n${messages.join('')}`);
  }
}
