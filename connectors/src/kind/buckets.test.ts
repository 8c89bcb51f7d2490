import type { Clock } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { createLimiter } from './buckets.ts';
import type { Bucket, Limiter, Priority } from './rate-limit.ts';

/** A clock for any number of sleepers that advances only when a test calls `advance`. */
function steppedClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 1_700_000_000_000;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: ms => new Promise(wake => sleepers.push({ at: now + ms, wake })),
    async advance(ms) {
      const until = now + ms;
      for (;;) {
        // Lets woken sleepers run until they sleep again.
        await new Promise(setImmediate);
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers[0];
        if (next === undefined || next.at > until) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
      }
      now = until;
    },
  };
}

/**
 * Simulates a caller that requests capacity again as soon as the limiter allows its previous request. Returns
 * the times at which requests were allowed.
 */
function askAllTheTime(limiter: Limiter, clock: Clock, bucket: Bucket, priority: Priority) {
  const passedAt: number[] = [];
  void (async () => {
    for (;;) {
      await limiter.take('bucket', bucket, { priority, deadlineMs: Infinity });
      passedAt.push(clock.now());
    }
  })();
  return passedAt;
}

const threeASecond = { burst: 1, perSecond: 3 };

describe('background requests', () => {
  test('lets an interactive request overtake queued background requests', async () => {
    const clock = steppedClock();
    const limiter = createLimiter(clock);
    for (let client = 0; client < 5; client += 1) askAllTheTime(limiter, clock, threeASecond, 'background');
    await clock.advance(10_100);
    const waits: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      const startedAt = clock.now();
      const passed = limiter
        .take('bucket', threeASecond, { priority: 'interactive', deadlineMs: Infinity })
        .then(() => waits.push(clock.now() - startedAt));
      await clock.advance(1_700);
      await passed;
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(334);
  });

  test('allows background requests at the full rate without interactive requests', async () => {
    const clock = steppedClock();
    const limiter = createLimiter(clock);
    const grants = [1, 2, 3].map(() => askAllTheTime(limiter, clock, threeASecond, 'background'));
    await clock.advance(20_000);
    const passed = grants.flat();
    expect(passed.length).toBeGreaterThanOrEqual(60);
    expect(passed.length).toBeLessThanOrEqual(61);
  });

  test('reserves a share for background requests under interactive load and never exceeds the limit', async () => {
    const clock = steppedClock();
    const limiter = createLimiter(clock);
    const calls = [1, 2, 3].map(() => askAllTheTime(limiter, clock, threeASecond, 'interactive'));
    const background = askAllTheTime(limiter, clock, threeASecond, 'background');
    await clock.advance(60_000);
    expect(background.length).toBeGreaterThanOrEqual(180 / 8);
    expect(background.length).toBeLessThanOrEqual(180 / 4);
    const passed = [...calls.flat(), ...background].sort((one, other) => one - other);
    for (const [index, at] of passed.slice(1).entries()) {
      expect(at - (passed[index] ?? 0)).toBeGreaterThan(333);
    }
  });

  test('reserves the last tenth of a bucket for interactive requests', async () => {
    const clock = steppedClock();
    const limiter = createLimiter(clock);
    const daily = { burst: 10_000, perSecond: 10_000 / 86_400 };
    const take = (priority: Priority) => limiter.take('bucket', daily, { priority, deadlineMs: clock.now() });
    let passed = 0;
    while ((await take('background')) === null) passed += 1;
    expect(passed).toBe(9_000);
    expect(await take('background')).toBe(9);
    passed = 0;
    while ((await take('interactive')) === null) passed += 1;
    expect(passed).toBe(1_000);
  });

  test('reports how long a background request would wait if that exceeds its deadline', async () => {
    const clock = steppedClock();
    const limiter = createLimiter(clock);
    const bucket = { burst: 1, perSecond: 0.1 };
    const take = () =>
      limiter.take('bucket', bucket, { priority: 'background', deadlineMs: clock.now() + 5_000 });
    expect(await take()).toBeNull();
    expect(await take()).toBe(10);
    await clock.advance(10_000);
    expect(await take()).toBeNull();
  });
});
