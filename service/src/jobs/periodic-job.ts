import { setTimeout as delay } from 'node:timers/promises';

/** Work that is repeated until it is closed. */
export interface PeriodicJob {
  /** Resolves when the run that is under way has ended. */
  close(): Promise<void>;
}

/** Runs a job now, and again each time that `everyMs` have passed since a run ended. */
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
