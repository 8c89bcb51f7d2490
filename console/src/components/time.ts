import { html, type TemplateResult } from 'lit';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats a time relative to `now`, such as “5 minutes ago”. */
function relativeTime(iso: string, now: number, style: 'long' | 'narrow' = 'long'): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style });
  // 30 days begin as 30.
  const toWhole = seconds > 86_400 ? Math.round : Math.trunc;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(toWhole(seconds / length), unit);
  }
  return seconds > 0 ? 'in less than a minute' : 'just now';
}

/** Formats a time in full, in the browser's time zone. */
export function fullTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Renders a time as “5 minutes ago”, with the full time as a tooltip. */
export function timeAgo(iso: string | null, none = 'Never'): TemplateResult {
  if (iso === null) return html`<span class="muted">${none}</span>`;
  return html`<time datetime=${iso} title=${fullTime(iso)}>${relativeTime(iso, Date.now())}</time>`;
}

/** Renders how long something has lasted, such as “for 3 days”, with its start as a tooltip. */
export function lastingSince(iso: string): TemplateResult {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const [unit, length] = units.find(unit => seconds >= unit[1]) ?? ['minute', 60];
  const text = `for ${count(Math.max(1, Math.trunc(seconds / length)), unit)}`;
  return html`<time datetime=${iso} title="Since ${fullTime(iso)}">${text}</time>`;
}

/** Returns the day of a time as a heading, such as “Today” or “Monday, November 23”. */
export function dayOf(iso: string): string {
  const date = new Date(iso);
  const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
  const days = Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString('en', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

/** Renders a time below the heading of its day: relative within a day, otherwise the time of the day. */
export function timeOfDay(iso: string): TemplateResult {
  const now = Date.now();
  const text =
    now - Date.parse(iso) < 86_400_000
      ? relativeTime(iso, now, 'narrow')
      : new Date(iso).toLocaleTimeString('en', { timeStyle: 'short' });
  return html`<time datetime=${iso} title=${exactTime(iso)}>${text}</time>`;
}

/** Formats a time to the second, in the browser's time zone. */
export function exactTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Renders a time in full. */
export function pointInTime(iso: string | null, none = 'Never'): TemplateResult {
  if (iso === null) return html`<span class="muted">${none}</span>`;
  return html`<time datetime=${iso} title=${relativeTime(iso, Date.now())}>${fullTime(iso)}</time>`;
}

/** Formats a count with its noun, such as “1 connector” and “1,204 connectors”. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** When something expires: never, or in a number of days. */
export const expiryChoices = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/**
 * Returns the request's member for a choice, with the start of that day (UTC). It does not change while a form is sent
 * again, which the same idempotency key requires.
 */
export function expiryOf(choice: string): { expires_at?: string } {
  if (choice === 'never') return {};
  const date = new Date(Date.now() + Number(choice) * 86_400_000).toISOString().slice(0, 10);
  return { expires_at: `${date}T00:00:00.000Z` };
}
