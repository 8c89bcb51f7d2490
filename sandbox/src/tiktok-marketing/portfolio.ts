import { chanceAt, integerAt, mix } from '../advertising/noise.ts';
import { buyingTypeOf, type BuyingType } from './objectives.ts';

/** A campaign, an ad group or an ad, with its parent and delivery period. */
export interface Node {
  readonly index: number;
  /** A 16-digit number that increases with the index, so newer nodes have higher ids. */
  readonly id: string;
  /** The seed from which the node's other fields are generated. */
  readonly seed: number;
  /** The parent's index; 0 for a campaign. */
  readonly parent: number;
  /** A Unix time in seconds. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  /**
   * The first and last day of delivery, as day numbers. `last` is Infinity while the node is still running.
   */
  readonly first: number;
  readonly last: number;
  /** Whether the node was deleted. Deleted nodes never delivered, so reports add up without them. */
  readonly isDeleted: boolean;
  /** How the node's campaign was bought. */
  readonly buyingType: BuyingType;
}

/** The three levels of an ad account, from top to bottom. */
export type Level = 'campaign' | 'adGroup' | 'ad';

/** All nodes of one level. */
export interface Generation {
  readonly count: number;
  at(index: number): Node;
  /** Returns the index of the node with this id; undefined for an unknown id. */
  find(id: string): number | undefined;
  /** Returns the index range of a node's children; `to` is exclusive. */
  childrenOf(index: number): { readonly from: number; readonly to: number };
}

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

/** The tree of an ad account. Stores only its shape (a few bytes per ad); nodes are created on access. */
export type Portfolio = Readonly<Record<Level, Generation>>;

/** The age of the oldest campaign. */
const ACCOUNT_AGE_DAYS = 420;
const DAY_SECONDS = 86_400;
const ID_BASES: Record<Level, number> = { campaign: 1_790_011e9, adGroup: 1_790_022e9, ad: 1_790_033e9 };
/** Each node's id is picked at random from a range of this size, so that ids do not look sequential. */
const ID_STEP = 7919;

/** Creates the tree of an ad account with exactly `adCount` ads. */
export function createPortfolio({ seed, ordinal, adCount, today, isUniform }: PortfolioPlan): Portfolio {
  const seeds = { campaign: mix(seed, 1), adGroup: mix(seed, 2), ad: mix(seed, 3) };
  const { groupStarts, adStarts, campaignCount, groupCount } = growTree(mix(seed, 4), adCount);
  const campaignOfGroup = parentsFrom(groupStarts, campaignCount, groupCount);
  const groupOfAd = parentsFrom(adStarts, groupCount, adCount);

  const idOf = (level: Level, index: number): number =>
    ID_BASES[level] + ordinal * 1e9 + index * ID_STEP + (mix(seeds[level], index) % ID_STEP);

  const generation = (
    level: Level,
    count: number,
    at: (index: number) => Node,
    starts?: Int32Array,
  ): Generation => ({
    count,
    at,
    find: id => {
      const index = Math.floor((Number(id) - ID_BASES[level] - ordinal * 1e9) / ID_STEP);
      return index >= 0 && index < count && String(idOf(level, index)) === id ? index : undefined;
    },
    childrenOf: index => ({ from: starts?.[index] ?? 0, to: starts?.[index + 1] ?? 0 }),
  });

  const campaignAt = (index: number): Node => {
    const own = mix(seeds.campaign, index);
    const created = today - ACCOUNT_AGE_DAYS + Math.floor((index * (ACCOUNT_AGE_DAYS - 1)) / campaignCount);
    const first = created + integerAt(own, 1, 1, 3);
    const isRunning = chanceAt(own, 2, 0.35);
    const last = isRunning ? Infinity : first + integerAt(own, 3, 10, 100);
    return {
      ...times(own, created, last, today),
      index,
      id: String(idOf('campaign', index)),
      seed: own,
      parent: 0,
      first,
      last: last >= today ? Infinity : last,
      isDeleted: !isUniform && chanceAt(own, 5, 0.04),
      buyingType: isUniform ? 'AUCTION' : buyingTypeOf(own),
    };
  };

  const childAt = (level: 'adGroup' | 'ad', index: number, parent: Node, isFirstChild: boolean): Node => {
    const own = mix(seeds[level], index);
    // The first child delivers whenever its parent does, so all of the parent's counts can be assigned.
    const window = isFirstChild ? parent : narrow(own, parent, today);
    return {
      ...times(own, Math.floor(parent.createdAt / DAY_SECONDS), window.last, today),
      index,
      id: String(idOf(level, index)),
      seed: own,
      parent: parent.index,
      first: window.first,
      last: window.last,
      isDeleted: parent.isDeleted || (!isUniform && !isFirstChild && chanceAt(own, 5, 0.03)),
      buyingType: parent.buyingType,
    };
  };

  const campaigns = cacheRecent(campaignAt);
  const adGroups = cacheRecent(index => {
    const campaign = campaignOfGroup[index] ?? 0;
    return childAt('adGroup', index, campaigns(campaign), groupStarts[campaign] === index);
  });
  const ads = cacheRecent(index => {
    const group = groupOfAd[index] ?? 0;
    return childAt('ad', index, adGroups(group), adStarts[group] === index);
  });
  return {
    campaign: generation('campaign', campaignCount, campaigns, groupStarts),
    adGroup: generation('adGroup', groupCount, adGroups, adStarts),
    ad: generation('ad', adCount, ads),
  };
}

/** Returns a node's campaign, or the node itself if it is a campaign. */
export function campaignAbove(portfolio: Portfolio, level: Level, node: Node): Node {
  if (level === 'campaign') return node;
  const group = level === 'ad' ? portfolio.adGroup.at(node.parent) : node;
  return portfolio.campaign.at(group.parent);
}

/** Caches the most recently created nodes, because siblings are read one after the other. */
function cacheRecent(make: (index: number) => Node): (index: number) => Node {
  const cache: (Node | undefined)[] = Array.from({ length: 64 });
  return index => {
    const slot = index % cache.length;
    const cached = cache[slot];
    if (cached?.index === index) return cached;
    return (cache[slot] = make(index));
  };
}

/** Adds one to five ad groups per campaign and one to seven ads per ad group until there are enough ads. */
function growTree(
  seed: number,
  adCount: number,
): { groupStarts: Int32Array; adStarts: Int32Array; campaignCount: number; groupCount: number } {
  const groupStarts = [0];
  const adStarts = [0];
  let ads = 0;
  while (ads < adCount) {
    const groups = integerAt(seed, groupStarts.length, 1, 5);
    for (let group = 0; group < groups && ads < adCount; group++) {
      ads = Math.min(adCount, ads + integerAt(~seed, adStarts.length, 1, 7));
      adStarts.push(ads);
    }
    groupStarts.push(adStarts.length - 1);
  }
  return {
    groupStarts: Int32Array.from(groupStarts),
    adStarts: Int32Array.from(adStarts),
    campaignCount: groupStarts.length - 1,
    groupCount: adStarts.length - 1,
  };
}

function parentsFrom(starts: Int32Array, parentCount: number, childCount: number): Int32Array {
  const parents = new Int32Array(childCount);
  for (let parent = 0; parent < parentCount; parent++)
    parents.fill(parent, starts[parent], starts[parent + 1]);
  return parents;
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
