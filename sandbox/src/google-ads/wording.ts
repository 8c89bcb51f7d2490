import { pickAt } from '../advertising/noise.ts';
import type { Customer } from './customers.ts';
import words from './wording.json' with { type: 'json' };

/** The words in the names of an account's campaigns and ad groups, and where its ads lead. */
type AdWords = ReturnType<typeof adWordsOf>;

/** Returns the words of a small business, or those of a soap maker. */
export function adWordsOf({ business, currency }: Pick<Customer, 'business' | 'currency'>) {
  if (business) {
    const { domain, ads } = business;
    return { ...words.business, ...ads, domain };
  }
  return currency === 'JPY' ? { ...words.soap, ...words.japanese } : words.soap;
}

/** Generates a campaign name that is unique in its account. */
export function campaignName(words: AdWords, seed: number, month: string, index: number): string {
  const theme = pickAt(seed, 51, words.themes);
  const market = pickAt(seed, 52, words.markets);
  return index === 0 ? `${words.brand} – ${market}` : `${theme} – ${market} ${month} #${index + 1}`;
}

/** Generates an ad group name that is unique in its campaign. */
export function adGroupName(words: AdWords, seed: number, place: number): string {
  const name = pickAt(seed, 53, words.groups);
  return place === 0 ? name : `${name} ${String.fromCharCode(65 + place)}`;
}
