import type { Job } from '../jobs/periodic-job.ts';
import type { Listener } from './notifications.ts';

interface WorkLoopOptions {
  /** Is notified when something may be due. */
  readonly listener: Listener;
  /** Returns how long to wait if no notification arrives, in milliseconds. */
  readonly waitMs: () => number;
  /** Starts what is due with {@link WorkLoop.start}. */
  readonly fill: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Starts pieces of work in parallel as they become due: it looks for them after each notification, after a while without one, and
 * when a piece has ended.
 */
export class WorkLoop<Item> implements Job {
  readonly #options: WorkLoopOptions;
  readonly #closing = new AbortController();
  readonly #running = new Map<Promise<void>, Item>();
  /** Resolves when something may be due. */
  #wakeUp = Promise.withResolvers<void>();
  #ended: Promise<void> = Promise.resolve();

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  /** Aborts when the loop is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** What is being worked on. */
  get running(): readonly Item[] {
    return [...this.#running.values()];
  }

  run(): void {
    this.#ended = this.#loop();
  }

  /** Keeps track of a piece of work. @param work never rejects. */
  start(item: Item, work: Promise<void>): void {
    const running: Promise<void> = work.finally(() => {
      this.#running.delete(running);
      this.#wakeUp.resolve();
    });
    this.#running.set(running, item);
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#wakeUp.resolve();
    return this.#ended;
  }

  async #loop(): Promise<void> {
    const listening = this.#listen();
    while (!this.closing.aborted) {
      this.#wakeUp = Promise.withResolvers();
      try {
        await this.#options.fill();
      } catch (error) {
        this.#options.onError(error);
      }
      await this.#wakeUp.promise;
    }
    await Promise.all([listening, ...this.#running.keys()]);
  }

  async #listen(): Promise<void> {
    const { listener, waitMs } = this.#options;
    while (!this.closing.aborted) {
      await listener.next(waitMs(), this.closing);
      this.#wakeUp.resolve();
    }
    listener.close();
  }
}
