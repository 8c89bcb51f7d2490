import type { z } from 'zod';
import { asInteger, asObject } from '../kind/record.ts';
import { asNumber } from './record.ts';

/** String metrics in every report. The number of decimal places varies, such as "20.000" or "76.73". */
export const commonDecimals = [
  'spend',
  'cpc',
  'cpm',
  'impressions',
  'clicks',
  'ctr',
  'reach',
  'cost_per_1000_reached',
  'frequency',
] as const;

/** Numeric metrics in every report. */
export const commonNumbers = [
  'video_play_actions',
  'video_watched_2s',
  'video_watched_6s',
  'average_video_play',
  'average_video_play_per_user',
  'video_views_p25',
  'video_views_p50',
  'video_views_p75',
  'video_views_p100',
  'profile_visits',
  'likes',
  'comments',
  'shares',
  'follows',
  'clicks_on_music_disc',
  'real_time_app_install',
  'real_time_app_install_cost',
  'app_install',
] as const;

/** Conversion metrics in ad group and ad reports, as strings. */
export const conversionDecimals = [
  'conversion',
  'cost_per_conversion',
  'conversion_rate',
  'real_time_conversion',
  'real_time_cost_per_conversion',
  'real_time_conversion_rate',
  'result',
  'cost_per_result',
  'result_rate',
  'real_time_result',
  'real_time_cost_per_result',
  'real_time_result_rate',
  'secondary_goal_result',
  'cost_per_secondary_goal_result',
  'secondary_goal_result_rate',
] as const;

const ids = ['advertiser_id', 'campaign_id', 'adgroup_id', 'ad_id'];
const converters = new Map<string, (value: unknown) => unknown>([
  ...ids.map(name => [name, asInteger] as const),
  ...commonNumbers.map(name => [name, asNumber] as const),
]);

/**
 * Creates a mapper for report rows. TikTok sends a row as `{dimensions, metrics}` with string values, and "-"
 * for a missing value. The mapped record is flat: ids are integers, counts are numbers, amounts and rates are
 * strings.
 */
export function rowMapping<R extends z.ZodObject>(record: R): (wire: unknown) => z.infer<R> {
  const nulls: Record<string, unknown> = Object.fromEntries(
    Object.keys(record.shape).map(name => [name, null]),
  );
  return wire => {
    const { dimensions, metrics } = asObject(wire);
    const row = { ...nulls };
    copyInto(row, asObject(metrics));
    copyInto(row, asObject(dimensions));
    // Vendors document field types but do not enforce them.
    return row as z.infer<R>;
  };
}

function copyInto(row: Record<string, unknown>, values: Readonly<Record<string, unknown>>): void {
  // JSON objects inherit no enumerable properties, and `Object.entries` would allocate an array for each
  // field.
  for (const name in values) {
    const value = values[name];
    const convert = converters.get(name);
    if (value === '-') row[name] = null;
    else row[name] = convert ? convert(value) : value;
  }
}
