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
 * variable as unset and ignores white space around a value.
 */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #problems: string[] = [];
  readonly #known = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
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

  /** Returns the value of a variable without surrounding white space, or null if the variable is unset. */
  text(name: string): string | null {
    this.#known.add(name);
    const text = this.#environment[name]?.trim();
    return text === undefined || text === '' ? null : text;
  }

  isSet(name: string): boolean {
    return this.text(name) !== null;
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
