import { HOUR_WEIGHTS, seasonOf } from '../advertising/calendar.ts';
import { chanceAt, integerAt, mix, unitAt } from '../advertising/noise.ts';
import { addUp, partsOf } from '../advertising/split.ts';
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
export type Subject = World | Campaign | AdGroup | Ad;

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
  if ('campaigns' in subject && (cut.byHour || cut.byNetwork)) {
    // Hours and networks differ by campaign, so the account's cells are the sums of its campaigns' cells.
    return sumCells(subject.campaigns.flatMap(campaign => cutDay(campaign, day, cut, today)));
  }
  const counts = countsOn(subject, day, today);
  if (!counts) return [];
  const whole: Cell = { day, hour: undefined, network: undefined, counts };
  const cells = 'campaigns' in subject ? [whole] : cutCell(whole, campaignOf(subject), cut);
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

function campaignOf(subject: Campaign | AdGroup | Ad): Campaign {
  if ('adGroups' in subject) return subject;
  return 'campaign' in subject ? subject.campaign : subject.adGroup.campaign;
}

function countsOn(subject: Subject, day: number, today: Today): Counts | undefined {
  if ('campaigns' in subject)
    return addUp(subject.campaigns.map(campaign => campaignOn(campaign, day, today) ?? []));
  if ('adGroups' in subject) return campaignOn(subject, day, today);
  const [parent, siblings] =
    'campaign' in subject
      ? [subject.campaign, subject.campaign.adGroups]
      : [subject.adGroup, subject.adGroup.ads];
  const whole = countsOn(parent, day, today);
  return whole && portion(subject, siblings, day, whole);
}

/** Computes a child's part of its parent's counts, with weights that vary by day. */
function portion(
  child: AdGroup | Ad,
  siblings: readonly (AdGroup | Ad)[],
  day: number,
  whole: Counts,
): Counts | undefined {
  if (!child.delivers) return undefined;
  let before = 0;
  let sum = 0;
  for (const sibling of siblings) {
    if (!sibling.delivers) continue;
    if (sibling === child) before = sum;
    sum += weightOn(sibling, day);
  }
  return partsOf(whole, before, weightOn(child, day), sum);
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
  const groups = Map.groupBy(cells, ({ hour, network }) => `${hour ?? ''} ${network ?? ''}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, counts: addUp([first, ...others].map(({ counts }) => counts)) }] : [],
  );
}
