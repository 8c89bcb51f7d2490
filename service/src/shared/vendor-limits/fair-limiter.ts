import type { Clock } from '@connector-auth/api';
import type { Bucket, BucketStore, WaitOptions } from '@connector-auth/connectors/kind';
import { FairQueue, type Requester } from '../../platform/concurrency/fair-queue.ts';

export interface RequesterWait extends WaitOptions {
  readonly requester: Requester;
}

/** A limiter that knows on whose behalf each request is sent. */
export interface RequesterLimiter {
  /**
   * Takes one request from the bucket `key` and waits if necessary.
   * @returns null once the request can be sent, or the number of seconds to wait if that exceeds the
   * deadline.
   * @throws ConnectorAuthError `vendor_rate_limited` if a daily quota is used up.
   */
  take(key: string, bucket: Bucket, wait: RequesterWait): Promise<number | null>;
}

/** If the last batch was used up within this time, the next batch is twice as large. */
const shortBatchMs = 1_000;
/** Bounds the wait for the requests that other processes have reserved. */
const maxReservedSeconds = 1 / 4;

/**
 * Creates a limiter that shares each bucket fairly: waiting requests are served by organization in turn, then
 * by customer. Interactive and background requests wait in separate queues. A queue reserves requests from the
 * bucket in small batches and decides which request to send only when it can be sent, so that requests which
 * arrive later are not placed behind a long queue, in any process. Unused reservations expire, which wastes
 * capacity but never exceeds the limit.
 */
export function createFairLimiter(store: BucketStore, clock: Clock): RequesterLimiter {
  const queues = new Map<string, BucketQueue>();
  return {
    async take(key, bucket, wait) {
      const name = `${wait.priority} ${key}`;
      let queue = queues.get(name);
      if (queue === undefined) {
        if (queues.size >= maxQueues) deleteIdle(queues);
        queue = new BucketQueue({ store, clock, key, bucket, priority: wait.priority });
        queues.set(name, queue);
      }
      return queue.take(wait);
    },
  };
}

const maxQueues = 10_000;

function deleteIdle(queues: Map<string, BucketQueue>): void {
  for (const [name, queue] of queues) if (queue.isIdle) queues.delete(name);
}

interface BucketQueueOptions {
  readonly store: BucketStore;
  readonly clock: Clock;
  readonly key: string;
  readonly bucket: Bucket;
  readonly priority: WaitOptions['priority'];
}

interface WaitingRequest {
  readonly requester: Requester;
  readonly deadlineMs: number;
  readonly resolve: (retryAfterSeconds: number | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** The time of the next request. Unless it is reserved, the queue has to try again at that time. */
interface Slot {
  readonly at: number;
  readonly isReserved: boolean;
}

/** The waiting requests of one bucket and priority in this process. */
class BucketQueue {
  readonly #options: BucketQueueOptions;
  readonly #waiting = new FairQueue<WaitingRequest>();
  /** The earliest time at which each reserved request can be sent, by this process's clock. */
  #reserved: number[] = [];
  #batch = { size: 0, at: 0 };
  /** While the queue sleeps, the time of its next request. */
  #nextAt = 0;
  #isServing = false;
  #sleep: AbortController | null = null;

  constructor(options: BucketQueueOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#isServing;
  }

  take({ requester, deadlineMs, signal }: RequesterWait): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const settle = (): void => signal?.removeEventListener('abort', abort);
      const request: WaitingRequest = {
        requester,
        deadlineMs,
        resolve: seconds => {
          settle();
          resolve(seconds);
        },
        reject: reason => {
          settle();
          reject(reason);
        },
      };
      const abort = (): void => {
        this.#remove(request);
        request.reject(signal?.reason);
      };
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(request);
      this.#rejectIfHopeless(request);
      if (!this.#isServing) void this.#serve();
    });
  }

