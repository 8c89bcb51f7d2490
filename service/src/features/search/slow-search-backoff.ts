import type { Clock } from '@connector-auth/api';
import { LRUCache } from 'lru-cache';
import { LimitError } from '../../platform/concurrency/limit-error.ts';

const firstPauseSeconds = 15;
const maxPauseSeconds = 600;
/** Maximum number of tracked customers. The least recently used one is dropped. */
const maxCustomers = 10_000;

interface Pause {
  readonly seconds: number;
  readonly until: number;
}

/**
 * Pauses a customer's searches after one that timed out. The pause doubles each time, up to ten minutes, and
 * starts over after a search that succeeds. Each process counts separately.
 */
export class SlowSearchBackoff {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #pauses = new LRUCache<string, Pause>({ max: maxCustomers });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** @throws LimitError if the customer's searches are paused. */
  requireNoPause(customerId: string): void {
    const pause = this.#pauses.get(customerId);
    const remainingMs = pause === undefined ? 0 : pause.until - this.#clock.now();
    if (pause === undefined || remainingMs <= 0) return;
    const retryAfterSeconds = Math.ceil(remainingMs / 1000);
    throw new LimitError(
      { name: 'slow-searches', quota: 1, windowSeconds: pause.seconds },
      `A recent search of this customer timed out, so its searches are paused. Retry in ${retryAfterSeconds} seconds, with a narrower filter`,
      retryAfterSeconds,
    );
  }

  recordTimeout(customerId: string): void {
    const now = this.#clock.now();
    const last = this.#pauses.get(customerId);
    // Several concurrent searches that time out together count once.
    if (last !== undefined && last.until > now) return;
    const seconds = last === undefined ? firstPauseSeconds : Math.min(maxPauseSeconds, last.seconds * 2);
    this.#pauses.set(customerId, { seconds, until: now + seconds * 1000 });
  }

  /** Resets the length of the next pause. A pause that is in progress continues. */
  recordSuccess(customerId: string): void {
    const pause = this.#pauses.get(customerId);
    if (pause !== undefined && pause.until <= this.#clock.now()) this.#pauses.delete(customerId);
  }
}
