/** The service refused a request because of too much load. */
export class BusyError extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/**
 * Runs a few searches at a time. After a rejected one, all of them wait as long as the service asks, and are then sent
 * again. Dispatches `change`.
 */
export class SearchQueue extends EventTarget {
  /** How long the current pause is; null if there is none. */
  pauseSeconds: number | null = null;
  #pause: Promise<void> | null = null;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(maxConcurrent: number) {
    super();
    this.#free = maxConcurrent;
  }

  async run<Result>(search: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      for (;;) {
        await this.#pause;
        try {
          return await search();
        } catch (error) {
          if (!(error instanceof BusyError)) throw error;
          this.#pause ??= this.#pauseFor(error.retryAfterSeconds);
        }
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #pauseFor(seconds: number): Promise<void> {
    this.#setPause(seconds);
    await new Promise(resolve => setTimeout(resolve, seconds * 1000));
    this.#pause = null;
    this.#setPause(null);
  }

  #setPause(seconds: number | null): void {
    this.pauseSeconds = seconds;
    this.dispatchEvent(new Event('change'));
  }
}
