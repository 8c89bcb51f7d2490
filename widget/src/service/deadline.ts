import { ServiceError } from './failure.ts';

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or with the caller's own signal.
 * Rejects at that moment even if `work` does not listen; with a {@link ServiceError} `timeout` if time was the reason.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const expire = () => {
    controller.abort(new ServiceError('timeout', `No answer within ${timeoutMs / 1000} seconds`));
  };
  const cancel = () => {
    controller.abort(signal.reason);
  };
  const timer = setTimeout(expire, timeoutMs);
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([work(controller.signal), rejectOnAbort(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        // An abort reason is whatever the aborting side gave: here always an error.
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
