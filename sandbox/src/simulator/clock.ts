/**
 * The sandbox keeps two times apart. Data (notes, calls, reports) is generated around a fixed moment, so that it is the
 * same on every run; tokens and rate limits live in real time, which a test may move forward.
 */
export interface Clock {
  /** The moment the generated data ends at: never moves. */
  readonly dataNow: Date;
  /** Milliseconds since 1970 for lifetimes: the machine's time plus whatever `advance` added. */
  now(): number;
  /** Moves `now` forward, so that a token expires without waiting for it. */
  advance(ms: number): void;
}

/** When the generated data ends unless told otherwise. */
export const DEFAULT_DATA_NOW = '2026-11-20T12:00:00Z';

/** A clock whose data ends at `dataNow` (a date, or text that `Date` understands; anything else is refused). */
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
