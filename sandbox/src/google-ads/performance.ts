import { HOUR_WEIGHTS, seasonOf } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, unitAt } from '../advertising/noise.ts';
import { addOnto, partsOf } from '../advertising/split.ts';
import type { DateRange } from './date-range.ts';
import type { Ad, AdGroup, Campaign, World } from './world.ts';

/**
 * Counts in this order: impressions, clicks, cost in micros, conversions, conversion value in hundredths,
 * interactions.
 */
export type Counts = readonly number[];

/**
 * The counts for the smallest unit that a query distinguishes. Covers a whole day if hour and network are
 * absent.
 */
export interface Cell {
  readonly day: number;
  readonly hour: number | undefined;
  readonly network: string | undefined;
  readonly counts: Counts;
}

/**
 * The account, campaign, ad group or ad that a set of counts is for. The daily counts of its children add up
 * to its own.
 */
export type Subject =
  | { readonly kind: 'account'; readonly world: World }
  | { readonly kind: 'campaign'; readonly of: Campaign }
  | { readonly kind: 'adGroup'; readonly of: AdGroup }
  | { readonly kind: 'ad'; readonly of: Ad };

/** Which segments a day's counts are broken down by. */
export interface Cut {
  readonly byHour: boolean;
  readonly byNetwork: boolean;
}

/** The number of days that reports cover, up to today. */
const REPORT_DAYS = 400;

/** The last day with counts, and the hour up to which its counts are available. */
export interface Today {
  readonly day: number;
  readonly hour: number;
}

/** Lists a subject's cells with activity in the range, in chronological order. */
export function listCells(subject: Subject, range: DateRange, cut: Cut, today: Today): Cell[] {
  const from = Math.max(range.from, today.day - REPORT_DAYS);
  const to = Math.min(range.to, today.day);
  const cells: Cell[] = [];
  for (let day = from; day <= to; day++) cells.push(...cutDay(subject, day, cut, today));
  return cells;
}

function cutDay(subject: Subject, day: number, cut: Cut, today: Today): Cell[] {
  if (subject.kind === 'account' && (cut.byHour || cut.byNetwork)) {
    // Hours and networks differ by campaign, so the account's cells are the sums of its campaigns' cells.
    const parts = subject.world.campaigns.map((of): Subject => ({ kind: 'campaign', of }));
    return sumCells(parts.flatMap(part => cutDay(part, day, cut, today)));
  }
  const counts = countsOn(subject, day, today);
  if (!counts) return [];
  const whole: Cell = { day, hour: undefined, network: undefined, counts };
  const cells = subject.kind === 'account' ? [whole] : cutCell(whole, campaignOf(subject), cut);
  return cells.filter(cell => cell.counts.some(count => count > 0));
}

/** Breaks a day's counts down by the campaign's networks and hours. */
function cutCell(whole: Cell, campaign: Campaign, { byHour, byNetwork }: Cut): Cell[] {
  const networks = byNetwork
    ? networksOf(campaign).map(({ network, before, weight }): Cell => {
        return { ...whole, network, counts: partsOf(whole.counts, before, weight, 100) };
      })
    : [whole];
  if (!byHour) return networks;
  return networks.flatMap(cell =>
    cutHours(campaign, cell.counts).map((part): Cell => ({ ...cell, ...part })),
  );
}

function campaignOf(subject: Exclude<Subject, { kind: 'account' }>): Campaign {
  switch (subject.kind) {
    case 'campaign':
      return subject.of;
    case 'adGroup':
      return subject.of.campaign;
    case 'ad':
      return subject.of.adGroup.campaign;
  }
}

function countsOn(subject: Subject, day: number, today: Today): Counts | undefined {
  switch (subject.kind) {
    case 'account':
      return accountOn(subject.world, day, today);
    case 'campaign':
      return campaignOn(subject.of, day, today);
    case 'adGroup':
      return adGroupOn(subject.of, day, today);
    case 'ad': {
      const whole = adGroupOn(subject.of.adGroup, day, today);
      return whole && portion(subject.of, subject.of.adGroup.ads, day, whole);
    }
  }
}

