import { expect, test } from 'vitest';
import { ago, day, daysAgo, minutes, money, shortMoney } from './format.ts';

test.each([
  [0, '0 min'],
  [20, '< 1 min'],
  [1804, '30 min'],
  [3600, '1 h'],
  [3899, '1 h 5 min'],
])('shows %i seconds as %s', (seconds, expected) => {
  expect(minutes(seconds)).toBe(expected);
});

test('shows money in its currency, and cents only where they matter', () => {
  expect(money(12.5, 'EUR', 'en')).toBe('€12.50');
  expect(money(12_345.67, 'EUR', 'en')).toBe('€12,346');
  expect(money(980, 'JPY', 'en')).toBe('¥980');
  expect(money(12.5, null, 'en')).toBe('12.5');
});

test('shows money on an axis in short', () => {
  expect([0, 2.5, 500, 12_000].map(amount => shortMoney(amount, 'EUR', 'en'))).toEqual([
    '€0',
    '€2.5',
    '€500',
    '€12K',
  ]);
  expect(shortMoney(500, null, 'en')).toBe('500');
});

test('shows a day as it is, in every time zone', () => {
  expect(day('2026-11-02', 'en')).toBe('Nov 2, 2026');
  expect(day('soon', 'en')).toBe('soon');
});

test.each([
  [30_000, 'just now'],
  [150_000, '2 min ago'],
  [2 * 3_600_000, '2 hr ago'],
  [26 * 3_600_000, 'yesterday'],
  [80 * 3_600_000, '3 days ago'],
])('shows a time %i ms ago as %s', (ms, expected) => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect(ago(new Date(now - ms).toISOString(), now)).toBe(expected);
});

test('counts days back across the end of a month', () => {
  expect(daysAgo(3, new Date(2026, 2, 1, 0, 30))).toBe('2026-02-26');
});
