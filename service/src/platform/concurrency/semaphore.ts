import { ConnectorAuthError } from '@connector-auth/api';

export interface SemaphoreLimits {
  /** Permits of each key, or of all keys together if they share them. */
  readonly maxConcurrent: number;
  /**
   * Makes all keys share the permits fairly: the next one goes to the waiting key with the least running work, and keys
   * with equally much take turns. `reserved` of the permits are only for keys with no running work.
   */
  readonly shared?: { readonly reserved: number };
  /** Waiting callers of each key. */
  readonly maxQueued: number;
  /** The maximum wait in the queue. Default: no limit. */
  readonly maxWaitMs?: number;
}

interface Slot {
  running: number;
  /** Waiting callers in order of arrival. */
  readonly queue: Set<() => void>;
}

/** Limits concurrency in this process, by key. Excess work waits in a bounded queue. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #fullError: () => ConnectorAuthError;
  readonly #timeoutError: () => ConnectorAuthError;
  /** Keys with running or waiting work. If they share the permits, in the order of their turns. */
  readonly #slots = new Map<string, Slot>();
  #running = 0;

  /**
   * @param fullError creates the error to throw when the key's queue is full.
   * @param timeoutError creates the error to throw after `maxWaitMs`. Default: `fullError`.
   */
  constructor(limits: SemaphoreLimits, fullError: () => ConnectorAuthError, timeoutError = fullError) {
    this.#limits = limits;
    this.#fullError = fullError;
    this.#timeoutError = timeoutError;
  }

  /**
   * Acquires a permit. Returns a function that releases the permit and must be called exactly once.
   * @throws ConnectorAuthError `fullError`, `timeoutError`, or `aborted` if the signal aborts while waiting.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    const release = this.tryAcquire(key);
    if (release !== null) return release;
    const slot = this.#slots.get(key) ?? { running: 0, queue: new Set() };
    if (slot.queue.size >= this.#limits.maxQueued) throw this.#fullError();
    this.#slots.set(key, slot);
    await this.#wait(key, slot, signal);
    return () => this.#release(key, slot);
  }

  /** Acquires a permit, or returns null if `acquire` would have to wait. */
  tryAcquire(key: string): (() => void) | null {
    const slot = this.#slots.get(key) ?? { running: 0, queue: new Set() };
    if (!this.#isFree(slot)) return null;
    this.#take(key, slot);
    return () => this.#release(key, slot);
  }

  /** Returns the number of permits of a key that would be left if the caller released one. */
  availableBesides(key: string): number {
    const others = Math.max(0, (this.#slots.get(key)?.running ?? 0) - 1);
    return Math.max(0, this.#limits.maxConcurrent - others);
  }

  /** Runs work while holding a permit. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = this.tryAcquire(key) ?? (await this.acquire(key, signal));
    try {
      return await work();
    } finally {
      release();
    }
  }

  #isFree({ running }: Slot): boolean {
    const { maxConcurrent, shared } = this.#limits;
    if (shared === undefined) return running < maxConcurrent;
    return this.#running < (running === 0 ? maxConcurrent : maxConcurrent - shared.reserved);
  }

  #take(key: string, slot: Slot): void {
    slot.running++;
    this.#running++;
    // Moves the key to the end of the turns.
    this.#slots.delete(key);
    this.#slots.set(key, slot);
  }

  #wait(key: string, slot: Slot, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaitMs } = this.#limits;
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
      const timer =
        maxWaitMs === undefined ? undefined : setTimeout(() => fail(this.#timeoutError()), maxWaitMs).unref();
      slot.queue.add(enter);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
  }

  /** Returns a permit, and passes it to a waiting caller. */
  #release(key: string, slot: Slot): void {
    slot.running--;
    this.#running--;
    const next = this.#limits.shared === undefined ? slot : this.#nextInTurn();
    if (next !== null && next.queue.size > 0) {
      const [enter] = next.queue;
      enter?.();
    }
    this.#deleteIfIdle(key, slot);
  }

  #nextInTurn(): Slot | null {
    let next: Slot | null = null;
    for (const slot of this.#slots.values()) {
      if (slot.queue.size === 0 || !this.#isFree(slot)) continue;
      if (next === null || slot.running < next.running) next = slot;
    }
    return next;
  }

  #deleteIfIdle(key: string, slot: Slot): void {
    if (slot.running === 0 && slot.queue.size === 0) this.#slots.delete(key);
  }
}