function accountOn({ campaigns }: World, day: number, today: Today): Counts {
  const sums: number[] = [];
  for (const campaign of campaigns) addOnto(sums, campaignOn(campaign, day, today) ?? []);
  return sums;
}

function adGroupOn(adGroup: AdGroup, day: number, today: Today): Counts | undefined {
  const whole = campaignOn(adGroup.campaign, day, today);
  return whole && portion(adGroup, adGroup.campaign.adGroups, day, whole);
}

/** Computes a child's part of its parent's counts, with weights that vary by day. */
function portion<T extends AdGroup | Ad>(
  one: T,
  siblings: readonly T[],
  day: number,
  whole: Counts,
): Counts | undefined {
  if (!one.delivers) return undefined;
  let before = 0;
  let sum = 0;
  for (const sibling of siblings) {
    if (!sibling.delivers) continue;
    if (sibling === one) before = sum;
    sum += weightOn(sibling, day);
  }
  return partsOf(whole, before, weightOn(one, day), sum);
}

function weightOn({ seed }: AdGroup | Ad, day: number): number {
  return integerAt(seed, day, 20, 100);
}

function campaignOn(campaign: Campaign, day: number, today: Today): Counts | undefined {
  if (day < campaign.first || day > Math.min(campaign.last, today.day)) return undefined;
  const { seed } = campaign;
  const daySeed = mix(seed, day);
  const near = (place: number, middle: number): number => middle * (0.75 + 0.5 * unitAt(daySeed, place));
  const share = day === today.day ? today.hour / 24 : 1;
  const size = 40 + 1800 * unitAt(seed, 501) ** 3;
  const impressions = Math.round(size * seasonOf(day, seed) * share);
  const clicks = Math.round(impressions * near(2, 0.02 + 0.06 * unitAt(seed, 502)));
  const cost = Math.round(clicks * near(3, 200_000 + 900_000 * unitAt(seed, 503)));
  const conversions = Math.round(clicks * near(4, 100 * (0.02 + 0.06 * unitAt(seed, 504))));
  return [
    impressions,
    clicks,
    cost,
    conversions,
    Math.round(conversions * near(5, 20 + 40 * unitAt(seed, 505))),
    clicks,
  ];
}

function networksOf({ seed, values }: Campaign): { network: string; before: number; weight: number }[] {
  switch (String(values['advertising_channel_type'])) {
    case 'DISPLAY':
      return [{ network: 'CONTENT', before: 0, weight: 100 }];
    case 'VIDEO':
    case 'DEMAND_GEN':
      return [{ network: 'YOUTUBE', before: 0, weight: 100 }];
    case 'PERFORMANCE_MAX':
      return [{ network: 'MIXED', before: 0, weight: 100 }];
    default: {
      const search = chanceAt(seed, 506, 0.35) ? 88 : 100;
      const partners = { network: 'SEARCH_PARTNERS', before: search, weight: 100 - search };
      return [{ network: 'SEARCH', before: 0, weight: search }, ...(search < 100 ? [partners] : [])];
    }
  }
}

/** Divides a day's counts among the hours for which the campaign is scheduled. */
function cutHours({ seed }: Campaign, counts: Counts): { hour: number; counts: Counts }[] {
  const start = chanceAt(seed, 507, 0.2) ? 0 : integerAt(seed, 508, 5, 12);
  const hours = HOUR_WEIGHTS.slice(start, start + integerAt(seed, 509, 3, 10));
  const sum = hours.reduce<number>((total, weight) => total + weight, 0);
  let before = 0;
  return hours.map((weight, place) => {
    const part = partsOf(counts, before, weight, sum);
    before += weight;
    return { hour: start + place, counts: part };
  });
}

function sumCells(cells: readonly Cell[]): Cell[] {
  const sums = new Map<string, { cell: Cell; counts: number[] }>();
  for (const cell of cells) {
    const key = `${cell.hour ?? ''} ${cell.network ?? ''}`;
    const known = sums.get(key) ?? { cell, counts: [] };
    addOnto(known.counts, cell.counts);
    sums.set(key, known);
  }
  return [...sums.values()].map(({ cell, counts }) => ({ ...cell, counts }));
}
