/** Formats values for users, in the browser's language and time zone. */

/** Formats an amount. Without a currency, formats a plain number. */
export function money(
  amount: number,
  currency: string | null,
  locale?: string,
  style: Intl.NumberFormatOptions = {},
): string {
  const digits = Math.abs(amount) >= 1000 ? { maximumFractionDigits: 0 } : {};
  if (currency === null) return count(amount, locale);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...digits,
    ...style,
  }).format(amount);
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

export const shortTime = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

/** Formats a timestamp in the browser's time zone. */
export function time(
  timestamp: string,
  locale?: string,
  style: Intl.DateTimeFormatOptions = shortTime,
): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? timestamp : new Intl.DateTimeFormat(locale, style).format(at);
}

/** Returns the local day as `YYYY-MM-DD`, some days before now. */
export function daysAgo(days: number, now: Date): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
