/** Formats values for users, in the browser's language and time zone. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Formats an amount. Without a currency, formats a plain number. */
export function money(amount: number, currency: string | null, locale?: string): string {
  const digits = Math.abs(amount) >= 1000 ? { maximumFractionDigits: 0 } : {};
  if (currency === null) return count(amount, locale);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...digits,
  }).format(amount);
}

/** Formats an amount without cents, and thousands in short, for an axis. */
export function shortMoney(amount: number, currency: string | null, locale?: string): string {
  const short = { notation: 'compact', maximumFractionDigits: amount < 10 ? 1 : 0 } as const;
  const options =
    currency === null
      ? short
      : ({
          ...short,
          style: 'currency',
          currency,
          currencyDisplay: 'narrowSymbol',
          minimumFractionDigits: 0,
        } as const);
  return new Intl.NumberFormat(locale, options).format(amount);
}

export function count(amount: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(amount);
}

export function percent(share: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** Formats seconds as minutes, such as `30 min` or `1 h 5 min`. */
export function minutes(seconds: number): string {
  if (seconds > 0 && seconds < 60) return '< 1 min';
  const all = Math.round(seconds / 60);
  const hours = Math.floor(all / 60);
  if (hours === 0) return `${all} min`;
  return all % 60 === 0 ? `${hours} h` : `${hours} h ${all % 60} min`;
}

/** Formats a `YYYY-MM-DD` day, which has no time zone. */
export function day(
  date: string,
  locale?: string,
  style: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(at);
}

/** Formats a timestamp in the browser's time zone. */
export function time(
  timestamp: string,
  locale?: string,
  style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? timestamp : new Intl.DateTimeFormat(locale, style).format(at);
}

/** Formats how long ago a timestamp was, such as `2 min ago`. */
export function ago(timestamp: string, nowMs: number): string {
  const ms = nowMs - Date.parse(timestamp);
  if (ms < minuteMs) return 'just now';
  const format = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'auto' });
  const [amount, unit] =
    ms < hourMs
      ? ([ms / minuteMs, 'minute'] as const)
      : ms < dayMs
        ? ([ms / hourMs, 'hour'] as const)
        : ([ms / dayMs, 'day'] as const);
  return format.format(-Math.floor(amount), unit).replace('.', '');
}

/** Returns the local day as `YYYY-MM-DD`, some days before now. */
export function daysAgo(days: number, now: Date): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
