import { stripVTControlCharacters } from 'node:util';
import type { TestReport } from './reports.ts';

/** The result of one part of the test command. */
export interface PartResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
  /** The command that runs only this part. */
  readonly command: string;
  /** The test report. Present only for parts that run tests. */
  readonly report?: TestReport;
}

const maxErrorLines = 8;
const maxFiles = 5;

/**
 * Returns the summary that ends the test command's output. It lists every part with its time and, for each
 * failed part, its first error and the command that runs only that part. The last line contains the numbers
 * of passed and failed tests.
 */
export function summarize(parts: readonly PartResult[]): string {
  const passed = sum(parts.map(({ report }) => report?.passed ?? 0));
  // A part that failed without a failed test (a type error, a crash) counts as one failure.
  const failed = sum(parts.map(({ ok, report }) => report?.failed || (ok ? 0 : 1)));
  return [
    '── summary ──',
    ...parts.map(({ name, ok, seconds }) => `${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`),
    '',
    ...parts.filter(({ ok }) => !ok).flatMap(describeFailure),
    `${passed} passed, ${failed} failed`,
  ].join('\n');
}

function describeFailure({ name, command, output, report }: PartResult): string[] {
  const error = report?.firstFailure ?? firstError(output);
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, maxErrorLines);
  const files = report?.failedFiles.slice(0, maxFiles) ?? [];
  return [
    `✗ ${name} failed. First error:`,
    ...lines.map(line => `  ${line}`),
    `  Run only this: ${[command, ...files].join(' ')}`,
    '',
  ];
}

/** Returns the output from the first line that looks like an error, or the last lines if none does. */
export function firstError(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter(line => line.trim() !== '');
  const index = lines.findIndex(line => /\berror\b|Error:|^\s*[✗×✘✖]|\bFAIL/i.test(line));
  return (index === -1 ? lines.slice(-maxErrorLines) : lines.slice(index, index + maxErrorLines)).join('\n');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
