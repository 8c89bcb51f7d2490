/** Days as `YYYY-MM-DD`, which compare as strings. */

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the UTC day that contains a time. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return dayOf(Date.parse(day) + count * dayMs);
}

export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

export function earlierOf(one: string, other: string): string {
  return one < other ? one : other;
}
