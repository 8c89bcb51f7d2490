import { HOUR_WEIGHTS, seasonOf } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, unitAt } from '../advertising/noise.ts';
import { addUp, partsOf } from '../advertising/split.ts';
import type { Advertiser } from './advertisers.ts';
import { objectiveOf } from './objectives.ts';
import type { Ad, AdGroup, Campaign, Node, Portfolio } from './portfolio.ts';

/**
 * The counted quantities. All other metrics are computed from these, so that parts and totals match. Amounts
 * are in the currency's smallest unit.
 */
export const COUNTS = [
  'spend',
  'impressions',
  'clicks',
  'plays',
  'watched2s',
  'watched6s',
  'p25',
  'p50',
  'p75',
  'p100',
  'playTenths',
  'visits',
  'likes',
  'comments',
  'shares',
  'follows',
  'music',
  'realTimeInstalls',
  'installs',
  'conversions',
  'realTimeConversions',
  'results',
  'realTimeResults',
  'secondary',
  'voucher',
] as const;

/** One number per name in `COUNTS`, in that order. */
export type Counts = readonly number[];

/**
 * Delivered counts. The counts of ads add up to those of their ad group, those of ad groups to those of their
 * campaign, and those of campaigns to those of the ad account.
 */
export interface Delivery {
  /**
   * Returns an object's counts on a day; undefined for a day without a report row. All counts are zero on the
   * day after the last day of delivery, as in TikTok's own reports.
   */
  on(object: Campaign | AdGroup | Ad, day: number): Counts | undefined;
  /** Returns the whole ad account's counts on a day; undefined for a day without a report row. */
  accountOn(day: number): Counts | undefined;
  /** Lists the days from `from` to `to` that have a report row, in order. */
  days(node: Node, from: number, to: number): number[];
}

/** Counts that are all zero. */
export const NO_COUNTS: Counts = COUNTS.map(() => 0);

/** The maximum number of cached results per level. Each is one object's counts on one day. */
const MAX_CACHED_DAYS = 20_000;

/** Creates an ad account's delivery data, which ends at the given hour of `today`. */
export function createDelivery({
  seed,
  advertiser,
  portfolio,
  today,
  hour,
}: {
  seed: number;
  advertiser: Advertiser;
  portfolio: Portfolio;
  today: number;
  hour: number;
}): Delivery {
  const accountCache = new Map<number, Counts | undefined>();
  const isActive = (node: Node, day: number): boolean =>
    node.isReported && day >= node.first && day <= Math.min(node.last, today);

  const campaignOn = cacheDays<Campaign>((campaign, day) => {
    const adCount = campaign.adGroups.reduce((sum, { ads }) => sum + ads.length, 0);
    const dayShare = day === today ? shareOfDay(hour) : 1;
    return drawCounts(campaign, day, adCount * seasonOf(day, seed) * dayShare, advertiser.costPerMille);
  });
  const groupOn = cacheDays<AdGroup>((group, day) =>
    portionOn(group, group.parent.adGroups, day, campaignOn(group.parent, day)),
  );

  /** Computes a child's part of its parent's counts, with weights that vary by day. */
  const portionOn = (node: Node, siblings: readonly Node[], day: number, whole: Counts): Counts => {
    let before = 0;
    let sum = 0;
    for (const sibling of siblings) {
      if (!isActive(sibling, day)) continue;
      if (sibling === node) before = sum;
      sum += integerAt(sibling.seed, day, 25, 100);
    }
    return partsOf(whole, before, integerAt(node.seed, day, 25, 100), sum);
  };

  const on: Delivery['on'] = (object, day) => {
    if (!isActive(object, day)) {
      return object.isReported && day === object.last + 1 && day <= today ? NO_COUNTS : undefined;
    }
    if ('adGroups' in object) return campaignOn(object, day);
    if ('ads' in object) return groupOn(object, day);
    return portionOn(object, object.parent.ads, day, groupOn(object.parent, day));
  };

  return {
    on,
    accountOn: day => {
      if (!accountCache.has(day)) {
        const counts = portfolio.campaign.flatMap(campaign => {
          const own = on(campaign, day);
          return own ? [own] : [];
        });
        accountCache.set(day, counts.length > 0 ? addUp(counts) : undefined);
      }
      return accountCache.get(day);
    },
    days: (node, from, to) =>
      node.isReported ? daysBetween(Math.max(from, node.first), Math.min(to, today, node.last + 1)) : [],
  };
}

