import type { Clock } from '../clock.ts';
import { ConnectorAuthError } from '../problem.ts';

/** The time limit for one call, including retries and the delays between them. */
export interface Deadline {
  /**
   * Aborts with a {@link ConnectorAuthError}: `timeout` when the time is up, `aborted` when the caller
   * cancels.
   */
  readonly signal: AbortSignal;
  /** Returns whether at least `ms` milliseconds are left. */
  allows(ms: number): boolean;
  /** Removes the time limit; the caller can still cancel. */
  stopTimer(): void;
  /** Releases the timer and the listener on the caller's signal. */
  end(): void;
}

/** Without a reason, every call would create an error with its stack when it ends. */
const callEnded = 'The call ended';

export function startDeadline(clock: Clock, timeoutMs: number, callerSignal?: AbortSignal): Deadline {
  const endsAt = clock.now() + timeoutMs;
  const call = new AbortController();
  const timer = new AbortController();

  const cancel = () => {
    call.abort(
      new ConnectorAuthError('aborted', 'The caller cancelled the request', { cause: callerSignal?.reason }),
    );
  };
  callerSignal?.addEventListener('abort', cancel, { once: true });
  if (callerSignal?.aborted) cancel();

  async function endInTime(): Promise<void> {
    try {
      await clock.sleep(timeoutMs, timer.signal);
    } catch {
      return; // The timer was stopped because the call ended.
    }
    call.abort(new ConnectorAuthError('timeout', `The service did not respond within ${timeoutMs} ms`));
  }
  void endInTime();

  return {
    signal: call.signal,
    allows: ms => clock.now() + ms < endsAt,
    stopTimer: () => timer.abort(callEnded),
    end() {
      timer.abort(callEnded);
      callerSignal?.removeEventListener('abort', cancel);
    },
  };
}

/**
 * Waits for a promise, and rejects with the signal's reason if the signal aborts first. The promise itself
 * continues.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
