import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { nearest } from './edit-distance.ts';

/** A set of environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists all configuration errors. Each one is a sentence that names the variable and says how to fix it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads environment variables and collects all errors, so that they are reported together. Treats an empty
 * variable as unset and ignores white space around a value. A secret can also be in a file, whose path is in the
 * variable with `_FILE` at the end of its name.
 */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #secrets: ReadonlySet<string>;
  readonly #problems: string[] = [];
  readonly #known = new Set<string>();
  /** What the files contain, by variable. Null after an error. */
  readonly #files = new Map<string, string | null>();

  /** @param secrets the names of the variables that contain secrets. */
  constructor(environment: Environment, secrets: Iterable<string>) {
    this.#environment = environment;
    this.#secrets = new Set(secrets);
  }

  /**
   * Returns the value of a variable, or null if the variable is unset or invalid.
   * @param schema its error messages are appended to the variable's name ("must be …") and never contain the
   * value, which may be a secret.
   */
  read<T>(name: string, schema: z.ZodType<T, string>): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    this.report(`${name} ${parsed.error.issues[0]?.message}`);
    return null;
  }

  /**
   * Returns the value of a variable, or of the file that it names, without surrounding white space. Returns null if
   * both are unset or the file cannot be read.
   */
  text(name: string): string | null {
    const value = this.#value(name);
    if (!this.#secrets.has(name)) return value;
    const fileVariable = `${name}_FILE`;
    const path = this.#value(fileVariable);
    if (path === null) return value;
    let text = this.#files.get(name);
    if (text === undefined) {
      if (value !== null) this.report(`${name} and ${fileVariable} are both set: unset one of them`);
      text = value === null ? this.#readFile(fileVariable, path) : null;
      this.#files.set(name, text);
    }
    return text;
  }

  /** Returns whether a variable or its file is set, even if the file cannot be read. */
  isSet(name: string): boolean {
    return this.text(name) !== null || this.#files.has(name);
  }

  #value(name: string): string | null {
    this.#known.add(name);
    const text = this.#environment[name]?.trim();
    return text === undefined || text === '' ? null : text;
  }

  #readFile(variable: string, path: string): string | null {
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text !== '') return text;
      this.report(`${variable}: ${path} is empty`);
    } catch (error) {
      this.report(`${variable}: ${path} ${readErrorOf(error)}`);
    }
    return null;
  }

  /** Reports a configuration error. The text must be a sentence that starts with the name of the variable. */
  report(problem: string): void {
    this.#problems.push(problem);
  }

  /** Throws a ConfigurationError if any error was reported. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigurationError(this.#problems);
  }

  /**
   * Returns a warning for each variable that looks like a misspelled setting, because it starts with one of
   * the prefixes or differs from a known name by at most two typos.
   */
  warnAboutTypos(prefixes: readonly string[]): string[] {
    const known = [...this.#known];
    return Object.keys(this.#environment)
      .filter(name => !this.#known.has(name))
      .flatMap(name => {
        // Short names are skipped because they resemble too many unrelated names.
        const meant = name.length < 7 ? null : nearest(name, known);
        if (meant !== null) return [`${name} is not a setting; did you mean ${meant}?`];
        return prefixes.some(prefix => name.startsWith(prefix)) ? [`${name} is not a setting`] : [];
      });
  }
}

function readErrorOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'cannot be read by the user of this process';
  return `cannot be read (${String(code)})`;
}