/** Lists the days of a range, including both ends. */
export function daysBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
}

/** Caches the counts of the nodes of one level. */
function cacheDays<N extends Node>(make: (node: N, day: number) => Counts): typeof make {
  const cache = new Map<number, Counts>();
  return (node, day) => {
    const key = node.index * 32_768 + day;
    const known = cache.get(key);
    if (known) return known;
    if (cache.size >= MAX_CACHED_DAYS) cache.clear();
    const made = make(node, day);
    cache.set(key, made);
    return made;
  };
}

/** Generates a campaign's counts for one day. Each is a plausible share of the count that it depends on. */
function drawCounts(campaign: Node, day: number, size: number, costPerMille: number): Counts {
  const { seed } = campaign;
  const { result, objective_type } = objectiveOf(seed);
  const daySeed = mix(seed, day);
  const near = (place: number, middle: number): number => middle * (0.75 + 0.5 * unitAt(daySeed, place));

  const impressions = Math.round(size * (300 + 5000 * unitAt(seed, 31) ** 3) * near(1, 1)) + 40;
  const spend = Math.round((impressions / 1000) * near(2, costPerMille));
  const clicks = Math.round(impressions * near(3, 0.013));
  const plays = Math.round(impressions * (0.8 + 0.16 * unitAt(daySeed, 4)));
  const watched2s = Math.round(plays * near(5, 0.25));
  const watched6s = Math.round(watched2s * near(6, 0.29));
  const p25 = Math.round(plays * near(7, 0.2));
  const p50 = Math.round(p25 * near(8, 0.5));
  const p75 = Math.round(p50 * near(9, 0.53));
  const p100 = Math.round(p75 * near(10, 0.54));
  const likes = Math.round(plays * near(11, 0.009));
  const follows = Math.round(likes * near(12, 0.04));
  const installs = objective_type === 'APP_PROMOTION' ? Math.round(clicks * near(13, 0.18)) : 0;
  const isConverting = result === 'conversions';
  const conversions = isConverting ? Math.round(clicks * near(14, 0.03)) : 0;
  const results = { clicks, impressions, watched: watched6s, conversions, engagement: follows }[result];
  return [
    spend,
    impressions,
    clicks,
    plays,
    watched2s,
    watched6s,
    p25,
    p50,
    p75,
    p100,
    Math.round(plays * near(15, 23.5)),
    Math.round(likes * near(16, 0.16)),
    likes,
    Math.round(likes * near(17, 0.035)),
    Math.round(likes * near(18, 0.055)),
    follows,
    chanceAt(daySeed, 19, 0.1) ? Math.round(likes * 0.02) : 0,
    Math.round(installs * near(20, 0.93)),
    installs,
    conversions,
    Math.round(conversions * near(21, 0.96)),
    results,
    Math.round(results * near(22, 0.97)),
    chanceAt(seed, 13, 0.2) ? Math.round(conversions * near(23, 0.3)) : 0,
    chanceAt(daySeed, 24, 0.05) ? Math.round(spend * 0.1) : 0,
  ];
}

function shareOfDay(hour: number): number {
  const sum = (weights: readonly number[]): number => weights.reduce((total, weight) => total + weight, 0);
  return sum(HOUR_WEIGHTS.slice(0, hour)) / sum(HOUR_WEIGHTS);
}
