import type { z } from 'zod';

/** The shape of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every problem of the configuration, each as a sentence that names the variable and what to set. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads variables one by one and collects every problem, so that they are reported together.
 * An empty variable counts as unset; white space around a value is ignored.
 */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #problems: string[] = [];
  readonly #known = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /**
   * Returns the variable's value, or null if it is unset or invalid.
   * @param schema its messages follow the variable's name ("must be …") and never contain the value, which may be a secret.
   */
  read<T>(name: string, schema: z.ZodType<T, string>): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    this.report(`${name} ${parsed.error.issues[0]?.message}`);
    return null;
  }

  /** Returns the variable without white space around it, or null if it is unset. */
  text(name: string): string | null {
    this.#known.add(name);
    const text = this.#environment[name]?.trim();
    return text === undefined || text === '' ? null : text;
  }

  isSet(name: string): boolean {
    return this.text(name) !== null;
  }

  /** Adds a problem: a sentence that begins with the variable's name. */
  report(problem: string): void {
    this.#problems.push(problem);
  }

  /** @throws ConfigurationError if there was any problem. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigurationError(this.#problems);
  }

  /** Returns a warning for each variable that looks like a misspelled setting: by its prefix, or at most two typos from a known name. */
  warnAboutTypos(prefixes: readonly string[]): string[] {
    const known = [...this.#known];
    return Object.keys(this.#environment)
      .filter(name => !this.#known.has(name))
      .flatMap(name => {
        // Short names are close to too many unrelated ones.
        const meant =
          name.length < 7 ? undefined : known.find(candidate => editDistance(name, candidate) <= 2);
        if (meant !== undefined) return [`${name} is not a setting; did you mean ${meant}?`];
        return prefixes.some(prefix => name.startsWith(prefix)) ? [`${name} is not a setting`] : [];
      });
  }
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
