import { expect, test } from 'vitest';
import { day, daysAgo, minutes, money } from './format.ts';

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

test('shows a day as it is, in every time zone', () => {
  expect(day('2026-11-02', 'en')).toBe('Nov 2, 2026');
  expect(day('soon', 'en')).toBe('soon');
});

test('counts days back across the end of a month', () => {
  expect(daysAgo(3, new Date(2026, 2, 1, 0, 30))).toBe('2026-02-26');
});
