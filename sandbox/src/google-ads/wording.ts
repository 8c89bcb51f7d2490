import { pickAt } from '../advertising/noise.ts';
import type { Customer } from './customers.ts';

/** The names of the labels in the accounts of the soap maker. */
const LABEL_NAMES: readonly string[] = [
  'core',
  'seasonal',
  'brand',
  'generic',
  'competitor',
  'test',
  'q1 push',
  'q2 push',
  'holiday 2025',
  'black friday',
  'do not touch',
  'agency',
  'in-house',
  'NL',
  'DE – Österreich',
  'Île-de-France',
  '日本',
  'low margin',
  'high ROAS 🚀',
  'new product',
  'clearance',
  'mobile only',
  'remarketing',
  'experiment A',
  'experiment B',
  'over budget',
  'needs review',
  'legal ✓',
  'evergreen',
  'launch',
  'B2B',
  'wholesale',
  'gift guide',
  'refill club',
  'to delete',
];

const THEMES = [
  'Brand',
  'Generic soap',
  'Refill',
  'Gift box',
  'Competitors',
  'Shopping all',
  'Remarketing',
  'PMax',
  'YouTube',
  'Düfte',
  'Savon d’hiver',
];
const MARKETS = ['NL', 'DE', 'AT & CH', 'BE', 'FR', 'UK', 'US', 'ES', 'Nordics'];
const JAPANESE_THEMES = ['ブランド', '石鹸', '詰め替え', 'ギフト', 'リマーケティング'];
/** What a small business has instead of labels for countries and for soap. */
const LOCAL_LABELS: Readonly<Record<string, string>> = {
  NL: 'north side',
  'DE – Österreich': 'delivery',
  'Île-de-France': 'city centre',
  日本: 'regulars',
  'refill club': 'loyalty card',
};
const LOCAL_MARKETS = ['city', '5 km', '20 km', 'commuters', 'weekend'];
const JAPANESE_MARKETS = ['全国', '関東', '関西', '九州'];

/** The words in the names of an account's campaigns and ad groups, and where its ads lead. */
interface AdWords {
  readonly brand: string;
  readonly themes: readonly string[];
  readonly markets: readonly string[];
  readonly groups: readonly string[];
  readonly labels: readonly string[];
  readonly domain: string;
  readonly paths: readonly string[];
}

/** Returns the words of a small business, or those of a soap maker. */
export function adWordsOf({ business, currency }: Pick<Customer, 'business' | 'currency'>): AdWords {
  const site = {
    labels: LABEL_NAMES,
    domain: 'tidewater.example',
    paths: ['refill', 'soap', 'sale', 'gift', 'über-uns'],
  };
  if (business) {
    const { domain, ads } = business;
    return {
      brand: 'Brand',
      themes: ads.themes,
      markets: LOCAL_MARKETS,
      groups: ads.groups,
      labels: LABEL_NAMES.map(name => LOCAL_LABELS[name] ?? name),
      domain,
      paths: ads.paths,
    };
  }
  return currency === 'JPY'
    ? {
        brand: 'ブランド',
        themes: JAPANESE_THEMES,
        markets: JAPANESE_MARKETS,
        groups: JAPANESE_GROUPS,
        ...site,
      }
    : { brand: 'Brand', themes: THEMES, markets: MARKETS, groups: GROUPS, ...site };
}

/** Generates a campaign name that is unique in its account. */
export function campaignName(words: AdWords, seed: number, month: string, index: number): string {
  const theme = pickAt(seed, 51, words.themes);
  const market = pickAt(seed, 52, words.markets);
  return index === 0 ? `${words.brand} – ${market}` : `${theme} – ${market} ${month} #${index + 1}`;
}

const GROUPS = [
  'Soap bars exact',
  'Refill generic',
  'Gift broad',
  'Competitor names',
  'Vegan soap',
  'Zero waste',
  'Hände & Körper',
  'Long tail',
];
const JAPANESE_GROUPS = ['石鹸 完全一致', '詰め替え 部分一致', 'ギフト', '競合'];

/** Generates an ad group name that is unique in its campaign. */
export function adGroupName(words: AdWords, seed: number, place: number): string {
  const name = pickAt(seed, 53, words.groups);
  return place === 0 ? name : `${name} ${String.fromCharCode(65 + place)}`;
}
