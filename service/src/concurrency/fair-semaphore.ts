import { ConnectorAuthError } from '@connector-auth/api';

export interface FairSemaphoreLimits {
  readonly maxConcurrent: number;
  /** Part of `maxConcurrent` that only keys with no running work can use. */
  readonly reserved: number;
  readonly maxQueuedPerKey: number;
  readonly maxWaitMs: number;
}

interface Slot {
  running: number;
  /** Waiting callers in order of arrival. */
  readonly queue: Set<() => void>;
}

/**
 * Concurrency limit that all keys share fairly. The next permit goes to the waiting key with the least running
 * work. Keys with equally much work take turns.
 */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  readonly #errors: { readonly full: () => ConnectorAuthError; readonly timeout: () => ConnectorAuthError };
  /** Keys with running or waiting work, in the order of their turns. */
  readonly #slots = new Map<string, Slot>();
  #running = 0;

  /**
   * @param errors creates the errors to throw when a key's queue is full and when a caller has waited for
   * `maxWaitMs`.
   */
  constructor(
    limits: FairSemaphoreLimits,
    errors: { readonly full: () => ConnectorAuthError; readonly timeout: () => ConnectorAuthError },
  ) {
    this.#limits = limits;
    this.#errors = errors;
  }

  /**
   * Runs work while holding a permit.
   * @throws ConnectorAuthError `full` or `timeout`, or `aborted` if the signal aborts before the work starts.
   */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const slot = this.#slots.get(key) ?? { running: 0, queue: new Set() };
    this.#slots.set(key, slot);
    if (this.#isFree(slot)) {
      this.#take(key, slot);
    } else if (slot.queue.size < this.#limits.maxQueuedPerKey) {
      await this.#wait(key, slot, signal);
    } else {
      this.#deleteIfIdle(key, slot);
      throw this.#errors.full();
    }
    try {
      return await work();
    } finally {
      slot.running--;
      this.#running--;
      this.#deleteIfIdle(key, slot);
      this.#admitNext();
    }
  }

  #isFree({ running }: Slot): boolean {
    const { maxConcurrent, reserved } = this.#limits;
    return this.#running < (running === 0 ? maxConcurrent : maxConcurrent - reserved);
  }

  /** Counts a permit, and moves the key to the end of the turns. */
  #take(key: string, slot: Slot): void {
    slot.running++;
    this.#running++;
    this.#slots.delete(key);
    this.#slots.set(key, slot);
  }

  #wait(key: string, slot: Slot, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        slot.queue.delete(enter);
        signal?.removeEventListener('abort', abort);
      };
      const enter = (): void => {
        leave();
        this.#take(key, slot);
        resolve();
      };
      const fail = (error: ConnectorAuthError): void => {
        leave();
        this.#deleteIfIdle(key, slot);
        reject(error);
      };
      const abort = (): void =>
        fail(new ConnectorAuthError('aborted', 'The caller disconnected while its request was queued'));
      const timer = setTimeout(() => fail(this.#errors.timeout()), this.#limits.maxWaitMs);
      slot.queue.add(enter);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
  }

  /** Passes free permits to waiting callers. */
  #admitNext(): void {
    for (;;) {
      let next: Slot | null = null;
      for (const slot of this.#slots.values()) {
        if (slot.queue.size === 0 || !this.#isFree(slot)) continue;
        if (next === null || slot.running < next.running) next = slot;
      }
      const [enter] = next?.queue ?? [];
      if (enter === undefined) return;
      enter();
    }
  }

  #deleteIfIdle(key: string, slot: Slot): void {
    if (slot.running === 0 && slot.queue.size === 0) this.#slots.delete(key);
  }
}
