import { ConnectorAuthError } from '@connector-auth/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';

const errors = {
  full: () => new ConnectorAuthError('rate_limited', 'Full'),
  timeout: () => new ConnectorAuthError('overloaded', 'Timeout'),
};
const limits = { maxConcurrent: 2, reserved: 0, maxQueuedPerKey: 9, maxWaitMs: 1000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts work that ends when its name is passed to `end`. */
function observed(semaphore: FairSemaphore) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    running,
    start: async (name: string, signal?: AbortSignal) => {
      const work = async (): Promise<string> => {
        running.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(name, resolve);
        await promise;
        running.splice(running.indexOf(name), 1);
        return name;
      };
      const done = semaphore.run(name.slice(0, 1), work, signal);
      done.catch(() => {});
      await settle();
      return { done };
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await settle();
    },
  };
}

test('gives the next permit to the key with the least running work, then to the keys in turn', async () => {
  const { running, start, end } = observed(new FairSemaphore(limits, errors));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) await start(name);
  expect(running).toEqual(['a1', 'a2']);
  await end('a1');
  expect(running).toEqual(['a2', 'b1']);
  await end('a2');
  expect(running).toEqual(['b1', 'a3']);
  await end('b1');
  expect(running).toEqual(['a3', 'c1']);
  await end('a3');
  expect(running).toEqual(['c1', 'b2']);
  await end('c1');
  expect(running).toEqual(['b2', 'a4']);
});

test('reserves a permit for keys without running work', async () => {
  const { running, start, end } = observed(
    new FairSemaphore({ ...limits, maxConcurrent: 3, reserved: 1 }, errors),
  );
  for (const name of ['a1', 'a2', 'a3']) await start(name);
  expect(running).toEqual(['a1', 'a2']);
  await start('b1');
  expect(running).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'a2']);
  await end('a1');
  expect(running).toEqual(['a2', 'a3']);
});

test('rejects work when its key has a full queue', async () => {
  const { running, start } = observed(new FairSemaphore({ ...limits, maxQueuedPerKey: 1 }, errors));
  for (const name of ['a1', 'a2', 'a3']) await start(name);
  const { done } = await start('a4');
  await expect(done).rejects.toMatchObject({ code: 'rate_limited' });
  await start('b1');
  expect(running).toEqual(['a1', 'a2']);
});

test('rejects work that waited too long or whose caller disconnected, and runs the rest', async () => {
  const { running, start, end } = observed(new FairSemaphore({ ...limits, maxConcurrent: 1 }, errors));
  await start('a1');
  const late = await start('b1');
  const gone = new AbortController();
  const aborted = await start('c1', gone.signal);
  gone.abort();
  await expect(aborted.done).rejects.toMatchObject({ code: 'aborted' });
  await expect((await start('d1', gone.signal)).done).rejects.toMatchObject({ code: 'aborted' });
  await vi.advanceTimersByTimeAsync(1000);
  await expect(late.done).rejects.toMatchObject({ code: 'overloaded' });
  const last = await start('b2');
  await end('a1');
  expect(running).toEqual(['b2']);
  await end('b2');
  expect(await last.done).toBe('b2');
});

test('releases the permit when the work fails', async () => {
  const semaphore = new FairSemaphore({ ...limits, maxConcurrent: 1 }, errors);
  await expect(semaphore.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await semaphore.run('b', () => Promise.resolve('done'))).toBe('done');
});
