import { LimitError } from '../concurrency/limit-error.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Notifications } from './notifications.ts';

export interface LongPollContext {
  readonly notifications: Notifications;
  /** Aborts on shutdown, so that waiting requests return immediately. */
  readonly closing: AbortSignal;
  /** Limits the number of waiting requests. */
  readonly waitingRequests: Semaphore;
}

/** @param closing aborts on shutdown. */
export function createLongPolls(notifications: Notifications, closing: AbortSignal): LongPollContext {
  return { notifications, closing, waitingRequests: limitWaitingRequests('customer') };
}

/** Limits the waiting requests of each customer, application or organization. */
export function limitWaitingRequests(waiter: 'customer' | 'application' | 'organization'): Semaphore {
  const maxConcurrent = 10;
  const retryAfterSeconds = 5;
  return new Semaphore(
    { maxConcurrent, maxQueued: 0 },
    () =>
      new LimitError(
        { name: `${waiter}-waiting`, quota: maxConcurrent, windowSeconds: null },
        `This ${waiter} already has ${maxConcurrent} waiting requests. Do not long-poll, or try again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
      ),
  );
}

/**
 * Waiting requests also poll because notifications can get lost and something that expires sends no notification.
 */
export const pollMs = 5_000;

/**
 * Reads a state again after each notification until it is settled, for up to `waitSeconds`. Returns the last state.
 * @throws ConnectorAuthError `rate_limited` if there are too many waiting requests; whatever `read` throws.
 */
export async function longPoll<State>(
  { notifications, closing, waitingRequests }: LongPollContext,
  topic: string,
  poll: {
    readonly read: () => Promise<State>;
    readonly isSettled: (state: State) => boolean;
    /** Returns whose waiting requests are limited together. */
    readonly waiterOf: (state: State) => string;
    readonly waitSeconds: number;
    readonly signal: AbortSignal;
  },
): Promise<State> {
  const until = performance.now() + poll.waitSeconds * 1000;
  const leave = AbortSignal.any([poll.signal, closing]);
  const listener = notifications.listen(topic);
  let release: (() => void) | null = null;
  try {
    for (;;) {
      const state = await poll.read();
      const remainingMs = until - performance.now();
      if (poll.isSettled(state) || remainingMs <= 0 || leave.aborted) return state;
      release ??= await waitingRequests.acquire(poll.waiterOf(state), leave);
      await listener.next(Math.min(remainingMs, pollMs), leave);
    }
  } finally {
    release?.();
    listener.close();
  }
}
