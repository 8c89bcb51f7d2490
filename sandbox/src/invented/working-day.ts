const DAY_MS = 86_400_000;

/** Returns midnight UTC on the day of `ms`, or on the preceding Friday if that day is on a weekend. */
export function startOfWorkingDay(ms: number): number {
  const midnight = Math.floor(ms / DAY_MS) * DAY_MS;
  const weekday = new Date(midnight).getUTCDay();
  const daysBack = weekday === 6 ? 1 : weekday === 0 ? 2 : 0;
  return midnight - daysBack * DAY_MS;
}
