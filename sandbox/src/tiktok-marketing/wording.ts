import { pickAt } from '../advertising/noise.ts';
import type { Advertiser } from './advertisers.ts';

interface Words {
  readonly themes: readonly string[];
  readonly audiences: readonly string[];
  readonly groups: readonly string[];
  readonly hooks: readonly string[];
  readonly texts: readonly string[];
}

const WORDS: Record<'en' | 'de' | 'ja', Words> = {
  en: {
    themes: [
      'Spring refill',
      'Soap bars',
      'Starter kit',
      'Holiday gift box',
      'Retarget 30d',
      'App push',
      'Citrus launch',
      'Back to school',
      'Black Friday',
      'Evergreen',
    ],
    audiences: ['prospecting', 'retargeting', 'lookalike 1%', 'broad', 'creators', 'winback'],
    groups: [
      'US 25-44 broad',
      'US lookalike 1%',
      'iOS installs',
      'Android installs',
      'Skincare interest',
      'Cart 14d',
      'Moms 30+',
      'Gen Z – unboxing',
    ],
    hooks: [
      'hook A',
      'hook B',
      'still',
      'smart creative',
      'UGC testimonial 🧼',
      'founder story',
      'price tag',
      'before/after',
      'ASMR lather 🫧',
    ],
    texts: [
      "Refill, don't rebuy\nFree shipping",
      'One bar, three months.',
      'Smells like the sea 🌊',
      'The pouch that replaced our bottle',
      'Last days: 20% off',
      'You asked, we made it: “unscented”',
    ],
  },
  de: {
    themes: [
      'Frühjahrsputz',
      'Nachfüllbeutel',
      'Geschenkbox',
      'Weihnachten',
      'Rückgewinnung',
      'Neukunden',
      'Zitrus-Start',
      'Dauerläufer',
    ],
    audiences: ['Prospecting', 'Retargeting', 'ähnliche 1 %', 'breit', 'Österreich', 'Süd'],
    groups: [
      'DE 25–44 breit',
      'AT & CH',
      'Warenkorb 14 Tage',
      'Hautpflege',
      'Eltern 30+',
      'Ähnliche Käufer 1 %',
    ],
    hooks: [
      'Aufhänger A',
      'Aufhänger B',
      'Standbild',
      'Kundenstimme 🧼',
      'Gründerin erzählt',
      'Vorher/Nachher',
    ],
    texts: [
      'Nachfüllen statt neu kaufen',
      'Ein Stück, drei Monate.',
      'Riecht nach Meer – nicht nach „Frische“',
      'Nur noch heute: −20 %',
    ],
  },
  ja: {
    themes: ['春の詰め替え', '石鹸バー', 'ギフトボックス', 'リターゲティング', '新規獲得', '夏の新作'],
    audiences: ['全国', '関東', '類似 1%', '再訪'],
    groups: ['女性 25-44', '類似 購入者', 'スキンケア関心', 'カート放棄 14日'],
    hooks: ['動画A', '動画B', '静止画', 'お客様の声 🧼', '使用前後'],
    texts: ['詰め替えて、つづける。', '海の香り 🌊', '今だけ20%オフ', '一個で三か月'],
  },
};

/** Returns the words of a small business, or those of a soap maker in the ad account's language. */
function wordsOf({ language, business }: Advertiser): Words {
  if (!business) return WORDS[language];
  const { themes, groups, texts } = business.ads;
  const hooks = ['hook A', 'hook B', 'still', 'customer story', 'founder story', 'price tag', 'before/after'];
  return { themes, audiences: WORDS.en.audiences, groups, hooks, texts };
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
