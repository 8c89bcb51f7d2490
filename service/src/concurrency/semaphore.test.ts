import { expect, test } from 'vitest';
import { Places } from './semaphore.ts';

const never = new AbortController().signal;

test('gives as many places as there are, then lets wait in order, then refuses', async () => {
  const places = new Places({ atOnce: 2, waiting: 2 }, 'Too many');
  const first = await places.take('key', never);
  const second = await places.take('key', never);
  const came: string[] = [];
  const waiting = ['third', 'fourth'].map(async name => {
    const leave = await places.take('key', never);
    came.push(name);
    return leave;
  });
  await expect(places.take('key', never)).rejects.toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      retryAfterSeconds: 5,
      message: expect.stringMatching(/^Too many, or/),
    }),
  );
  // Another key has places of its own.
  (await places.take('another key', never))();
  expect(came).toEqual([]);
  first();
  const third = await waiting[0];
  expect(came).toEqual(['third']);
  second();
  const fourth = await waiting[1];
  expect(came).toEqual(['third', 'fourth']);
  third?.();
  fourth?.();
  // All are free again.
  await places.take('key', never);
  await places.take('key', never);
});

test('takes who gives up waiting out of the line', async () => {
  const places = new Places({ atOnce: 1, waiting: 1 }, 'Too many');
  const leave = await places.take('key', never);
  const gone = new AbortController();
  const givenUp = places.take('key', gone.signal);
  gone.abort();
  await expect(givenUp).rejects.toThrow(expect.objectContaining({ code: 'aborted' }));
  await expect(places.take('key', gone.signal)).rejects.toThrow(expect.objectContaining({ code: 'aborted' }));
  const patient = places.take('key', never);
  leave();
  (await patient)();
  // Too late to give up.
  gone.abort();
  await places.take('key', never);
});

test('frees the place of work that failed', async () => {
  const places = new Places({ atOnce: 1, waiting: 0 }, 'Too many');
  await expect(places.hold('key', never, () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  expect(await places.hold('key', never, () => Promise.resolve('done'))).toBe('done');
});
