export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Returns the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly description: string;
}

/**
 * Reads an option that is a positive integer.
 * @throws Error that names the option.
 */
export function readCount(options: CommandContext['options'], name: string, usual: number): number {
  const value = Number(options[name] ?? usual);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a positive integer`);
}

export interface CommandContext {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  /** Asks a person; returns false without a terminal. */
  readonly confirm: (question: string) => Promise<boolean>;
}
