import type { Clock } from '../clock.ts';
import { ConnectorAuthError } from '../problem.ts';

/** The time one call has, repeats and waits between them included. */
export interface Deadline {
  /** Aborts with a {@link ConnectorAuthError} (`timeout` or `aborted`) when the time is up or the caller gives up. */
  readonly signal: AbortSignal;
  /** Whether something that takes `ms` ends before the time is up. */
  allows(ms: number): boolean;
  /** From now on only the caller can end the call. */
  stopTimer(): void;
  /** Releases the timer and the caller's signal. */
  end(): void;
}

/** Starts the time of one call. `callerSignal` ends it early. */
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
      return; // The timer was stopped: the call ended before.
    }
    call.abort(new ConnectorAuthError('timeout', `The service did not respond within ${timeoutMs} ms`));
  }
  void endInTime();

  return {
    signal: call.signal,
    allows: ms => clock.now() + ms < endsAt,
    stopTimer: () => timer.abort(),
    end() {
      timer.abort();
      callerSignal?.removeEventListener('abort', cancel);
    },
  };
}

/** Waits for something that goes on without us: rejects with the signal's reason when that comes first. */
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
