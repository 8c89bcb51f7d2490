import { localTime } from '../advertising/calendar.ts';
import { mix } from '../advertising/noise.ts';
import type { Clock } from '../simulator/clock.ts';
import { memoize } from '../simulator/memoize.ts';
import type { Random } from '../simulator/random.ts';
import type { Settings } from '../simulator/settings.ts';
import { ADVERTISERS, type Advertiser } from './advertisers.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import {
  campaignAbove,
  createPortfolio,
  type Generation,
  type Level,
  type Node,
  type Portfolio,
} from './portfolio.ts';

/** An ad account and its data, which is generated on first access. */
export interface Account {
  readonly advertiser: Advertiser;
  readonly seed: number;
  /** Today's day number in the account's time zone. Reports end on this day. */
  readonly today: number;
  readonly portfolio: Portfolio;
  readonly delivery: Delivery;
  campaignOf(level: Level, node: Node): Node;
  /**
   * Returns the indexes of the nodes in an unfiltered list, newest first. Excludes deleted nodes and nodes in
   * TopView campaigns.
   */
  listed(level: Level): Int32Array;
  /**
   * Returns the indexes of the nodes in an unfiltered report, newest first. Excludes deleted nodes and nodes
   * in reservation campaigns.
   */
  reported(level: Level): Int32Array;
}

/** The simulated ad accounts. */
export interface Accounts {
  /** Lists the ad accounts. Includes the large one only if its size setting is above 0. */
  advertisers(): readonly Advertiser[];
  /** Finds an ad account by id; returns undefined for an unknown id. */
  find(advertiserId: string): Account | undefined;
}

/** The name of the setting for the number of ads in the large ad account. 0 means that it does not exist. */
export const LARGE_ADVERTISER_ADS = 'largeAdvertiserAds';

export function createAccounts(random: Random, clock: Clock, settings: Settings): Accounts {
  const made = new Map<string, Account>();

  const adCountOf = ({ size }: Advertiser): number =>
    size === 'large' ? Math.max(0, Math.floor(settings.number(LARGE_ADVERTISER_ADS))) : size;
  const advertisers = (): readonly Advertiser[] =>
    ADVERTISERS.filter(advertiser => advertiser.size !== 'large' || adCountOf(advertiser) > 0);

  const make = (advertiser: Advertiser, adCount: number): Account => {
    const seed = mix(random.fork(advertiser.id).integer(0, 0xffffffff), 0);
    const { day: today, hour } = localTime(clock.dataNow, advertiser.timeZone);
    const portfolio = createPortfolio({
      seed,
      ordinal: advertiser.ordinal,
      adCount,
      today,
      isUniform: advertiser.size === 'large',
    });
    const delivery = createDelivery({ seed, advertiser, portfolio, today, hour });
    const campaignOf = (level: Level, node: Node): Node => campaignAbove(portfolio, level, node);
    return {
      advertiser,
      seed,
      today,
      portfolio,
      delivery,
      campaignOf,
      listed: memoize(
        level => select(portfolio[level], ({ buyingType }) => buyingType !== 'RESERVATION_TOP_VIEW'),
        level => level,
      ),
      reported: memoize(
        level => select(portfolio[level], ({ buyingType }) => buyingType === 'AUCTION'),
        level => level,
      ),
    };
  };

  return {
    advertisers,
    find: advertiserId => {
      const advertiser = advertisers().find(({ id }) => id === advertiserId);
      if (!advertiser) return undefined;
      const adCount = adCountOf(advertiser);
      const known = made.get(advertiserId);
      if (known?.portfolio.ad.count === adCount) return known;
      const account = make(advertiser, adCount);
      made.set(advertiserId, account);
      return account;
    },
  };
}

/** Returns the indexes of the matching nodes that are not deleted, newest first. */
function select(nodes: Generation, fits: (node: Node) => boolean): Int32Array {
  const indexes = new Int32Array(nodes.count);
  let length = 0;
  for (let index = nodes.count - 1; index >= 0; index--) {
    const node = nodes.at(index);
    if (!node.isDeleted && fits(node)) indexes[length++] = index;
  }
  return indexes.subarray(0, length);
}
