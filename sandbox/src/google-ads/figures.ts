import { formatDay, parseDay, weekdayOf } from '../advertising/calendar.ts';
import type { Value } from './fields.ts';
import type { Cell, Counts } from './performance.ts';

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/** Returns the value of a `segments` field in a cell. */
export function segmentOf(key: string, { day, hour, network }: Cell): Value {
  const date = formatDay(day);
  switch (key) {
    case 'date':
      return date;
    case 'week':
      return formatDay(day - ((weekdayOf(day) + 6) % 7));
    case 'month':
      return `${date.slice(0, 7)}-01`;
    case 'quarter':
      return quarterStart(date);
    case 'year':
      return Number(date.slice(0, 4));
    case 'day_of_week':
      return WEEKDAYS[weekdayOf(day)];
    case 'hour':
      return hour;
    case 'ad_network_type':
      return network;
    default:
      return undefined;
  }
}

function quarterStart(date: string): string {
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / 3) * 3 + 1;
  return formatDay(parseDay(`${date.slice(0, 4)}-${String(month).padStart(2, '0')}-01`) ?? 0);
}

/** Computes a `metrics` field. A ratio is undefined if its divisor is zero. */
export function metricOf(key: string, counts: Counts): Value {
  const [impressions = 0, clicks = 0, cost = 0, conversions = 0, value = 0, interactions = 0] = counts;
  const ratio = (top: number, bottom: number): Value => (bottom === 0 ? undefined : top / bottom);
  switch (key) {
    case 'impressions':
      return impressions;
    case 'clicks':
      return clicks;
    case 'cost_micros':
      return cost;
    case 'interactions':
      return interactions;
    case 'conversions':
      return conversions / 100;
    case 'conversions_value':
      return value / 100;
    case 'ctr':
      return ratio(clicks, impressions);
    case 'average_cpc':
      return ratio(cost, clicks);
    case 'average_cpm':
      return ratio(cost * 1000, impressions);
    case 'average_cost':
      return ratio(cost, interactions);
    case 'interaction_rate':
      return ratio(interactions, impressions);
    case 'cost_per_conversion':
      return ratio(cost * 100, conversions);
    case 'value_per_conversion':
      return ratio(value, conversions);
    case 'conversions_from_interactions_rate':
      return ratio(conversions / 100, interactions);
    default:
      return undefined;
  }
}
