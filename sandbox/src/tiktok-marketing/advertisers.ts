import { BUSINESSES, type Business } from '../invented/businesses.ts';

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
  {
    id: '7210046633581101057',
    ordinal: 0,
    name: 'Tidewater US',
    owner: OWNERS.marketing,
    currency: 'USD',
    decimals: 2,
    costPerMille: 402,
    timeZone: 'Etc/GMT+8',
    language: 'en',
    size: 1800,
    profile: {
      company: 'Tidewater Soap Co',
      status: 'STATUS_ENABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'America/Los_Angeles',
      country: 'US',
      balance: 1843.27,
      create_time: 1681234567,
      rejection_reason: '',
    },
  },
  {
    id: '6998112233445566778',
    ordinal: 1,
    name: 'Tidewater EU – Seifen & Düfte',
    owner: OWNERS.marketing,
    currency: 'EUR',
    decimals: 2,
    costPerMille: 371,
    timeZone: 'Europe/Berlin',
    language: 'de',
    size: 700,
    profile: {
      company: 'Tidewater Seifen GmbH',
      address: '4 Harbour Street, 20457 Hamburg',
      brand: 'Tidewater',
      license_province: 'Hamburg',
      license_city: 'Hamburg',
      license_url: 'https://p16.example/license/tidewater.png',
      promotion_center_province: 'Hamburg',
      promotion_center_city: 'Hamburg',
      status: 'STATUS_LIMIT',
      role: 'ROLE_CHILD_ADVERTISER',
      display_timezone: 'Europe/Berlin',
      country: 'DE',
      balance: 0,
      create_time: 1629876543,
      rejection_reason: '1:account inactive,endtime:2032-01-01 00:00:00',
    },
  },
  {
    id: '7305518842910334977',
    ordinal: 2,
    name: 'タイドウォーター石鹸',
    owner: OWNERS.marketing,
    currency: 'JPY',
    decimals: 0,
    costPerMille: 540,
    timeZone: 'Asia/Tokyo',
    language: 'ja',
    size: 260,
    profile: {
      company: null,
      status: 'STATUS_ENABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'Asia/Tokyo',
      country: 'JP',
      balance: 214000,
      create_time: 1719801234,
      rejection_reason: '',
      contacter: null,
      email: null,
      cellphone_number: null,
      telephone_number: null,
    },
  },
  {
    id: '7461200983377453058',
    ordinal: 3,
    name: 'Tidewater CA (not launched)',
    owner: OWNERS.marketing,
    currency: 'CAD',
    decimals: 2,
    costPerMille: 390,
    timeZone: 'America/Toronto',
    language: 'en',
    size: 0,
    profile: {
      company: 'Tidewater Soap Co',
      status: 'STATUS_PENDING_CONFIRM',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'America/Toronto',
      country: 'CA',
      balance: 0,
      create_time: 1763101010,
      rejection_reason: '',
    },
  },
  {
    id: '7188300456120987649',
    ordinal: 4,
    name: 'Harbour Coffee',
    owner: OWNERS.harbour,
    currency: 'GBP',
    decimals: 2,
    costPerMille: 355,
    timeZone: 'Europe/London',
    language: 'en',
    size: 90,
    profile: {
      company: 'Harbour Coffee Roasters Ltd',
      status: 'STATUS_ENABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'Europe/London',
      country: 'GB',
      balance: 88.4,
      create_time: 1675550123,
      rejection_reason: '',
    },
  },
  {
    id: '7391177205588140033',
    ordinal: 6,
    name: 'Tidewater Outlet',
    owner: OWNERS.marketing,
    currency: 'USD',
    decimals: 2,
    costPerMille: 402,
    timeZone: 'America/New_York',
    language: 'en',
    size: 0,
    profile: {
      company: 'Tidewater Outlet LLC',
      status: 'STATUS_DISABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'America/New_York',
      country: 'US',
      balance: 0,
      create_time: 1735689600,
      rejection_reason: '',
    },
  },
  {
    id: '7502933100842217473',
    ordinal: 5,
    name: 'Tidewater Catalogue (large)',
    owner: OWNERS.marketing,
    currency: 'USD',
    decimals: 2,
    costPerMille: 402,
    timeZone: 'Etc/UTC',
    language: 'en',
    size: 'large',
    profile: {
      company: 'Tidewater Soap Co',
      status: 'STATUS_ENABLE',
      role: 'ROLE_ADVERTISER',
      display_timezone: 'Etc/UTC',
      country: 'US',
      balance: 50000,
      create_time: 1690000000,
      rejection_reason: '',
    },
  },
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
