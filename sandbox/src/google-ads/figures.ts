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

/** Computes a `metrics` field. A ratio is undefined if its divisor is zero. */
export function metricOf(key: string, counts: Counts): Value {
  const [impressions = 0, clicks = 0, cost = 0, conversions = 0, value = 0, interactions = 0] = counts;
  const ratio = (top: number, bottom: number): Value => (bottom === 0 ? undefined : top / bottom);
  const metrics: Readonly<Record<string, Value>> = {
    impressions,
    clicks,
    cost_micros: cost,
    interactions,
    conversions: conversions / 100,
    conversions_value: value / 100,
    ctr: ratio(clicks, impressions),
    average_cpc: ratio(cost, clicks),
    average_cpm: ratio(cost * 1000, impressions),
    average_cost: ratio(cost, interactions),
    interaction_rate: ratio(interactions, impressions),
    cost_per_conversion: ratio(cost * 100, conversions),
    value_per_conversion: ratio(value, conversions),
    conversions_from_interactions_rate: ratio(conversions / 100, interactions),
  };
  return metrics[key];
}
