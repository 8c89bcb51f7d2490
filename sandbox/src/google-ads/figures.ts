import { formatDay, parseDay, weekdayOf } from '../advertising/calendar.ts';
import type { Value } from './fields.ts';
import type { Cell, Counts } from './performance.ts';

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

const SEGMENTS: Readonly<Record<string, (cell: Cell) => Value>> = {
  date: ({ day }) => formatDay(day),
  week: ({ day }) => formatDay(day - ((weekdayOf(day) + 6) % 7)),
  month: ({ day }) => `${formatDay(day).slice(0, 7)}-01`,
  quarter: ({ day }) => quarterStart(formatDay(day)),
  year: ({ day }) => Number(formatDay(day).slice(0, 4)),
  day_of_week: ({ day }) => WEEKDAYS[weekdayOf(day)],
  hour: ({ hour }) => hour,
  ad_network_type: ({ network }) => network,
};

/** Returns the value of a `segments` field in a cell. */
export function segmentOf(key: string, cell: Cell): Value {
  return SEGMENTS[key]?.(cell);
}

function quarterStart(date: string): string {
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / 3) * 3 + 1;
  return formatDay(parseDay(`${date.slice(0, 4)}-${String(month).padStart(2, '0')}-01`) ?? 0);
}

const METRICS: Readonly<Record<string, (counts: ReturnType<typeof nameCounts>) => Value>> = {
  impressions: ({ impressions }) => impressions,
  clicks: ({ clicks }) => clicks,
  cost_micros: ({ cost }) => cost,
  interactions: ({ interactions }) => interactions,
  conversions: ({ conversions }) => conversions / 100,
  conversions_value: ({ value }) => value / 100,
  ctr: ({ clicks, impressions }) => ratio(clicks, impressions),
  average_cpc: ({ cost, clicks }) => ratio(cost, clicks),
  average_cpm: ({ cost, impressions }) => ratio(cost * 1000, impressions),
  average_cost: ({ cost, interactions }) => ratio(cost, interactions),
  interaction_rate: ({ interactions, impressions }) => ratio(interactions, impressions),
  cost_per_conversion: ({ cost, conversions }) => ratio(cost * 100, conversions),
  value_per_conversion: ({ value, conversions }) => ratio(value, conversions),
  conversions_from_interactions_rate: ({ conversions, interactions }) =>
    ratio(conversions / 100, interactions),
};

/** Computes a `metrics` field. A ratio is undefined if its divisor is zero. */
export function metricOf(key: string, counts: Counts): Value {
  return METRICS[key]?.(nameCounts(counts));
}

function nameCounts(counts: Counts) {
  const [impressions = 0, clicks = 0, cost = 0, conversions = 0, value = 0, interactions = 0] = counts;
  return { impressions, clicks, cost, conversions, value, interactions };
}

function ratio(top: number, bottom: number): Value {
  return bottom === 0 ? undefined : top / bottom;
}
