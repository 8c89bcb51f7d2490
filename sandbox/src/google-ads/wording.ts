import { pickAt } from '../advertising/noise.ts';

/** The names of the labels in every account with campaigns. */
export const LABEL_NAMES: readonly string[] = [
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
const JAPANESE_MARKETS = ['全国', '関東', '関西', '九州'];

/** Generates a campaign name that is unique in its account. */
export function campaignName(seed: number, currency: string, month: string, index: number): string {
  const isJapanese = currency === 'JPY';
  const theme = pickAt(seed, 51, isJapanese ? JAPANESE_THEMES : THEMES);
  const market = pickAt(seed, 52, isJapanese ? JAPANESE_MARKETS : MARKETS);
  return index === 0
    ? `${isJapanese ? 'ブランド' : 'Brand'} – ${market}`
    : `${theme} – ${market} ${month} #${index + 1}`;
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
export function adGroupName(seed: number, currency: string, place: number): string {
  const name = pickAt(seed, 53, currency === 'JPY' ? JAPANESE_GROUPS : GROUPS);
  return place === 0 ? name : `${name} ${String.fromCharCode(65 + place)}`;
}
