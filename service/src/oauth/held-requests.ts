import { ConnectorAuthError } from '@connector-auth/api';

const retryAfterSeconds = 5;

/** Counts the requests that are held open for each key, in this process. */
export class HeldRequests {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  /** @param most at once for one key. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more, until what it gives is called.
   * @throws ConnectorAuthError `rate_limited` when there are too many.
   */
  hold(key: string): () => void {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#most) {
      throw new ConnectorAuthError(
        'rate_limited',
        `${this.#most} requests of this customer are held open already; ask without wait, or try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
    this.#counts.set(key, count + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }
}
