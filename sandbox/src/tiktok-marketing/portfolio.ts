import { chanceAt, integerAt, mix } from '../advertising/noise.ts';
import { buyingTypeOf } from './objectives.ts';

/** A campaign, an ad group or an ad, with its delivery period. */
export interface Node {
  readonly index: number;
  /** A 16-digit number that increases with the index, so newer nodes have higher ids. */
  readonly id: string;
  /** The seed from which the node's other fields are generated. */
  readonly seed: number;
  /** A Unix time in seconds. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  /**
   * The first and last day of delivery, as day numbers. `last` is Infinity while the node is still running.
   */
  readonly first: number;
  readonly last: number;
  /** Whether lists include the node: it was neither deleted nor bought as TopView. */
  readonly isListed: boolean;
  /** Whether reports include the node: it was not deleted, and it was bought by auction. */
  readonly isReported: boolean;
}

export interface Campaign extends Node {
  readonly adGroups: AdGroup[];
}

export interface AdGroup extends Node {
  readonly parent: Campaign;
  readonly ads: Ad[];
}

export interface Ad extends Node {
  readonly parent: AdGroup;
}

/** All nodes of an ad account by level, oldest first. */
export interface Portfolio {
  readonly campaign: Campaign[];
  readonly adGroup: AdGroup[];
  readonly ad: Ad[];
}

/** The three levels of an ad account, from top to bottom. */
export type Level = keyof Portfolio;

/** Options for a portfolio. */
export interface PortfolioPlan {
  readonly seed: number;
  /** A unique number below 10, which keeps ids distinct across ad accounts. */
  readonly ordinal: number;
  readonly adCount: number;
  /** The last day with data, in days since 1970. */
  readonly today: number;
  /** Whether nothing is deleted and everything is bought by auction, so that every ad is in every list. */
  readonly isUniform: boolean;
}

/** The age of the oldest campaign. */
const ACCOUNT_AGE_DAYS = 420;
const DAY_SECONDS = 86_400;
const ID_BASES: Record<Level, number> = { campaign: 1_790_011e9, adGroup: 1_790_022e9, ad: 1_790_033e9 };
/** Each node's id is picked at random from a range of this size, so that ids do not look sequential. */
const ID_STEP = 7919;

/** Creates the tree of an ad account with exactly `adCount` ads. */
export function createPortfolio({ seed, ordinal, adCount, today, isUniform }: PortfolioPlan): Portfolio {
  const seeds = { campaign: mix(seed, 1), adGroup: mix(seed, 2), ad: mix(seed, 3) };
  const portfolio: Portfolio = { campaign: [], adGroup: [], ad: [] };
  const shape = growShape(mix(seed, 4), adCount);

  const identify = (level: Level): Pick<Node, 'index' | 'seed' | 'id'> => {
    const index = portfolio[level].length;
    const own = mix(seeds[level], index);
    const id = ID_BASES[level] + ordinal * 1e9 + index * ID_STEP + (own % ID_STEP);
    return { index, seed: own, id: String(id) };
  };

  const makeCampaign = (): Campaign => {
    const identity = identify('campaign');
    const { index, seed: own } = identity;
    const created = today - ACCOUNT_AGE_DAYS + Math.floor((index * (ACCOUNT_AGE_DAYS - 1)) / shape.length);
    const first = created + integerAt(own, 1, 1, 3);
    const end = chanceAt(own, 2, 0.35) ? Infinity : first + integerAt(own, 3, 10, 100);
    const last = end >= today ? Infinity : end;
    const isDeleted = !isUniform && chanceAt(own, 5, 0.04);
    const buyingType = isUniform ? 'AUCTION' : buyingTypeOf(own);
    return {
      ...identity,
      ...times(own, created, last, today),
      first,
      last,
      isListed: !isDeleted && buyingType !== 'RESERVATION_TOP_VIEW',
      isReported: !isDeleted && buyingType === 'AUCTION',
      adGroups: [],
    };
  };

  const makeChild = (level: 'adGroup' | 'ad', parent: Node, isFirst: boolean): Node => {
    const identity = identify(level);
    // The first child delivers whenever its parent does, so all of the parent's counts can be assigned.
    const { first, last } = isFirst ? parent : narrow(identity.seed, parent, today);
    const isDeleted = !isUniform && !isFirst && chanceAt(identity.seed, 5, 0.03);
    return {
      ...identity,
      ...times(identity.seed, Math.floor(parent.createdAt / DAY_SECONDS), last, today),
      first,
      last,
      isListed: parent.isListed && !isDeleted,
      isReported: parent.isReported && !isDeleted,
    };
  };

  for (const adCounts of shape) {
    const campaign = makeCampaign();
    portfolio.campaign.push(campaign);
    for (const count of adCounts) {
      const isFirstGroup = campaign.adGroups.length === 0;
      const adGroup = { ...makeChild('adGroup', campaign, isFirstGroup), parent: campaign, ads: [] as Ad[] };
      campaign.adGroups.push(adGroup);
      portfolio.adGroup.push(adGroup);
      for (let place = 0; place < count; place++) {
        const ad = { ...makeChild('ad', adGroup, place === 0), parent: adGroup };
        adGroup.ads.push(ad);
        portfolio.ad.push(ad);
      }
    }
  }
  return portfolio;
}

/**
 * Returns the number of ads of each ad group of each campaign: one to five ad groups per campaign and one to seven
 * ads per ad group, until there are enough ads.
 */
function growShape(seed: number, adCount: number): number[][] {
  const campaigns: number[][] = [];
  let groupCount = 0;
  for (let ads = 0; ads < adCount;) {
    const groups: number[] = [];
    const wanted = integerAt(seed, campaigns.length + 1, 1, 5);
    while (groups.length < wanted && ads < adCount) {
      groupCount += 1;
      const count = Math.min(adCount - ads, integerAt(~seed, groupCount, 1, 7));
      groups.push(count);
      ads += count;
    }
    campaigns.push(groups);
  }
  return campaigns;
}

/** Returns a part of the parent's delivery period that starts later and sometimes ends early. */
function narrow(own: number, parent: Node, today: number): { first: number; last: number } {
  const end = Math.min(parent.last, today);
  const first = Math.max(parent.first, Math.min(parent.first + integerAt(own, 6, 0, 12), end));
  if (!chanceAt(own, 7, 0.3)) return { first, last: parent.last };
  const last = first + integerAt(own, 8, 3, 40);
  return { first, last: last < end ? last : parent.last };
}

function times(
  own: number,
  createdDay: number,
  last: number,
  today: number,
): { createdAt: number; modifiedAt: number } {
  const createdAt = createdDay * DAY_SECONDS + integerAt(own, 9, 6 * 3600, 20 * 3600);
  const latest = Math.min(last, today - 1) * DAY_SECONDS;
  return { createdAt, modifiedAt: Math.max(createdAt, latest - integerAt(own, 10, 0, 9 * DAY_SECONDS)) };
}
