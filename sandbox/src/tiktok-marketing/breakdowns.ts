import { partsOf } from '../advertising/split.ts';
import type { Counts } from './delivery.ts';

interface Breakdown {
  /** Whether BASIC reports support the breakdown too, in addition to AUDIENCE reports. */
  readonly isBasic?: boolean;
  /** The breakdown's values and their shares. */
  readonly shares: readonly (readonly [value: string, weight: number])[];
}

/** The simulated breakdown dimensions. */
export const BREAKDOWNS: Readonly<Record<string, Breakdown>> = {
  country_code: {
    isBasic: true,
    shares: [
      ['US', 62],
      ['CA', 17],
      ['GB', 12],
      ['AU', 9],
    ],
  },
  ad_type: {
    isBasic: true,
    shares: [
      ['AUCTION_STANDARD', 88],
      ['AUCTION_SPARK', 12],
    ],
  },
  gender: {
    shares: [
      ['FEMALE', 57],
      ['MALE', 40],
      ['NONE', 3],
    ],
  },
  age: {
    shares: [
      ['AGE_18_24', 34],
      ['AGE_25_34', 31],
      ['AGE_35_44', 18],
      ['AGE_45_54', 10],
      ['AGE_55_100', 6],
      ['NONE', 1],
    ],
  },
  platform: {
    shares: [
      ['IPHONE', 55],
      ['ANDROID', 43],
      ['OTHERS', 2],
    ],
  },
  placement: {
    shares: [
      ['TikTok', 91],
      ['Pangle', 9],
    ],
  },
  language: {
    shares: [
      ['en', 86],
      ['es', 10],
      ['fr', 4],
    ],
  },
  ac: {
    shares: [
      ['WIFI', 71],
      ['4G', 18],
      ['5G', 11],
    ],
  },
};

/** Divides counts among the values of the breakdowns. The results add up to the original counts. */
export function divide(
  counts: Counts,
  breakdowns: readonly string[],
): { values: Record<string, string>; counts: Counts }[] {
  const [first, ...rest] = breakdowns;
  if (first === undefined) return [{ values: {}, counts }];
  const { shares } = BREAKDOWNS[first] ?? { shares: [] };
  const sum = shares.reduce((total, [, weight]) => total + weight, 0);
  let before = 0;
  return shares.flatMap(([value, weight]) => {
    const part = partsOf(counts, before, weight, sum);
    before += weight;
    return divide(part, rest).map(deeper => ({
      values: { [first]: value, ...deeper.values },
      counts: deeper.counts,
    }));
  });
}
