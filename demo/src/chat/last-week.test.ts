import { expect, test } from 'vitest';
import { lastWeek } from './last-week.ts';

test('is the last complete week from Monday to Sunday', () => {
  const week = { first: '2026-11-09', last: '2026-11-15' };
  expect(lastWeek(new Date('2026-11-16T12:00:00Z'), 'UTC')).toEqual(week);
  expect(lastWeek(new Date('2026-11-20T12:00:00Z'), 'UTC')).toEqual(week);
  expect(lastWeek(new Date('2026-11-22T12:00:00Z'), 'UTC')).toEqual(week);
});

test('crosses the end of a year', () => {
  expect(lastWeek(new Date('2027-01-05T12:00:00Z'), 'UTC')).toEqual({
    first: '2026-12-28',
    last: '2027-01-03',
  });
});

test('begins a week by the time zone of the person', () => {
  const mondayInTokyo = new Date('2026-11-15T20:00:00Z');
  expect(lastWeek(mondayInTokyo, 'Asia/Tokyo').first).toBe('2026-11-09');
  expect(lastWeek(mondayInTokyo, 'America/New_York').first).toBe('2026-11-02');
});
