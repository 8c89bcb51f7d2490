import { expect, test } from 'vitest';
import { replacementDelayMs } from './primary.ts';

test('replaces a worker at once, and waits longer each time if workers keep exiting early', () => {
  const delays = Array.from({ length: 9 }, (_, earlyExits) => replacementDelayMs(earlyExits));
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
