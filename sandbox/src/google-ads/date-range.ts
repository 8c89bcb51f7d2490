import { formatDay, parseDay, weekdayOf } from '../advertising/calendar.ts';
import { mismatch } from './conditions.ts';
import { queryError } from './failure.ts';
import type { Condition, Literal } from './gaql.ts';

/** A range of day numbers (days since 1970-01-01). Both ends are inclusive. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Intersects the conditions on `segments.date`. Returns undefined if there are no conditions; a side without
 * a bound is infinite. Throws `DATE_RANGE_TOO_NARROW` if the start is after the end.
 */
export function readDateRange(conditions: readonly Condition[], today: number): DateRange | undefined {
  if (conditions.length === 0) return undefined;
  let range: DateRange = { from: -Infinity, to: Infinity };
  for (const condition of conditions) {
    const { from, to } = rangeOf(condition, today);
    range = { from: Math.max(range.from, from), to: Math.min(range.to, to) };
  }
  if (range.from > range.to) {
    throw queryError('DATE_RANGE_TOO_NARROW', 'Date range is too narrow: the start lies after the end.');
  }
  return range;
}

function rangeOf({ operator, values: [first, second] }: Condition, today: number): DateRange {
  switch (operator) {
    case '=':
      return { from: readDay(first), to: readDay(first) };
    case '>':
      return { from: readDay(first) + 1, to: Infinity };
    case '>=':
      return { from: readDay(first), to: Infinity };
    case '<':
      return { from: -Infinity, to: readDay(first) - 1 };
    case '<=':
      return { from: -Infinity, to: readDay(first) };
    case 'BETWEEN':
      return { from: readDay(first), to: readDay(second) };
    case 'DURING':
      return namedRange(first?.text ?? '', today);
    default:
      throw mismatch(operator, 'segments.date');
  }
}

function readDay(literal: Literal | undefined): number {
  const day = literal?.kind === 'text' ? parseDay(literal.text) : undefined;
  if (day === undefined) {
    throw queryError('INVALID_DATE_FORMAT', `Invalid date '${literal?.text ?? ''}' for field segments.date.`);
  }
  return day;
}

function namedRange(name: string, today: number): DateRange {
  const ending = (days: number): DateRange => ({ from: today - days, to: today - 1 });
  const monday = today - ((weekdayOf(today) + 6) % 7);
  const sunday = today - weekdayOf(today);
  const monthStart = parseDay(`${formatDay(today).slice(0, 7)}-01`) ?? today;
  const lastMonthStart = parseDay(`${formatDay(monthStart - 1).slice(0, 7)}-01`) ?? today;
  const ranges: Record<string, DateRange> = {
    TODAY: { from: today, to: today },
    YESTERDAY: ending(1),
    LAST_7_DAYS: ending(7),
    LAST_14_DAYS: ending(14),
    LAST_30_DAYS: ending(30),
    LAST_BUSINESS_WEEK: { from: monday - 7, to: monday - 3 },
    LAST_WEEK_MON_SUN: { from: monday - 7, to: monday - 1 },
    LAST_WEEK_SUN_SAT: { from: sunday - 7, to: sunday - 1 },
    THIS_WEEK_MON_TODAY: { from: monday, to: today },
    THIS_WEEK_SUN_TODAY: { from: sunday, to: today },
    THIS_MONTH: { from: monthStart, to: today },
    LAST_MONTH: { from: lastMonthStart, to: monthStart - 1 },
  };
  const range = ranges[name.toUpperCase()];
  if (!range) throw queryError('INVALID_VALUE_WITH_DURING_OPERATOR', `Unknown date range '${name}'.`);
  return range;
}
