import { ServiceError } from './failure.ts';

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or with the caller's own signal. Rejects at that
 * moment, even if `work` ignores the signal. The error after `timeoutMs` is a {@link ServiceError} `timeout`.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new ServiceError('timeout', `No response within ${timeoutMs / 1000} seconds`));
  }, timeoutMs);
  const either = AbortSignal.any([signal, deadline.signal]);
  const done = new AbortController();
  try {
    return await Promise.race([
      work(either),
      new Promise<never>((_resolve, reject) => {
        either.addEventListener(
          'abort',
          () => {
            // An abort reason can be any value, but here it is always an error.
            reject(either.reason as Error);
          },
          { signal: done.signal },
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
