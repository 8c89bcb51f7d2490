import type { Clock } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { createSharedLimiter } from './shared-limiter.ts';
import { forgetFullBuckets } from './store.ts';

/** A clock on which sleeping takes no time, and which notes the sleeps. */
function sleeplessClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  const startedAt = Date.now();
  return {
    slept,
    now: () => startedAt + performance.now(),
    sleep: ms => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
}

onEachEngine('a limiter that processes share', database => {
  let names = 0;
  let key = '';
  beforeEach(() => {
    key = `bucket ${++names}`;
  });
  const limiterOn = (clock: Clock) => createSharedLimiter(database().kysely, clock);

  test('lets a burst through, and spaces what comes after it, whoever asks', async () => {
    const clock = sleeplessClock();
    const processes = [limiterOn(clock), limiterOn(clock)];
    const bucket = { burst: 4, perSecond: 1 };
    for (let count = 0; count < 10; count += 1) {
      await processes[count % 2]?.take(key, bucket, Infinity);
    }
    expect(clock.slept).toHaveLength(6);
    for (const [index, ms] of clock.slept.toSorted((one, other) => one - other).entries()) {
      expect(ms / 1000).toBeGreaterThan(index);
      expect(ms / 1000).toBeLessThanOrEqual(index + 1.01);
    }
  });

  test('tells how long to wait instead of waiting past the deadline, and takes nothing then', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    const bucket = { burst: 1, perSecond: 0.1 };
    expect(await limiter.take(key, bucket, clock.now())).toBeNull();
    for (let count = 0; count < 5; count += 1) {
      expect(await limiter.take(key, bucket, clock.now() + 5_000)).toBe(10);
    }
    expect(clock.slept).toEqual([]);
    expect(await limiter.take(key, bucket, clock.now() + 15_000)).toBeNull();
  });

  test('reserves more at once when requests come fast, and never more than the limit allows', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    const bucket = { burst: 1, perSecond: 40 };
    for (let count = 0; count < 200; count += 1) await limiter.take(key, bucket, Infinity);
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from full_at - now())::float8 as seconds from vendor_limits where key = ${key}`.execute(
      database().kysely,
    );
    // 200 requests of a fortieth second each, and at most one batch more.
    expect(rows[0]?.seconds).toBeLessThanOrEqual(200 / 40 + 0.5);
    expect(Math.max(...clock.slept) / 1000).toBeGreaterThan(200 / 40 - 1.5);
  });

  test('forgets what it reserved and did not use in time', async () => {
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
    for (let count = 0; count < 8; count += 1) await limiter.take(key, bucket, Infinity);
    slept.length = 0;
    nowMs += 60_000;
    await sql`update vendor_limits set full_at = now() + interval '30 seconds' where key = ${key}`.execute(
      database().kysely,
    );
    await limiter.take(key, bucket, Infinity);
    expect(slept[0] ?? 0).toBeGreaterThan(29_000);
  });

  test('keeps those in line who asked at once, each in turn', async () => {
    const clock = sleeplessClock();
    const limiter = limiterOn(clock);
    const bucket = { burst: 2, perSecond: 5 };
    await Promise.all(Array.from({ length: 12 }, () => limiter.take(key, bucket, Infinity)));
    expect(clock.slept).toHaveLength(10);
    expect(clock.slept).toEqual(clock.slept.toSorted((one, other) => one - other));
  });

  describe('buckets', () => {
    test('that are full again are forgotten', async () => {
      const limiter = limiterOn(sleeplessClock());
      await limiter.take(key, { burst: 1, perSecond: 0.001 }, Infinity);
      const full = `${key} full`;
      await limiter.take(full, { burst: 1, perSecond: 1 }, Infinity);
      await sql`update vendor_limits set full_at = now() - interval '1 second' where key = ${full}`.execute(
        database().kysely,
      );
      await forgetFullBuckets(database().kysely);
      const rows = await database().kysely.selectFrom('vendor_limits').select('key').execute();
      expect(rows.map(row => row.key)).toContain(key);
      expect(rows.map(row => row.key)).not.toContain(full);
    });
  });
});
