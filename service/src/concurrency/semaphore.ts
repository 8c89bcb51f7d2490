import { ConnectorAuthError } from '@connector-auth/api';

export interface SemaphoreLimits {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  /** The maximum wait in the queue. Default: no limit. */
  readonly maxWaitMs?: number;
}

interface Slot {
  running: number;
  /** Waiting callers in order of arrival. */
  readonly queue: Set<() => void>;
}

/** Limits concurrency per key in this process. Excess work waits in a bounded queue. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #fullError: () => ConnectorAuthError;
  readonly #slots = new Map<string, Slot>();

  /**
   * @param fullError creates the error to throw when the queue is full.
   */
  constructor(limits: SemaphoreLimits, fullError: () => ConnectorAuthError) {
    this.#limits = limits;
    this.#fullError = fullError;
  }

  /**
   * Acquires a permit. Returns a function that releases the permit and must be called exactly once.
   * @throws ConnectorAuthError `fullError` if the queue is full or the wait is too long, or `aborted` if the signal aborts.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    const release = this.tryAcquire(key);
    if (release !== null) return release;
    const slot = this.#slotOf(key);
    if (slot.queue.size >= this.#limits.maxQueued) throw this.#fullError();
    await this.#waitInQueue(slot, signal);
    return () => this.#release(key, slot);
  }

  /** Acquires a permit, or returns null if `acquire` would have to wait. */
  tryAcquire(key: string): (() => void) | null {
    const slot = this.#slotOf(key);
    if (slot.running >= this.#limits.maxConcurrent) return null;
    slot.running++;
    this.#slots.set(key, slot);
    return () => this.#release(key, slot);
  }

  #slotOf(key: string): Slot {
    return this.#slots.get(key) ?? { running: 0, queue: new Set() };
  }

  /** Returns the number of permits that would be left if the caller released one. */
  availableBesides(key: string): number {
    const others = Math.max(0, (this.#slots.get(key)?.running ?? 0) - 1);
    return Math.max(0, this.#limits.maxConcurrent - others);
  }

  /** Runs work while holding a permit. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(key, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #waitInQueue(slot: Slot, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaitMs } = this.#limits;
    if (maxWaitMs === undefined) return waitInQueue(slot, signal);
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), maxWaitMs).unref();
    try {
      await waitInQueue(slot, signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal);
    } catch (error) {
      throw tooLong.signal.aborted ? this.#fullError() : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passes the permit to the next caller in the queue. */
  #release(key: string, slot: Slot): void {
    const [next] = slot.queue;
    if (next !== undefined) return next();
    slot.running--;
    if (slot.running === 0) this.#slots.delete(key);
  }
}

function waitInQueue(slot: Slot, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      slot.queue.delete(enter);
      signal?.removeEventListener('abort', abort);
    };
    const enter = (): void => {
      leave();
      resolve();
    };
    const abort = (): void => {
      leave();
      reject(new ConnectorAuthError('aborted', 'The caller disconnected while its request was queued'));
    };
    slot.queue.add(enter);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
}
