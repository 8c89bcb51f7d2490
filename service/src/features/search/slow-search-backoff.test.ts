import { expect, test } from 'vitest';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { SlowSearchBackoff } from './slow-search-backoff.ts';

function startBackoff() {
  let now = 1_000_000;
  const backoff = new SlowSearchBackoff({ now: () => now });
  return {
    backoff,
    advance: (seconds: number) => void (now += seconds * 1000),
    /** Returns the remaining pause in seconds. */
    pauseOf: (customer: string): number => {
      try {
        backoff.requireNoPause(customer);
        return 0;
      } catch (error) {
        if (!(error instanceof LimitError)) throw error;
        expect(error).toMatchObject({ code: 'rate_limited', policy: { name: 'slow-searches' } });
        return error.retryAfterSeconds ?? Number.NaN;
      }
    },
  };
}

test("pauses a customer's searches twice as long after each search that times out, up to ten minutes", () => {
  const { backoff, advance, pauseOf } = startBackoff();
  const pauses = Array.from({ length: 8 }, () => {
    backoff.recordTimeout('acme');
    const pause = pauseOf('acme');
    advance(pause);
    return pause;
  });
  expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 600, 600]);
  expect(pauseOf('acme')).toBe(0);
});

test("does not pause another customer's searches after one that times out", () => {
  const { backoff, pauseOf } = startBackoff();
  backoff.recordTimeout('acme');
  expect(pauseOf('beta')).toBe(0);
});

test('counts concurrent searches that time out together as one timeout', () => {
  const { backoff, pauseOf } = startBackoff();
  for (let count = 0; count < 4; count++) backoff.recordTimeout('acme');
  expect(pauseOf('acme')).toBe(15);
});

test('starts with the shortest pause again after a search succeeds', () => {
  const { backoff, advance, pauseOf } = startBackoff();
  backoff.recordTimeout('acme');
  advance(15);
  backoff.recordTimeout('acme');
  advance(30);
  backoff.recordSuccess('acme');
  backoff.recordTimeout('acme');
  expect(pauseOf('acme')).toBe(15);
});

test('continues a pause when a search that started earlier succeeds', () => {
  const { backoff, pauseOf } = startBackoff();
  backoff.recordTimeout('acme');
  backoff.recordSuccess('acme');
  expect(pauseOf('acme')).toBe(15);
});
