import { localTime } from '../advertising/calendar.ts';
import { mix } from '../advertising/noise.ts';
import type { Clock } from '../simulator/clock.ts';
import type { Random } from '../simulator/random.ts';
import type { Settings } from '../simulator/settings.ts';
import { ADVERTISERS, type Advertiser } from './advertisers.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createPortfolio, type Portfolio } from './portfolio.ts';

/** An ad account and its data, which is generated on first access. */
export interface Account {
  readonly advertiser: Advertiser;
  readonly seed: number;
  /** Today's day number in the account's time zone. Reports end on this day. */
  readonly today: number;
  readonly portfolio: Portfolio;
  readonly delivery: Delivery;
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
    const { ordinal, size } = advertiser;
    const seed = mix(random.fork(advertiser.id).integer(0, 0xffffffff), 0);
    const { day: today, hour } = localTime(clock.dataNow, advertiser.timeZone);
    const portfolio = createPortfolio({ seed, ordinal, adCount, today, isUniform: size === 'large' });
    const delivery = createDelivery({ seed, advertiser, portfolio, today, hour });
    return { advertiser, seed, today, portfolio, delivery };
  };

  return {
    advertisers,
    find: advertiserId => {
      const advertiser = advertisers().find(({ id }) => id === advertiserId);
      if (!advertiser) return undefined;
      const adCount = adCountOf(advertiser);
      const known = made.get(advertiserId);
      if (known?.portfolio.ad.length === adCount) return known;
      const account = make(advertiser, adCount);
      made.set(advertiserId, account);
      return account;
    },
  };
}
