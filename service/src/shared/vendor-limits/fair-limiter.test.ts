import type { Clock } from '@connector-auth/api';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { bucketsInDatabase, deleteFullBuckets } from './buckets-in-database.ts';
import { createFairLimiter, type RequesterWait } from './fair-limiter.ts';

/** Returns a clock whose `sleep` returns immediately and records the requested time, and when it would have ended. */
function sleeplessClock(): Clock & { readonly slept: number[]; readonly endings: number[] } {
  const slept: number[] = [];
  const endings: number[] = [];
  const now = (): number => performance.timeOrigin + performance.now();
  return {
    slept,
    endings,
    now,
    sleep: ms => {
      slept.push(ms);
      endings.push(now() + ms);
      return Promise.resolve();
    },
  };
}

/** The rate is so low that a test's own duration does not matter. */
const slow = { burst: 1, perSecond: 0.01 };

const requester = { organizationId: 'organization', customerId: 'customer' };
const interactive = (deadlineMs: number, by = requester): RequesterWait => ({
  requester: by,
  priority: 'interactive',
  deadlineMs,
});
const background = (deadlineMs: number): RequesterWait => ({ requester, priority: 'background', deadlineMs });

onEachEngine('fair limiter', database => {
  let names = 0;
  let key = '';
  beforeEach(() => {
    key = `bucket ${++names}`;
  });
  const limiterOn = (clock: Clock) => createFairLimiter(bucketsInDatabase(database().kysely), clock);

  test('sends a burst immediately and spaces out later requests, across all processes', async () => {
    const clock = sleeplessClock();
    const processes = [limiterOn(clock), limiterOn(clock)];
    const bucket = { burst: 4, perSecond: slow.perSecond };
    for (let count = 0; count < 10; count += 1) {
      await processes[count % 2]?.take(key, bucket, interactive(Infinity));
    }
    expect(clock.slept).toHaveLength(6);
    for (const [index, ms] of clock.slept.toSorted((one, other) => one - other).entries()) {
      expect(ms / 100_000).toBeGreaterThan(index);
      expect(ms / 100_000).toBeLessThanOrEqual(index + 1.01);
    }
  });

  test('reports how long to wait and reserves nothing if a request cannot run before its deadline', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    expect(await limiter.take(key, slow, interactive(clock.now()))).toBeNull();
    for (let count = 0; count < 5; count += 1) {
      const seconds = await limiter.take(key, slow, interactive(clock.now() + 5_000));
      expect(seconds).toBeGreaterThan(90);
      expect(seconds).toBeLessThanOrEqual(100);
    }
    expect(clock.slept).toEqual([]);
    expect(await limiter.take(key, slow, interactive(clock.now() + 150_000))).toBeNull();
  });

  test('reserves larger batches at high rates without exceeding the limit', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    const bucket = { burst: 1, perSecond: 40 };
    const startedAt = clock.now();
    for (let count = 0; count < 200; count += 1) await limiter.take(key, bucket, interactive(Infinity));
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from full_at - now())::float8 as seconds from vendor_limits where key = ${key}`.execute(
      database().kysely,
    );
    // Each of the 200 requests takes 1/40 s of capacity, and at most one further batch is reserved.
    expect(rows[0]?.seconds).toBeLessThanOrEqual(200 / 40 + 0.5);
    expect((Math.max(...clock.endings) - startedAt) / 1000).toBeGreaterThan(200 / 40 - 1.5);
  });

  test('lets unused reservations expire', async () => {
    let nowMs = Date.now();
    const slept: number[] = [];
    const clock: Clock = {
      now: () => nowMs,
      sleep: ms => {
        slept.push(ms);
        return Promise.resolve();
      },
    };
    const limiter = limiterOn(clock);
    const bucket = { burst: 1, perSecond: 20 };
    for (let count = 0; count < 8; count += 1) await limiter.take(key, bucket, interactive(Infinity));
    slept.length = 0;
    nowMs += 60_000;
    await sql`update vendor_limits set full_at = now() + interval '30 seconds' where key = ${key}`.execute(
      database().kysely,
    );
    await limiter.take(key, bucket, interactive(Infinity));
    expect(slept[0] ?? 0).toBeGreaterThan(29_000);
  });

  test('sends concurrent requests in the order in which they arrived', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    const bucket = { burst: 2, perSecond: slow.perSecond };
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        limiter.take(key, bucket, interactive(Infinity)).then(() => order.push(index)),
      ),
    );
    expect(clock.endings).toHaveLength(10);
    expect(clock.endings).toEqual(clock.endings.toSorted((one, other) => one - other));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  describe('a shared bucket', () => {
    /** A clock whose sleeps end only when the test says so. */
    function steppedClock(): Clock & { next(): Promise<void> } {
      const sleepers: { readonly ms: number; readonly wake: () => void }[] = [];
      const isAsleep: (() => void)[] = [];
      let now = Date.now();
      return {
        now: () => now,
        sleep: (ms, signal) =>
          new Promise((wake, reject) => {
            sleepers.push({ ms, wake });
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
            isAsleep.shift()?.();
          }),
        async next() {
          if (sleepers.length === 0) await new Promise<void>(resolve => isAsleep.push(resolve));
          const sleeper = sleepers.shift();
          now += sleeper?.ms ?? 0;
          sleeper?.wake();
        },
      };
    }

    /** A signal for requests, and a function that cancels those that still wait. */
    function cancellation() {
      const controller = new AbortController();
      const leave = async (requests: readonly Promise<unknown>[]): Promise<void> => {
        controller.abort();
        await Promise.allSettled(requests);
      };
      return { signal: controller.signal, leave };
    }

    const organization = (name: string, customerId = 'customer') => ({ organizationId: name, customerId });
    const tenPerSecond = { burst: 1, perSecond: 10 };

    test('serves another organization next, however many requests of one customer wait', async () => {
      const clock = steppedClock();
      const limiter = limiterOn(clock);
      const order: string[] = [];
      const { signal, leave } = cancellation();
      const ask = (name: string, customerId?: string) =>
        limiter
          .take(key, tenPerSecond, { ...interactive(Infinity, organization(name, customerId)), signal })
          .then(() => order.push(customerId ?? name));
      const all = Array.from({ length: 300 }, () => ask('flooding'));
      while (order.length < 10) await clock.next();
      order.length = 0;
      all.push(ask('other'), ask('flooding', 'colleague'));
      while (order.length < 4) await clock.next();
      expect(order.slice(0, 4).toSorted()).toEqual(['colleague', 'flooding', 'flooding', 'other']);
      await leave(all);
    });

    test('rejects the requests of one customer that cannot be sent before their deadline at once', async () => {
      const clock = steppedClock();
      const limiter = limiterOn(clock);
      const ask = (name: string) =>
        limiter.take(key, tenPerSecond, interactive(clock.now() + 2_000, organization(name)));
      const flood = Array.from({ length: 100 }, () => ask('flooding'));
      const rejected = await Promise.all(flood.slice(30));
      expect(rejected.every(seconds => seconds !== null && seconds > 0)).toBe(true);
      const served: (number | null)[] = [];
      void ask('other').then(seconds => served.push(seconds));
      while (served.length === 0) await clock.next();
      expect(served).toEqual([null]);
    });

    test('a process reserves at most a quarter of a second ahead of its waiting requests', async () => {
      const clock = steppedClock();
      const limiter = limiterOn(clock);
      const sent: unknown[] = [];
      const { signal, leave } = cancellation();
      const flood = Array.from({ length: 200 }, () =>
        limiter.take(key, tenPerSecond, { ...interactive(Infinity), signal }).then(() => sent.push(key)),
      );
      while (sent.length < 20) await clock.next();
      const sleepless = sleeplessClock();
      await limiterOn(sleepless).take(key, tenPerSecond, interactive(Infinity, organization('other')));
      // The stepped clock runs ahead of the database's, in which 20 requests take two seconds.
      expect(Math.max(...sleepless.slept)).toBeLessThanOrEqual(2_000 + 250 + 100);
      await leave(flood);
    });
  });

  describe('background requests', () => {
    /** Returns a clock whose `sleep` refills the bucket as if the time had passed. */
    function movingClock(): Clock & { readonly slept: number[] } {
      const clock = sleeplessClock();
      let addedMs = 0;
      const move = async (ms: number): Promise<void> => {
        clock.slept.push(ms);
        addedMs += ms;
        const interval = sql<Date>`make_interval(secs => ${ms / 1000})`;
        await sql`update vendor_limits set full_at = full_at - ${interval}, background_at = background_at - ${interval}
          where key = ${key}`.execute(database().kysely);
      };
      return { slept: clock.slept, now: () => clock.now() + addedMs, sleep: move };
    }

    test('interactive requests overtake waiting background requests from another process', async () => {
      const waiting = Promise.withResolvers<void>();
      const isOver = Promise.withResolvers<never>();
      const idle: Clock = {
        now: Date.now,
        sleep: () => {
          waiting.resolve();
          return isOver.promise;
        },
      };
      const synchronising = limiterOn(idle);
      await synchronising.take(key, slow, background(Infinity));
      const second = synchronising.take(key, slow, background(Infinity));
      const third = synchronising.take(key, slow, background(Infinity));
      await waiting.promise;
      const clock = movingClock();
      await limiterOn(clock).take(key, slow, interactive(Infinity));
      expect(clock.slept).toHaveLength(1);
      // The request waits only for the one request that was already sent, not for those in the queue.
      expect(Math.max(...clock.slept)).toBeLessThanOrEqual(100_000);
      isOver.reject(new Error('the test is over'));
      await expect(second).rejects.toThrow('the test is over');
      await expect(third).rejects.toThrow('the test is over');
    });

    test('background requests leave the last tenth of a bucket to interactive requests', async () => {
      const clock = sleeplessClock();
      const limiter = limiterOn(clock);
      const bucket = { burst: 30, perSecond: 0.01 };
      let passed = 0;
      while ((await limiter.take(key, bucket, background(clock.now() + 1_000))) === null) passed += 1;
      expect(passed).toBe(27);
      for (let count = 0; count < 3; count += 1) {
        expect(await limiter.take(key, bucket, interactive(clock.now() + 1_000))).toBeNull();
      }
      expect(await limiter.take(key, bucket, interactive(clock.now() + 1_000))).toBeGreaterThan(90);
    });

    test('background requests get their share even when interactive requests use up the limit', async () => {
      const clock = movingClock();
      const processes = [limiterOn(clock), limiterOn(clock)] as const;
      let backgrounds = 0;
      for (let count = 0; count < 40; count += 1) {
        await processes[0].take(key, slow, interactive(Infinity));
        const answer = await processes[1].take(key, slow, background(clock.now() + 100_000));
        if (answer === null) backgrounds += 1;
      }
      expect(backgrounds).toBeGreaterThanOrEqual(40 / 5);
    });

    test('background requests use the whole limit while there are no interactive requests', async () => {
      const clock = movingClock();
      const limiter = limiterOn(clock);
      const startedAt = clock.now();
      for (let count = 0; count < 21; count += 1) await limiter.take(key, slow, background(Infinity));
      expect((clock.now() - startedAt) / 100_000).toBeCloseTo(20, 1);
    });

    test('reports to background requests how long to wait if they cannot run before their deadline', async () => {
      const limiter = limiterOn(sleeplessClock());
      await limiter.take(key, slow, background(Infinity));
      expect(await limiter.take(key, slow, background(Date.now() + 5_000))).toBeGreaterThan(90);
    });
  });

  describe('buckets', () => {
    test('deletes buckets that are full again', async () => {
      const limiter = limiterOn(sleeplessClock());
      await limiter.take(key, { burst: 1, perSecond: 0.001 }, interactive(Infinity));
      const full = `${key} full`;
      await limiter.take(full, { burst: 1, perSecond: 1 }, interactive(Infinity));
      await sql`update vendor_limits set full_at = now() - interval '1 second' where key = ${full}`.execute(
        database().kysely,
      );
      await deleteFullBuckets(database().kysely);
      const rows = await database().kysely.selectFrom('vendor_limits').select('key').execute();
      expect(rows.map(row => row.key)).toContain(key);
      expect(rows.map(row => row.key)).not.toContain(full);
    });
  });
});
