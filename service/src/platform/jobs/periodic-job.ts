import { setTimeout as delay } from 'node:timers/promises';

/** Background work of this process. */
export interface Job {
  /** Stops the work. Resolves when what is running has ended. */
  close(): Promise<void>;
}

/**
 * Runs a job immediately, and again `everyMs` after the end of each run.
 * @param run receives a signal that aborts when the job is closed.
 */
export function startPeriodicJob(
  everyMs: number,
  run: (closing: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Job {
  const closing = new AbortController();
  const running = (async () => {
    while (!closing.signal.aborted) {
      try {
        await run(closing.signal);
      } catch (error) {
        onError(error);
      }
      await delay(everyMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}
