import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDay, formatSecond, localTime, parseDay, seasonOf, weekdayOf } from './calendar.ts';
import { hexAt, integerAt, mix } from './noise.ts';
import { partOf } from './split.ts';

describe('calendar', () => {
  test('formats and parses dates and times like the standard library', () => {
    assert(
      property(integer({ min: 0, max: 4_000_000_000 }), second => {
        const text = new Date(second * 1000).toISOString();
        expect(formatSecond(second)).toBe(text.slice(0, 19).replace('T', ' '));
        expect(parseDay(text.slice(0, 10))).toBe(Math.floor(second / 86_400));
        expect(weekdayOf(Math.floor(second / 86_400))).toBe(new Date(second * 1000).getUTCDay());
      }),
    );
  });

  test('rejects a date that does not exist', () => {
    for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '', '2026-01-01T00:00:00Z']) {
      expect(parseDay(text)).toBeUndefined();
    }
  });

  test('converts a time to the day and hour in a time zone', () => {
    const time = new Date('2026-11-20T20:30:00Z');
    const read = (zone: string): string => {
      const { day, hour } = localTime(time, zone);
      return `${formatDay(day)} ${hour}`;
    };
    expect(['Etc/UTC', 'Asia/Tokyo', 'Etc/GMT+8'].map(read)).toEqual([
      '2026-11-20 20',
      '2026-11-21 5',
      '2026-11-20 12',
    ]);
  });

  test('the season factor averages about one and is higher before the holidays', () => {
    const days = Array.from({ length: 365 }, (_, index) => (parseDay('2025-01-01') ?? 0) + index);
    const mean = (list: number[]): number =>
      list.reduce((sum, day) => sum + seasonOf(day, 7), 0) / list.length;
    expect(mean(days)).toBeCloseTo(1, 1);
    expect(mean(days.slice(304, 334))).toBeGreaterThan(mean(days.slice(0, 31)) * 1.4);
  });
});

describe('noise', () => {
  test('noise is deterministic, evenly distributed and within its bounds', () => {
    expect(mix(1, 2)).toBe(mix(1, 2));
    expect(mix(1, 2)).not.toBe(mix(2, 1));
    const counts = Array.from({ length: 10 }, () => 0);
    for (let place = 0; place < 10_000; place++) counts[integerAt(99, place, 0, 9)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
    expect(hexAt(5, 6, 33)).toMatch(/^[0-9a-f]{33}$/);
  });
});

describe('partOf', () => {
  test('splits a total into non-negative parts that add up to it', () => {
    const weights = array(integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 });
    assert(
      property(integer({ min: 0, max: 10_000_000_000 }), weights, (total, list) => {
        const sum = list.reduce((all, weight) => all + weight, 0);
        let before = 0;
        const parts = list.map(weight => {
          const part = partOf(total, before, weight, sum);
          before += weight;
          return part;
        });
        expect(parts.every(part => part >= 0)).toBe(true);
        expect(parts.reduce((all, part) => all + part, 0)).toBe(total);
      }),
    );
  });
});
