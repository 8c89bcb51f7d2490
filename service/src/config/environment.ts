/** The environment, as `process.env` gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment: every mistake at once, each naming its variable and what to write. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map(fault => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** A parser gives the value, or says what to write. It never repeats what was written, which may be a secret. */
export type Parse<T> = (text: string) => { value: T } | { fault: string };

/**
 * Reads variables one by one and remembers every mistake, so that they are told together at the end.
 * A variable that is empty counts as unset; white space around a value is dropped.
 */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #faults: string[] = [];
  readonly #known = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The variable's value, or null when it is unset or wrong. */
  read<T>(name: string, parse: Parse<T>): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const parsed = parse(text);
    if ('value' in parsed) return parsed.value;
    this.refuse(`${name} ${parsed.fault}`);
    return null;
  }

  /** The variable as it stands, or null when it is unset. */
  text(name: string): string | null {
    this.#known.add(name);
    const text = this.#environment[name]?.trim();
    return text === undefined || text === '' ? null : text;
  }

  isSet(name: string): boolean {
    return this.text(name) !== null;
  }

  /** Remembers a mistake, told as a sentence that begins with the variable's name. */
  refuse(fault: string): void {
    this.#faults.push(fault);
  }

  /** @throws ConfigurationError when there was any mistake. */
  finish(): void {
    if (this.#faults.length > 0) throw new ConfigurationError(this.#faults);
  }

  /**
   * Variables that are set, were never read, and look as if they were meant for us: they begin with one of our prefixes, or are a
   * slip of the finger away from a variable of ours.
   */
  suspicious(prefixes: readonly string[]): string[] {
    const known = [...this.#known];
    return Object.keys(this.#environment)
      .filter(name => !this.#known.has(name))
      .flatMap(name => {
        // Short names have too many innocent neighbours.
        const meant = name.length < 7 ? undefined : known.find(candidate => distance(name, candidate) <= 2);
        if (meant !== undefined) return [`${name} is not a setting; did you mean ${meant}?`];
        return prefixes.some(prefix => name.startsWith(prefix)) ? [`${name} is not a setting`] : [];
      });
  }
}

/** How many characters must be added, dropped or changed to get from one word to the other. */
function distance(from: string, to: string): number {
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
