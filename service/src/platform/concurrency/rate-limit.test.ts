import { expect, test } from 'vitest';
import { addressKey, createRateLimit } from './rate-limit.ts';

const named = { name: 'key', events: 'requests' };

test('allows a burst of events, then the configured rate', () => {
  let now = 0;
  const limit = createRateLimit({ ...named, burst: 3, perMinute: 60 }, { now: () => now });
  const take = () => limit.take('key');
  for (let count = 0; count < 3; count += 1) take();
  expect(take).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }));
  now += 999;
  expect(take).toThrow();
  now += 1;
  take();
  expect(take).toThrow();
  limit.take('another key');
});

test('reports how many events are left, and when all are allowed again', () => {
  let now = 0;
  const limit = createRateLimit({ ...named, burst: 3, perMinute: 60 }, { now: () => now });
  const policy = { name: 'key', quota: 3, windowSeconds: 3 };
  expect(limit.take('key')).toEqual({ policy, remaining: 2, resetSeconds: 1 });
  expect(limit.take('key')).toEqual({ policy, remaining: 1, resetSeconds: 2 });
  limit.refund('key');
  expect(limit.usage('key')).toEqual({ policy, remaining: 2, resetSeconds: 1 });
  now += 1_000;
  expect(limit.usage('key')).toEqual({ policy, remaining: 3, resetSeconds: 0 });
});

test('does not count rejected events, so a caller that keeps retrying still gets the configured rate', () => {
  let now = 0;
  const limit = createRateLimit({ ...named, burst: 1, perMinute: 60 }, { now: () => now });
  limit.take('key');
  let passed = 0;
  for (let count = 0; count < 100; count += 1) {
    now += 100;
    try {
      limit.take('key');
      passed += 1;
    } catch {
      // The event was rejected.
    }
  }
  expect(passed).toBeGreaterThanOrEqual(9);
});

test('adds no rate limit capacity when the clock goes backwards', () => {
  let now = 100_000;
  const limit = createRateLimit({ ...named, burst: 2, perMinute: 60 }, { now: () => now });
  limit.take('key');
  now = 0;
  limit.take('key');
  expect(() => limit.take('key')).toThrow();
});

test('limits IPv6 addresses by /64 prefix and IPv4-mapped addresses by IPv4 address', () => {
  expect(addressKey('203.0.113.7')).toBe('203.0.113.7');
  expect(addressKey('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(addressKey('2001:db8:1:2::6')).toBe('2001:db8:1:2::/64');
  expect(addressKey('2001:db8::6')).toBe('2001:db8:0:0::/64');
  expect(addressKey('::1')).toBe('0:0:0:0::/64');
});
