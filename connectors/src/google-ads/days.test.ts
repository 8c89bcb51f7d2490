import { describe, expect, test } from 'vitest';
import { addDays, dayIn, monthsBefore, windowsOf } from './days.ts';

describe('Google Ads days', () => {
  test('returns the day in the time zone, and in UTC for an unknown time zone', () => {
    const at = Date.parse('2026-12-31T23:30:00Z');
    expect(dayIn('Asia/Tokyo', at)).toBe('2027-01-01');
    expect(dayIn('America/New_York', at)).toBe('2026-12-31');
    expect(dayIn('Pacific/Kiritimati', at)).toBe('2027-01-01');
    expect(dayIn(null, at)).toBe('2026-12-31');
    expect(dayIn('Nowhere/Land', at)).toBe('2026-12-31');
  });

  test('adds days across months, years and the end of daylight saving time', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addDays('2026-10-24', 2)).toBe('2026-10-26');
  });

  test('uses the last day of a shorter month', () => {
    expect(monthsBefore('2026-11-20', 24)).toBe('2024-11-20');
    expect(monthsBefore('2026-03-31', 1)).toBe('2026-02-28');
    expect(monthsBefore('2024-02-29', 12)).toBe('2023-02-28');
    expect(monthsBefore('2026-01-15', 37)).toBe('2022-12-15');
  });

  test('splits days into windows without gaps or overlaps', () => {
    expect(windowsOf('2026-11-01', '2026-11-30', 14)).toEqual([
      { from: '2026-11-01', to: '2026-11-14' },
      { from: '2026-11-15', to: '2026-11-28' },
      { from: '2026-11-29', to: '2026-11-30' },
    ]);
    expect(windowsOf('2026-11-01', '2026-11-01', 14)).toEqual([{ from: '2026-11-01', to: '2026-11-01' }]);
    expect(windowsOf('2026-11-02', '2026-11-01', 14)).toEqual([]);
  });
});
