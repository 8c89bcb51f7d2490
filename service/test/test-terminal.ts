import { Readable } from 'node:stream';
import type { Terminal } from '../src/cli/terminal.ts';

/** A terminal that records what a command writes. */
export interface TestTerminal extends Terminal {
  /** The standard output. */
  readonly printed: () => string;
  /** The standard error. */
  readonly noted: () => string;
  readonly questions: readonly string[];
}

/** Creates a terminal. Without `answers`, no one can confirm anything. */
export function testTerminal(
  options: {
    columns?: number;
    answers?: readonly string[];
    input?: string;
    interrupted?: AbortSignal;
  } = {},
): TestTerminal {
  const printed: string[] = [];
  const noted: string[] = [];
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  return {
    print: line => void printed.push(line),
    note: line => void noted.push(line),
    columns: options.columns ?? null,
    ask:
      options.answers === undefined
        ? null
        : question => {
            questions.push(question);
            return Promise.resolve(answers.shift() ?? '');
          },
    input: Readable.from([options.input ?? '']),
    flushed: () => Promise.resolve(),
    interrupted: () => options.interrupted ?? new AbortController().signal,
    printed: () => printed.join('\n'),
    noted: () => noted.join('\n'),
    questions,
  };
}
