/**
 * The sandbox's two clocks. Generated data (notes, calls, reports) ends at a fixed time, so that it is the
 * same on every run. Tokens and rate limits use the real time, which tests can advance.
 */
export interface Clock {
  /** The time at which generated data ends; constant. */
  readonly dataNow: Date;
  /** Returns the Unix time in milliseconds: the system time plus the time added by `advance`. */
  now(): number;
  /** Moves `now` forward, for example to let a token expire. */
  advance(ms: number): void;
}

/** The default time at which generated data ends. */
const DEFAULT_DATA_NOW = '2026-11-20T12:00:00Z';

/** Creates a clock whose data ends at `dataNow`; throws a `RangeError` if it is not a valid date. */
export function createClock(dataNow: Date | string = DEFAULT_DATA_NOW): Clock {
  const fixed = new Date(dataNow);
  if (Number.isNaN(fixed.getTime())) throw new RangeError(`not a valid date: ${String(dataNow)}`);
  let addedMs = 0;
  return {
    dataNow: fixed,
    now: () => Date.now() + addedMs,
    advance: ms => {
      if (!(ms >= 0)) throw new RangeError('the clock can only move forward');
      addedMs += ms;
    },
  };
}
