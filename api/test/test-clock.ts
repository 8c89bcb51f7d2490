import type { Clock } from '../src/clock.ts';

interface Sleeper {
  readonly endsAt: number;
  readonly wake: () => void;
}

/** A clock that moves only when a test advances it. */
export class TestClock implements Clock {
  /** Sleeps that were skipped, in milliseconds. */
  readonly skipped: number[] = [];
  readonly #skipUpToMs: number;
  #now = Date.UTC(2026, 10, 21);
  #sleepers: Sleeper[] = [];
  #watchers: { count: number; resolve: () => void }[] = [];

  /** @param skipUpToMs sleeps up to this long, such as retry delays, end at once and advance the clock. */
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
      for (const { count, resolve: notify } of this.#watchers) if (this.sleeping >= count) notify();
      signal.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter(other => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Advances the clock and ends the sleeps that are due. */
  advance(ms: number): void {
    this.#now += ms;
    const awake = this.#sleepers.filter(sleeper => sleeper.endsAt <= this.#now);
    this.#sleepers = this.#sleepers.filter(sleeper => sleeper.endsAt > this.#now);
    for (const sleeper of awake) sleeper.wake();
  }

  /** Resolves when `count` sleeps are in progress. */
  asleep(count: number): Promise<void> {
    if (this.sleeping >= count) return Promise.resolve();
    return new Promise(resolve => {
      this.#watchers.push({ count, resolve });
    });
  }

  /** Number of sleeps in progress. */
  get sleeping(): number {
    return this.#sleepers.length;
  }
}
