import type { Clock } from '../src/clock.ts';

interface Sleeper {
  readonly endsAt: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  /** The waits that were passed over, in milliseconds. */
  readonly skipped: number[] = [];
  readonly #skipUpToMs: number;
  #now = Date.UTC(2026, 10, 21);
  #sleepers: Sleeper[] = [];
  #watchers: { count: number; resolve: () => void }[] = [];

  /** @param skipUpToMs waits of at most this pass at once, moving the clock: the delays between repeats. */
  constructor(skipUpToMs = 0) {
    this.#skipUpToMs = skipUpToMs;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (ms <= this.#skipUpToMs) {
      this.skipped.push(ms);
      this.advance(ms);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper = { endsAt: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      for (const { count, resolve: tell } of this.#watchers) if (this.sleeping >= count) tell();
      signal.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter(other => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Moves the time on and wakes who has waited long enough. */
  advance(ms: number): void {
    this.#now += ms;
    const awake = this.#sleepers.filter(sleeper => sleeper.endsAt <= this.#now);
    this.#sleepers = this.#sleepers.filter(sleeper => sleeper.endsAt > this.#now);
    for (const sleeper of awake) sleeper.wake();
  }

  /** Resolves when that many waits are going on. */
  asleep(count: number): Promise<void> {
    if (this.sleeping >= count) return Promise.resolve();
    return new Promise(resolve => {
      this.#watchers.push({ count, resolve });
    });
  }

  /** How many waits are going on. */
  get sleeping(): number {
    return this.#sleepers.length;
  }
}
