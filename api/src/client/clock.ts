import { setTimeout as wait } from 'node:timers/promises';

/** Time as the client sees it; tests put their own in place of {@link systemClock}. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects as soon as the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};
