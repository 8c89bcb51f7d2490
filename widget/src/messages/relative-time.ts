import type { Messages } from './messages.ts';

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Returns how long ago a time was, such as “2 min ago”. A time that is in the future, because clocks differ, is
 * “just now”.
 */
export function timeSince(time: string, { language, justNow }: Messages): string {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  return seconds < 60 ? justNow : format(-seconds, language);
}

/** Returns in what time something happens, such as “in 48 min”, or “now” if that time has passed. */
export function timeUntil(time: string, { language }: Messages): string {
  return format(Math.max(0, (Date.parse(time) - Date.now()) / 1000), language);
}

/** Returns the day of a time relative to now, such as “today” or “in 3 days”. */
export function dayOf(time: string, { language }: Messages): string {
  const days = (new Date(time).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86_400_000;
  // A day can have 23 or 25 hours.
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(days), 'day');
}

/** Returns the format of a day without its time. */
export function dateFormat({ language }: Messages): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
}

/** Returns the time of day of a time. */
export function timeOf(time: string, { language }: Messages): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(time));
}

function format(seconds: number, language: string): string {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  // Longer units are too rarely used to be abbreviated: “last mo.” is not a common phrase.
  const style = size < 86_400 ? 'short' : 'long';
  const format = new Intl.RelativeTimeFormat(language, { style, numeric: 'auto' });
  const text = format.format(Math.trunc(seconds / size), unit);
  // The abbreviations of American English end in a full stop, which reads as the end of the sentence.
  return language.startsWith('en') ? text.replace('.', '') : text;
}
