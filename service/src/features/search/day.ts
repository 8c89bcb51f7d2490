import { sql, type RawBuilder } from 'kysely';
import { textCollation } from '../../shared/records/record-table.ts';

type Sql = RawBuilder<unknown>;

/** Returns whether a value is a day such as `2026-02-17`, from the year 1000 on. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^[1-8]\d{3}-\d\d-\d\d$/.test(value) && addDays(value, 0) === value;
}

/**
 * Writes the day in UTC of a time in a text column. Text that is not a time with an offset counts as UTC, so its
 * first ten characters are the day.
 */
export function dayOf(time: Sql): Sql {
  const withOffset = '^\\d{4}-\\d\\d-\\d\\d[T ].*[+-]\\d\\d(:?\\d\\d)?$';
  return sql`(case when length(${time}) > 18 and ${time} ~ ${withOffset}::text and pg_input_is_valid(${time}, 'timestamptz')
    then to_char(${time}::timestamptz at time zone 'UTC', 'YYYY-MM-DD') else left(${time}, 10) end
    collate ${sql.id(textCollation)})`;
}

/**
 * How many days before and after a day the text of a time can begin, because an offset is less than a day. From `isFrom` on, or
 * before `isBefore`, the day matches whatever the offset is.
 */
const textRanges = {
  '=': { from: -1, before: 2 },
  '>': { from: 0, isFrom: 2 },
  '>=': { from: -1, isFrom: 1 },
  '<': { before: 1, isBefore: -1 },
  '<=': { before: 2, isBefore: 0 },
} as const;

export type DaySign = keyof typeof textRanges;

/**
 * Writes a condition on the day of a time. Limits the text too, because an index can serve that, and the planner can
 * estimate it.
 */
export function compareDay(time: Sql, sign: DaySign, day: string): Sql {
  const range: Partial<Record<'from' | 'before' | 'isFrom' | 'isBefore', number>> = textRanges[sign];
  const since = (days?: number) => (days === undefined ? [] : [sql`${time} >= ${addDays(day, days)}::text`]);
  const until = (days?: number) => (days === undefined ? [] : [sql`${time} < ${addDays(day, days)}::text`]);
  const isOn = sql`${dayOf(time)} ${sql.raw(sign)} ${day}::text`;
  const sure = [...since(range.isFrom), ...until(range.isBefore), isOn];
  return sql.join(
    [...since(range.from), ...until(range.before), sql`(${sql.join(sure, sql` or `)})`],
    sql` and `,
  );
}

function addDays(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date + count)).toISOString().slice(0, 10);
}
