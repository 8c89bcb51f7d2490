import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitSending } from './mount-endpoints.ts';

const MiB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('closes the connection of a caller that reads a large response too slowly', () => {
  const response = new Writable();
  limitSending(response, 64 * MiB);
  vi.advanceTimersByTime(30_000 + 255_000);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(response.destroyed).toBe(true);
});

test('keeps the connection if the response was sent in time or is small', () => {
  const [sent, small] = [new Writable(), new Writable()];
  limitSending(sent, MiB);
  sent.emit('close');
  limitSending(small, 1000);
  vi.advanceTimersByTime(3_600_000);
  expect([sent.destroyed, small.destroyed]).toEqual([false, false]);
});
