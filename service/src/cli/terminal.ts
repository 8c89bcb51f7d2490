import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Where a command reads answers and writes results and messages. */
export interface Terminal {
  /** Writes a line of the result to standard output. */
  print(line: string): void;
  /** Writes a line for the operator, which is not part of the result, to standard error. */
  note(line: string): void;
  /** The width of the terminal in characters, or null if the result goes to a file or another program. */
  readonly columns: number | null;
  /** Asks the operator for a line of text. Null if no one can answer. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** The standard input, for values that must not be arguments. */
  readonly input: Readable;
  /** Resolves when everything printed has been written. */
  flushed(): Promise<void>;
  /** Returns a signal that aborts when the operator presses Ctrl-C, which then does not end the process. */
  interrupted(): AbortSignal;
}

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // A reader such as `head` may close the pipe before the command has written everything.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return {
    print: line => void stdout.write(`${line}\n`),
    note: line => void stderr.write(`${line}\n`),
    columns: stdout.isTTY ? stdout.columns : null,
    ask: stdin.isTTY && stderr.isTTY ? question => askLine(question, stdin, stderr) : null,
    input: stdin,
    flushed: () => new Promise(resolve => stdout.write('', () => resolve())),
    interrupted: () => {
      const controller = new AbortController();
      // The second one ends it.
      process.once('SIGINT', () => controller.abort());
      return controller.signal;
    },
  };
}

async function askLine(question: string, input: Readable, output: Writable): Promise<string> {
  const lines = createInterface({ input, output });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Returns the same JSON with escapes for control characters that JSON allows in strings, and for text directions. */
export function printableJson(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\p{Bidi_C}]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Returns text that is safe to print: control characters, which could move the cursor or change what is shown,
 * and characters that change the text direction are replaced.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_C}\p{Cs}]/gu, '�');
}
