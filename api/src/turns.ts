import { setImmediate as nextIteration } from 'node:timers/promises';

/** Runs long computations one after another, with other work of the event loop in between. */
export class Turns {
  readonly #iterations: number;
  #last = Promise.resolve();

  /** @param iterations the number of iterations of the event loop between two turns. */
  constructor(iterations: number) {
    this.#iterations = iterations;
  }

  /** Resolves when the computation can start. */
  take(): Promise<void> {
    const turn = this.#last;
    this.#last = this.#endAfter(turn);
    return turn;
  }

  async #endAfter(turn: Promise<void>): Promise<void> {
    await turn;
    for (let count = 0; count < this.#iterations; count += 1) await nextIteration();
  }
}
