const dayMs = 86_400_000;

export interface Week {
  /** Monday, `YYYY-MM-DD`. */
  readonly first: string;
  /** Sunday, `YYYY-MM-DD`. */
  readonly last: string;
}

/** Returns the last complete week before now, in the person's time zone. */
export function lastWeek(now: Date, timeZone: string): Week {
  const today = Date.parse(`${dateIn(timeZone, now)}T00:00:00Z`);
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const monday = today - (daysSinceMonday + 7) * dayMs;
  return { first: isoDay(monday), last: isoDay(monday + 6 * dayMs) };
}

/** Returns the day in a time zone as `YYYY-MM-DD`. */
export function dateIn(timeZone: string, time: Date): string {
  // Swedes write dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
