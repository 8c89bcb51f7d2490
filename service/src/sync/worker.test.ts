import { expect, test } from 'vitest';
import { concurrencyPerWorker } from './worker.ts';

test('workers divide the time slices, but each has two, so that it never gives all to one organization', () => {
  expect([1, 2, 3, 4, 64].map(concurrencyPerWorker)).toEqual([4, 2, 2, 2, 2]);
});
