import { HOUR_WEIGHTS, seasonOf } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, unitAt } from '../advertising/noise.ts';
import { addOnto, partsOf } from '../advertising/split.ts';
import type { Advertiser } from './advertisers.ts';
import { objectiveOf } from './objectives.ts';
import type { Level, Node, Portfolio } from './portfolio.ts';

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
  on(level: Level, index: number, day: number): Counts | undefined;
  /** Returns the whole ad account's counts on a day; undefined for a day without a report row. */
  accountOn(day: number): Counts | undefined;
  /** Lists the days from `from` to `to` that have a report row, in order. */
  days(level: Level, index: number, from: number, to: number): number[];
}

/** Counts that are all zero. */
export const NO_COUNTS: Counts = COUNTS.map(() => 0);

/** The maximum number of cached results per level. Each is one object's counts on one day. */
const MAX_CACHED_DAYS = 20_000;

/** Creates an ad account's delivery data, which ends at the given hour of `today`. */
export function createDelivery(account: {
  seed: number;
  advertiser: Advertiser;
  portfolio: Portfolio;
  today: number;
  hour: number;
}): Delivery {
  const { seed, advertiser, portfolio, today, hour } = account;
  const accountCache = new Map<number, Counts>();
  const caches = { campaign: new Map<number, Counts>(), adGroup: new Map<number, Counts>() };

  const ends = (node: Node): number => Math.min(node.last, today);
  const isActive = (node: Node, day: number): boolean =>
    !node.isDeleted && day >= node.first && day <= ends(node);
  const isAuctioned = (node: Node): boolean => node.buyingType === 'AUCTION';
  const cachedCounts = (
    level: 'campaign' | 'adGroup',
    index: number,
    day: number,
    make: () => Counts,
  ): Counts => {
    const cache = caches[level];
    const key = index * 32_768 + (day % 32_768);
    const cached = cache.get(key);
    if (cached) return cached;
    if (cache.size >= MAX_CACHED_DAYS) cache.clear();
    const made = make();
    cache.set(key, made);
    return made;
  };

  const campaignOn = (campaign: Node, day: number): Counts =>
    cachedCounts('campaign', campaign.index, day, () => {
      const groups = portfolio.campaign.childrenOf(campaign.index);
      const adCount =
        portfolio.adGroup.childrenOf(groups.to - 1).to - portfolio.adGroup.childrenOf(groups.from).from;
      const dayShare = day === today ? shareOfDay(hour) : 1;
      return drawCounts(campaign, day, adCount * seasonOf(day, seed) * dayShare, advertiser.costPerMille);
    });

  /** Computes a child's part of its parent's counts, with weights that vary by day. */
  const portionOn = (level: 'adGroup' | 'ad', node: Node, day: number, whole: Counts): Counts => {
    const siblings = portfolio[level === 'ad' ? 'adGroup' : 'campaign'].childrenOf(node.parent);
    let before = 0;
    let sum = 0;
    for (let index = siblings.from; index < siblings.to; index++) {
      const sibling = portfolio[level].at(index);
      if (!isActive(sibling, day)) continue;
      if (index === node.index) before = sum;
      sum += integerAt(sibling.seed, day, 25, 100);
    }
    return partsOf(whole, before, integerAt(node.seed, day, 25, 100), sum);
  };

  const groupOn = (group: Node, day: number): Counts =>
    cachedCounts('adGroup', group.index, day, () =>
      portionOn('adGroup', group, day, campaignOn(portfolio.campaign.at(group.parent), day)),
    );

  const activeOn = (level: Level, node: Node, day: number): Counts => {
    switch (level) {
      case 'campaign':
        return campaignOn(node, day);
      case 'adGroup':
        return groupOn(node, day);
      case 'ad':
        return portionOn('ad', node, day, groupOn(portfolio.adGroup.at(node.parent), day));
    }
  };

  const on: Delivery['on'] = (level, index, day) => {
    const node = portfolio[level].at(index);
    if (node.isDeleted || !isAuctioned(node)) return undefined;
    if (isActive(node, day)) return activeOn(level, node, day);
    return day === node.last + 1 && day <= today ? NO_COUNTS : undefined;
  };

  return {
    on,
    accountOn: day => {
      const cached = accountCache.get(day);
      if (cached) return cached.length > 0 ? cached : undefined;
      const sums: number[] = [];
      for (let index = 0; index < portfolio.campaign.count; index++) {
        const counts = on('campaign', index, day);
        if (counts) addOnto(sums, counts);
      }
      accountCache.set(day, sums);
      return sums.length > 0 ? sums : undefined;
    },
    days: (level, index, from, to) => {
      const node = portfolio[level].at(index);
      if (node.isDeleted || !isAuctioned(node)) return [];
      const first = Math.max(from, node.first);
      const last = Math.min(to, today, node.last + 1);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
    },
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
