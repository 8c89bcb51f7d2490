import { COUNTS, type Counts } from './delivery.ts';

/** Formats a metric; always a string. */
type Metric = (counts: Counts, decimals: number) => string;

type CountName = (typeof COUNTS)[number];

const POSITIONS = new Map<CountName, number>(COUNTS.map((name, index) => [name, index]));

function read(counts: Counts, name: CountName): number {
  return counts[POSITIONS.get(name) ?? -1] ?? 0;
}

const count =
  (name: CountName): Metric =>
  counts =>
    String(read(counts, name));

const money =
  (name: CountName): Metric =>
  (counts, decimals) =>
    (read(counts, name) / 10 ** decimals).toFixed(decimals);

/** Formats `top / bottom * factor`; zero if the divisor is zero. */
const ratio =
  (
    top: CountName,
    bottom: CountName | ((counts: Counts) => number),
    factor: number,
    digits: number,
  ): Metric =>
  counts => {
    const divisor = typeof bottom === 'function' ? bottom(counts) : read(counts, bottom);
    return (divisor === 0 ? 0 : (read(counts, top) / divisor) * factor).toFixed(digits);
  };

/** Formats the spend per `bottom`, times `factor`, in the currency's main unit. */
const cost =
  (bottom: CountName | ((counts: Counts) => number), factor: number, digits: number): Metric =>
  (counts, decimals) =>
    ratio('spend', bottom, factor / 10 ** decimals, digits)(counts, decimals);

/** Returns the number of people reached. It never exceeds the impressions, and is not additive. */
function reachOf(counts: Counts): number {
  const impressions = read(counts, 'impressions');
  return Math.round(impressions / (1.05 + 0.06 * Math.log10(1 + impressions)));
}

/** Formats a secondary-goal metric, which does not apply to most ads: `-` if there are no such results. */
const orDash =
  (metric: Metric): Metric =>
  (counts, decimals) =>
    read(counts, 'secondary') === 0 ? '-' : metric(counts, decimals);

/** The simulated numeric metrics by name. */
export const METRICS: Readonly<Record<string, Metric>> = {
  spend: money('spend'),
  cpc: cost('clicks', 1, 2),
  cpm: cost('impressions', 1000, 2),
  impressions: count('impressions'),
  clicks: count('clicks'),
  ctr: ratio('clicks', 'impressions', 100, 2),
  reach: counts => String(reachOf(counts)),
  cost_per_1000_reached: cost(reachOf, 1000, 3),
  frequency: ratio('impressions', reachOf, 1, 2),
  video_play_actions: count('plays'),
  video_watched_2s: count('watched2s'),
  video_watched_6s: count('watched6s'),
  average_video_play: ratio('playTenths', 'plays', 0.1, 2),
  average_video_play_per_user: ratio('playTenths', reachOf, 0.1, 2),
  video_views_p25: count('p25'),
  video_views_p50: count('p50'),
  video_views_p75: count('p75'),
  video_views_p100: count('p100'),
  profile_visits: count('visits'),
  likes: count('likes'),
  comments: count('comments'),
  shares: count('shares'),
  follows: count('follows'),
  clicks_on_music_disc: count('music'),
  real_time_app_install: count('realTimeInstalls'),
  real_time_app_install_cost: cost('realTimeInstalls', 1, 3),
  app_install: count('installs'),
  conversion: count('conversions'),
  cost_per_conversion: cost('conversions', 1, 3),
  conversion_rate: ratio('conversions', 'clicks', 100, 2),
  real_time_conversion: count('realTimeConversions'),
  real_time_cost_per_conversion: cost('realTimeConversions', 1, 3),
  real_time_conversion_rate: ratio('realTimeConversions', 'clicks', 100, 2),
  result: count('results'),
  cost_per_result: cost('results', 1, 4),
  result_rate: ratio('results', 'impressions', 100, 2),
  real_time_result: count('realTimeResults'),
  real_time_cost_per_result: cost('realTimeResults', 1, 4),
  real_time_result_rate: ratio('realTimeResults', 'impressions', 100, 2),
  secondary_goal_result: orDash(count('secondary')),
  cost_per_secondary_goal_result: orDash(cost('secondary', 1, 3)),
  secondary_goal_result_rate: orDash(ratio('secondary', 'clicks', 100, 2)),
};

/** Additional metrics that only reports on whole ad accounts support. */
export const ACCOUNT_METRICS: Readonly<Record<string, Metric>> = {
  cash_spend: (counts, decimals) =>
    ((read(counts, 'spend') - read(counts, 'voucher')) / 10 ** decimals).toFixed(decimals),
  voucher_spend: money('voucher'),
};
