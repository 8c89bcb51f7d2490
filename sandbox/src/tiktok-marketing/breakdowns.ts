import { partsOf } from '../advertising/split.ts';
import type { Counts } from './delivery.ts';

/** The simulated breakdown dimensions, each with the percentages of its values. */
export const BREAKDOWNS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  country_code: { US: 62, CA: 17, GB: 12, AU: 9 },
  ad_type: { AUCTION_STANDARD: 88, AUCTION_SPARK: 12 },
  gender: { FEMALE: 57, MALE: 40, NONE: 3 },
  age: { AGE_18_24: 34, AGE_25_34: 31, AGE_35_44: 18, AGE_45_54: 10, AGE_55_100: 6, NONE: 1 },
  platform: { IPHONE: 55, ANDROID: 43, OTHERS: 2 },
  placement: { TikTok: 91, Pangle: 9 },
  language: { en: 86, es: 10, fr: 4 },
  ac: { WIFI: 71, '4G': 18, '5G': 11 },
};

/** The breakdowns that BASIC reports support too, in addition to AUDIENCE reports. */
export const BASIC_BREAKDOWNS: readonly string[] = ['country_code', 'ad_type'];

/** Divides counts among the values of the breakdowns. The results add up to the original counts. */
export function divide(
  counts: Counts,
  breakdowns: readonly string[],
): { values: Record<string, string>; counts: Counts }[] {
  const [first, ...rest] = breakdowns;
  if (first === undefined) return [{ values: {}, counts }];
  let before = 0;
  return Object.entries(BREAKDOWNS[first] ?? {}).flatMap(([value, percent]) => {
    const part = partsOf(counts, before, percent, 100);
    before += percent;
    return divide(part, rest).map(deeper => ({
      values: { [first]: value, ...deeper.values },
      counts: deeper.counts,
    }));
  });
}
