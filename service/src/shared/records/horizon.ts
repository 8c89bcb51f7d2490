import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { advanceHorizon, type FeedState } from '../repositories/record-changes.ts';

/** Moves the horizon for several requests at once: each moved it waits for the disk. */
export class Horizon {
  readonly #db: Kysely<Tables>;
  #running: Promise<unknown> = Promise.resolve();
  /** The next run, which has not begun yet. */
  #next: Promise<FeedState> | null = null;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Returns after all that was visible at the call is on disk. */
  advance(): Promise<FeedState> {
    this.#next ??= this.#run();
    return this.#next;
  }

  async #run(): Promise<FeedState> {
    await this.#running;
    this.#next = null;
    const running = advanceHorizon(this.#db);
    this.#running = running.catch(() => {});
    return running;
  }
}
