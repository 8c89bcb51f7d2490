import { setTimeout as delay } from 'node:timers/promises';

export interface PeriodicJob {
  /** Stops the job. Resolves when the current run has ended. */
  close(): Promise<void>;
}

/** Runs a job immediately, and again `everyMs` after the end of each run. */
export function startPeriodicJob(
  everyMs: number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): PeriodicJob {
  const closing = new AbortController();
  const running = (async () => {
    while (!closing.signal.aborted) {
      try {
        await run();
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
