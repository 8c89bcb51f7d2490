import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BusyError, SearchQueue } from './search-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('searches run two at a time, in their order', async () => {
  const queue = new SearchQueue(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  for (const number of [1, 2, 3]) {
    void queue.run(async () => {
      started.push(number);
      await new Promise<void>(resolve => ends.push(resolve));
    });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual([1, 2]);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual([1, 2, 3]);
});

test('after a refusal, all searches wait as long as the service asks, and then succeed', async () => {
  const queue = new SearchQueue(2);
  const refused = vi.fn().mockRejectedValueOnce(new BusyError('busy', 15)).mockResolvedValue('rows');
  const found = queue.run(refused);
  await vi.advanceTimersByTimeAsync(0);
  const other = vi.fn().mockResolvedValue('notes');
  const otherFound = queue.run(other);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(queue.pauseSeconds).toBe(15);
  expect(refused).toHaveBeenCalledTimes(1);
  expect(other).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await expect(Promise.all([found, otherFound])).resolves.toEqual(['rows', 'notes']);
  expect(queue.pauseSeconds).toBeNull();
});

test('a search that fails for another reason fails at once, and the next one runs', async () => {
  const queue = new SearchQueue(1);
  await expect(queue.run(() => Promise.reject(new Error('wrong field')))).rejects.toThrow('wrong field');
  await expect(queue.run(() => Promise.resolve('rows'))).resolves.toBe('rows');
});
