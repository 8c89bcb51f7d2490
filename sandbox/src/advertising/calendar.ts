import { mix } from './noise.ts';

const DAY_MS = 86_400_000;

/**
 * Parses a `YYYY-MM-DD` date to a day number (days since 1970-01-01). Returns undefined for an invalid date.
 */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / DAY_MS;
  return Number.isInteger(day) && formatDay(day) === text ? day : undefined;
}

/** Formats a day number as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  const known = texts.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (texts.size < 10_000) texts.set(day, text);
  return text;
}

/** Caches formatted dates, because reports repeat the same few hundred days. */
const texts = new Map<number, string>();

/** Formats a Unix time in seconds as `YYYY-MM-DD HH:MM:SS` in UTC. */
export function formatSecond(second: number): string {
  const inDay = ((second % 86_400) + 86_400) % 86_400;
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  const time = `${two(Math.floor(inDay / 3600))}:${two(Math.floor(inDay / 60) % 60)}:${two(inDay % 60)}`;
  return `${formatDay(Math.floor(second / 86_400))} ${time}`;
}

/** Returns the day of the week (0 is Sunday) for a day number: days since 1970-01-01. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Converts a time to the day number and hour in a time zone. */
export function localTime(time: Date, timeZone: string): { day: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
  const day = parseDay(format.format(time));
  if (day === undefined) throw new RangeError(`no calendar day in ${timeZone}`);
  return { day, hour: Number(hour.format(time)) };
}

const WEEKDAY_FACTORS = [1.16, 0.94, 0.9, 0.93, 0.98, 1.04, 1.22];
const MONTH_FACTORS = [0.82, 0.85, 0.93, 0.98, 1.02, 1, 0.91, 0.9, 1.02, 1.08, 1.42, 1.31];

/**
 * Returns a day's activity relative to the average. It varies with weekends, the pre-holiday months and
 * random noise.
 */
export function seasonOf(day: number, seed: number): number {
  const month = new Date(day * DAY_MS).getUTCMonth();
  const weekly = WEEKDAY_FACTORS[weekdayOf(day)] ?? 1;
  return weekly * (MONTH_FACTORS[month] ?? 1) * (0.85 + (0.3 * mix(seed, day)) / 4294967296);
}

/** The relative traffic in each hour of an average day, starting at midnight. */
export const HOUR_WEIGHTS = [
  12, 7, 4, 3, 3, 6, 14, 26, 38, 46, 50, 52, 55, 52, 50, 50, 53, 58, 66, 76, 82, 74, 52, 29,
] as const;