  /** Rejects a request at once if too many requests precede it, which also bounds the queue. */
  #rejectIfHopeless(request: WaitingRequest): void {
    const { clock, bucket } = this.#options;
    const preceding = this.#waiting.positionOfLast(request.requester) - 1;
    const afterBurst = Math.max(0, preceding + 1 - bucket.burst);
    const now = clock.now();
    const waitMs = Math.max(0, this.#nextAt - now) + (afterBurst * 1000) / bucket.perSecond;
    if (waitMs === 0 || now + waitMs <= request.deadlineMs) return;
    this.#remove(request);
    request.resolve(Math.ceil(waitMs / 1000));
  }

  #remove(request: WaitingRequest): void {
    this.#waiting.remove(request);
    if (this.#waiting.size === 0) this.#sleep?.abort();
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#waiting.size > 0) {
      try {
        await this.#serveNext();
      } catch (error) {
        this.#waiting.next()?.reject(error);
      }
    }
    this.#isServing = false;
  }

  async #serveNext(): Promise<void> {
    const { clock } = this.#options;
    const slot = await this.#findSlot();
    const waitMs = slot.at - clock.now();
    if (waitMs > 0) {
      this.#rejectLate(slot.at);
      if (this.#waiting.size > 0) await this.#sleepUntil(slot.at, waitMs);
    }
    if (!slot.isReserved) return;
    const next = this.#waiting.next();
    if (next === null) this.#reserved.unshift(slot.at);
    else next.resolve(null);
  }

  /** Rejects the requests that give up before the next request can be sent. */
  #rejectLate(at: number): void {
    const seconds = Math.ceil((at - this.#options.clock.now()) / 1000);
    for (const request of this.#waiting) {
      if (request.deadlineMs >= at) continue;
      this.#waiting.remove(request);
      request.resolve(Math.max(1, seconds));
    }
  }

  /** Sleeps until the time is over or all waiting requests have left. */
  async #sleepUntil(at: number, ms: number): Promise<void> {
    const sleep = new AbortController();
    this.#sleep = sleep;
    this.#nextAt = at;
    try {
      await this.#options.clock.sleep(ms, sleep.signal);
    } catch (error) {
      if (!sleep.signal.aborted) throw error;
    } finally {
      this.#sleep = null;
      this.#nextAt = 0;
    }
  }

  async #findSlot(): Promise<Slot> {
    const { store, clock, key, bucket, priority } = this.#options;
    const now = clock.now();
    const at = this.#takeReserved(now);
    if (at !== null) return { at, isReserved: true };
    const isBusy = now - this.#batch.at < shortBatchMs;
    const size = Math.min(
      this.#waiting.size,
      isBusy ? this.#batch.size * 2 : 1,
      maxBatchSize(bucket, priority),
    );
    const lastDeadlineMs = Math.max(...[...this.#waiting].map(({ deadlineMs }) => deadlineMs));
    const reservation = await store[priority === 'background' ? 'reserveInBackground' : 'reserve']({
      key,
      bucket,
      count: Math.max(1, size),
      maxWaitMs: lastDeadlineMs - now,
    });
    const received = clock.now();
    if (!reservation.isReserved) return { at: received + reservation.waitMs, isReserved: false };
    const [first = received, ...later] = reservation.waitsMs.map(waitMs => received + Math.max(0, waitMs));
    this.#reserved = later;
    this.#batch = { size: reservation.waitsMs.length, at: received };
    return { at: first, isReserved: true };
  }

  /**
   * Removes and returns the first reserved time that has not expired. Sending many expired reservations at
   * once could exceed the burst.
   */
  #takeReserved(now: number): number | null {
    const staleMs = (this.#batch.size * 1000) / this.#options.bucket.perSecond;
    for (let at = this.#reserved.shift(); at !== undefined; at = this.#reserved.shift()) {
      if (at + staleMs >= now) return at;
    }
    return null;
  }
}

/**
 * Returns the maximum batch size: a quarter of a second's worth, or 1/200 of the burst. Background requests
 * reserve only capacity that is available immediately, so they reserve nothing ahead.
 */
function maxBatchSize({ burst, perSecond }: Bucket, priority: WaitOptions['priority']): number {
  const ahead = priority === 'interactive' ? perSecond * maxReservedSeconds : 0;
  return Math.max(1, Math.floor(Math.max(ahead, burst / 200)));
}
