import { ConnectorAuthError } from '@connector-auth/api';
import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

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
