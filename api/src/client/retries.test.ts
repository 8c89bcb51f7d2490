import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemCodes, problems } from '../problem.ts';
import { delayBeforeRetry, isTransient, maxRetries, parseRetryAfter } from './retries.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 30);

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120],
    ['zero seconds', '0', 0],
    ['seconds with surrounding white space', ' 3 ', 3],
    ['an HTTP date', 'Sun, 06 Nov 1994 08:49:37 GMT', 7],
    ['an HTTP date in the past', 'Sun, 06 Nov 1994 08:49:00 GMT', 0],
  ])('reads %s from Retry-After', (_what, header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  test.each([
    ['a missing header', undefined],
    ['an empty string', ''],
    ['a negative number', '-1'],
    ['a fraction', '1.5'],
    ['an exponent', '1e9'],
    ['a word', 'soon'],
    ['a number that is too large', '99999999999'],
    ['a date that does not exist', 'Sun, 99 Nov 1994 08:49:37 GMT'],
    ['a date in another format', '1994-11-06T08:49:37Z'],
    ['two headers', ['1', '2']],
  ])('ignores %s in Retry-After', (_what, header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  test('rounds the wait for an HTTP date up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), ms => {
        const date = new Date(Math.ceil((now + ms) / 1000) * 1000);
        const seconds = parseRetryAfter(date.toUTCString(), now + (ms % 1000)) ?? Number.NaN;
        expect(now + (ms % 1000) + seconds * 1000).toBeGreaterThanOrEqual(date.getTime());
      }),
    );
  });
});

describe('retry delay', () => {
  const retries = fc.integer({ min: 0, max: maxRetries });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('the retry delay is random, up to a maximum that doubles', () => {
    fc.assert(
      fc.property(retries, random, (n, r) => {
        const delay = delayBeforeRetry(n, undefined, () => r);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThan(250 * 2 ** n);
      }),
    );
  });

  test('the retry delay is at least Retry-After and at most slightly longer', () => {
    fc.assert(
      fc.property(retries, random, fc.integer({ min: 0, max: 3600 }), (n, r, seconds) => {
        const delay = delayBeforeRetry(n, seconds, () => r);
        expect(delay).toBeGreaterThanOrEqual(seconds * 1000);
        expect(delay).toBeLessThanOrEqual(seconds * 1000 + 250);
      }),
    );
  });
});

test('only 429, 502, 503 and 504 are transient', () => {
  const statuses = new Set(problemCodes.map(code => problems[code].status));
  expect([...statuses].filter(isTransient).sort((a, b) => a - b)).toEqual([429, 502, 503, 504]);
  expect(isTransient(500)).toBe(false);
});
