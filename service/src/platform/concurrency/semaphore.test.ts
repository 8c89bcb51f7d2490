import { ConnectorAuthError } from '@connector-auth/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Semaphore, type SemaphoreLimits } from './semaphore.ts';

const never = new AbortController().signal;
const queueIsFull = (): ConnectorAuthError =>
  new ConnectorAuthError('rate_limited', 'Too many', { retryAfterSeconds: 5 });

test('runs work up to the concurrency limit, queues more in order, and rejects work when the queue is full', async () => {
  const semaphore = new Semaphore({ maxConcurrent: 2, maxQueued: 2 }, queueIsFull);
  const first = await semaphore.acquire('key', never);
  const second = await semaphore.acquire('key', never);
  const came: string[] = [];
  const waiting = ['third', 'fourth'].map(async name => {
    const release = await semaphore.acquire('key', never);
    came.push(name);
    return release;
  });
  await expect(semaphore.acquire('key', never)).rejects.toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 5, message: 'Too many' }),
  );
  // Keys are limited separately.
  (await semaphore.acquire('another key', never))();
  expect(came).toEqual([]);
  first();
  const third = await waiting[0];
  expect(came).toEqual(['third']);
  second();
  const fourth = await waiting[1];
  expect(came).toEqual(['third', 'fourth']);
  third?.();
  fourth?.();
  // All permits are released.
  await semaphore.acquire('key', never);
  await semaphore.acquire('key', never);
});

test('removes an aborted caller from the queue', async () => {
  const semaphore = new Semaphore({ maxConcurrent: 1, maxQueued: 1 }, queueIsFull);
  const release = await semaphore.acquire('key', never);
  const gone = new AbortController();
  const aborted = semaphore.acquire('key', gone.signal);
  gone.abort();
  await expect(aborted).rejects.toThrow(expect.objectContaining({ code: 'aborted' }));
  await expect(semaphore.acquire('key', gone.signal)).rejects.toThrow(
    expect.objectContaining({ code: 'aborted' }),
  );
  const waiting = semaphore.acquire('key', never);
  release();
  (await waiting)();
  // An abort after the permit was acquired has no effect.
  gone.abort();
  await semaphore.acquire('key', never);
});

test('releases the permit when the work fails', async () => {
  const semaphore = new Semaphore({ maxConcurrent: 1, maxQueued: 0 }, queueIsFull);
  await expect(semaphore.run('key', () => Promise.reject(new Error('failed')), never)).rejects.toThrow(
    'failed',
  );
  expect(await semaphore.run('key', () => Promise.resolve('done'), never)).toBe('done');
});

describe('keys that share the permits', () => {
  const errors = {
    full: () => new ConnectorAuthError('rate_limited', 'Full'),
    timeout: () => new ConnectorAuthError('overloaded', 'Timeout'),
  };
  const limits = { maxConcurrent: 2, shared: { reserved: 0 }, maxQueued: 9, maxWaitMs: 1000 };

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Starts work that ends when its name is passed to `end`. */
  function observed(given: Partial<SemaphoreLimits> = {}) {
    const semaphore = new Semaphore({ ...limits, ...given }, errors.full, errors.timeout);
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
    const { running, start, end } = observed();
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
    const { running, start, end } = observed({ maxConcurrent: 3, shared: { reserved: 1 } });
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
    const { running, start } = observed({ maxQueued: 1 });
    for (const name of ['a1', 'a2', 'a3']) await start(name);
    const { done } = await start('a4');
    await expect(done).rejects.toMatchObject({ code: 'rate_limited' });
    await start('b1');
    expect(running).toEqual(['a1', 'a2']);
  });

  test('rejects work that waited too long or whose caller disconnected, and runs the rest', async () => {
    const { running, start, end } = observed({ maxConcurrent: 1 });
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
});
