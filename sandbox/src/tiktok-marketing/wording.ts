import { pickAt } from '../advertising/noise.ts';
import type { Advertiser } from './advertisers.ts';
import words from './wording.json' with { type: 'json' };

/** Returns the words of a small business, or those of a soap maker in the ad account's language. */
function wordsOf({ language, business }: Advertiser): Record<keyof (typeof words)['en'], readonly string[]> {
  if (!business) return words[language];
  const { themes, groups, texts } = business.ads;
  return { ...words.local, themes, groups, texts };
}

/** Returns the name of a campaign for this month. */
export function campaignName(advertiser: Advertiser, seed: number, month: string): string {
  const { themes, audiences } = wordsOf(advertiser);
  return `${pickAt(seed, 21, themes)} – ${pickAt(seed, 22, audiences)} ${month}`;
}

/** Returns the name of an ad group. */
export function adGroupName(advertiser: Advertiser, seed: number): string {
  return pickAt(seed, 23, wordsOf(advertiser).groups);
}

/** Returns the name of an ad. The version number distinguishes the ads in an ad group. */
export function adName(advertiser: Advertiser, seed: number, version: number): string {
  return `${pickAt(seed, 24, wordsOf(advertiser).hooks)} v${version}`;
}

/** Returns the text of an ad. */
export function adText(advertiser: Advertiser, seed: number, variant = 0): string {
  return pickAt(seed, 25 + variant, wordsOf(advertiser).texts);
}
