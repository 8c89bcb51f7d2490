import { BUSINESSES, type Business } from '../invented/businesses.ts';
import data from './advertisers.json' with { type: 'json' };

/** A simulated ad account and its owner. */
export interface Advertiser {
  /** A 19-digit number, which exceeds 2^53. */
  readonly id: string;
  /** A unique number below 10, which keeps campaign ids distinct across ad accounts. */
  readonly ordinal: number;
  readonly name: string;
  /** The email address of the ad account's owner. */
  readonly owner: string;
  readonly currency: string;
  /** The number of decimal places in amounts. */
  readonly decimals: number;
  /** The cost of a thousand impressions in the currency's smallest unit. */
  readonly costPerMille: number;
  readonly timeZone: string;
  readonly language: 'en' | 'de' | 'ja';
  /** The number of ads. `large` means that the `largeAdvertiserAds` setting determines the number. */
  readonly size: number | 'large';
  /** The other fields of the advertiser's record. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** The small business whose account it is. Absent for the others, which sell soap or coffee. */
  readonly business?: Business;
}

/** The email addresses of the ad accounts' owners. */
export const OWNERS = { marketing: 'marketing@tidewater.example', harbour: 'jo@harbour.example' } as const;

const MASKED = { email: 't***@*******', cellphone_number: '+1202****43', contacter: 'Ti***r' };
const RETIRED = {
  license_province: null,
  license_city: null,
  promotion_area: '0',
  promotion_center_province: null,
  promotion_center_city: null,
  brand: null,
};

/** All ad accounts. */
export const ADVERTISERS: readonly Advertiser[] = [
  // The file contains only the values of the type.
  ...(data as readonly Advertiser[]),
  ...BUSINESSES.map((business, index): Advertiser => ({
    id: String(7_540_118_200_330_000_129n + BigInt(index) * 1_000_000_007n),
    ordinal: 7 + index,
    name: business.name,
    owner: `marketing@${business.domain}`,
    currency: 'EUR',
    decimals: 2,
    costPerMille: 371,
    timeZone: 'Europe/Berlin',
    language: 'en',
    size: 1800,
    profile: {
      company: business.name,
      status: 'STATUS_ENABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'Europe/Berlin',
      country: 'DE',
      balance: 412.6,
      create_time: 1688000000,
      rejection_reason: '',
    },
    business,
  })),
];

/** Renders an ad account for `/advertiser/info/`. Contact data is masked and retired fields are null. */
export function renderAdvertiser(advertiser: Advertiser): Record<string, unknown> {
  return {
    advertiser_id: advertiser.id,
    name: advertiser.name,
    company: null,
    status: null,
    role: null,
    advertiser_account_type: 'AUCTION',
    currency: advertiser.currency,
    timezone: advertiser.timeZone,
    display_timezone: null,
    country: null,
    language: advertiser.language,
    industry: '292003',
    balance: 0,
    create_time: 0,
    ...MASKED,
    telephone_number: '',
    address: null,
    description: `https://${advertiser.owner.split('@')[1] ?? 'tidewater.example'}`,
    license_no: '',
    license_url: null,
    ...RETIRED,
    rejection_reason: '',
    owner_bc_id: '7199988877766655543',
    company_name_editable: false,
    ...advertiser.profile,
  };
}
