import type { PostgresPool } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareConnection } from './share-connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pool whose connections are available at once. The tests use only the members that are here. */
const pool = {
  connect: () => Promise.resolve({ release: () => {} }),
} as unknown as PostgresPool;

/** Requests a connection for a search. */
async function startSearch({ yielding }: { readonly yielding: PostgresPool }) {
  let isStarted = false;
  const start = async (): Promise<void> => {
    await yielding.connect();
    isStarted = true;
  };
  void start();
  await vi.advanceTimersByTimeAsync(0);
  return { isStarted: () => isStarted };
}

test('lets the other statements of a request run before the search that follows a long one', async () => {
  const shared = shareConnection(pool);
  const long = await shared.yielding.connect();
  const first = await shared.ordinary.connect();
  await vi.advanceTimersByTimeAsync(500);
  long.release();
  first.release();
  const next = await startSearch(shared);
  await vi.advanceTimersByTimeAsync(5);
  const second = await shared.ordinary.connect();
  await vi.advanceTimersByTimeAsync(20);
  expect(next.isStarted()).toBe(false);
  second.release();
  await vi.advanceTimersByTimeAsync(20);
  expect(next.isStarted()).toBe(true);
});

test('delays a search for at most as long as the previous search took', async () => {
  const shared = shareConnection(pool);
  const long = await shared.yielding.connect();
  await vi.advanceTimersByTimeAsync(500);
  long.release();
  await shared.ordinary.connect();
  const next = await startSearch(shared);
  await vi.advanceTimersByTimeAsync(480);
  expect(next.isStarted()).toBe(false);
  await vi.advanceTimersByTimeAsync(30);
  expect(next.isStarted()).toBe(true);
});

test('does not delay a search that follows a short one', async () => {
  const shared = shareConnection(pool);
  const short = await shared.yielding.connect();
  await vi.advanceTimersByTimeAsync(49);
  short.release();
  await shared.ordinary.connect();
  expect((await startSearch(shared)).isStarted()).toBe(true);
});
