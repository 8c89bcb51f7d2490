/** Days as `YYYY-MM-DD`, which compare as strings. */

const dayMs = 86_400_000;

/** Returns the current day in a time zone, or in UTC if the time zone is unknown. */
export function dayIn(timeZone: string | null, nowMs: number): string {
  const now = new Date(nowMs);
  if (timeZone === null) return now.toISOString().slice(0, 10);
  try {
    // The Swedish locale formats dates as ISO 8601.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  } catch {
    return dayIn(null, nowMs);
  }
}

/** Adds days to a date. A negative count subtracts them. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/** Returns the same day of an earlier month, or that month's last day if the month is shorter. */
export function monthsBefore(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - count, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/**
 * Splits a range of days into windows. Ranges and windows include their last day. Returns no windows if the
 * range ends before it starts.
 */
export function windowsOf(from: string, to: string, lengthDays: number): { from: string; to: string }[] {
  const windows: { from: string; to: string }[] = [];
  for (let start = from; start <= to; start = addDays(start, lengthDays)) {
    const end = addDays(start, lengthDays - 1);
    windows.push({ from: start, to: end < to ? end : to });
  }
  return windows;
}
