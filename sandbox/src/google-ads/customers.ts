import { BUSINESSES, type Business } from '../invented/businesses.ts';
import { COMPANIES } from '../invented/companies.ts';

/** A simulated Google Ads account. */
export interface Customer {
  /** A 10-digit id. */
  readonly id: string;
  /** A unique number, which keeps campaign ids distinct across accounts. */
  readonly ordinal: number;
  readonly name: string | undefined;
  readonly currency: string;
  readonly timeZone: string;
  readonly isManager: boolean;
  readonly isTest: boolean;
  readonly status: 'ENABLED' | 'CANCELED' | 'SUSPENDED';
  /** The id of the parent manager account. */
  readonly managerId: string | undefined;
  readonly campaignCount: number;
  /** The small business whose account it is. Absent for the others, which sell soap. */
  readonly business?: Business;
}

/** A Google user and the accounts that the user was invited to directly. */
export interface GoogleUser {
  readonly email: string;
  readonly description: string;
  readonly customerIds: readonly string[];
  /** Whether the user has signed up for Google Ads. */
  readonly isAdsUser: boolean;
  /** The id of the small business that the user works for. */
  readonly business?: string;
}

const MANAGER = '7330012455';
const SUB_MANAGER = '9020031100';
const AGENCY = '5010060070';

const base = {
  currency: 'EUR',
  timeZone: 'Europe/Amsterdam',
  isManager: false,
  isTest: false,
  status: 'ENABLED',
  managerId: MANAGER,
} as const;

/**
 * All accounts: a manager with several kinds of clients, a manager below it, and an account that belongs to
 * another user, and an agency with many clients.
 */
const CUSTOMERS: readonly Customer[] = [
  {
    ...base,
    id: MANAGER,
    ordinal: 0,
    name: 'Tidewater Group',
    currency: 'USD',
    timeZone: 'America/New_York',
    isManager: true,
    managerId: undefined,
    campaignCount: 0,
  },
  { ...base, id: '6120459183', ordinal: 1, name: 'Tidewater Soap', campaignCount: 260 },
  {
    ...base,
    id: '4440001112',
    ordinal: 2,
    name: 'Tidewater Candles (closed)',
    status: 'CANCELED',
    campaignCount: 12,
  },
  {
    ...base,
    id: '5550009876',
    ordinal: 3,
    name: undefined,
    currency: 'USD',
    timeZone: 'America/Los_Angeles',
    campaignCount: 0,
  },
  {
    ...base,
    id: '8150023344',
    ordinal: 4,
    name: 'Tidewater 日本',
    currency: 'JPY',
    timeZone: 'Asia/Tokyo',
    campaignCount: 45,
  },
  { ...base, id: SUB_MANAGER, ordinal: 5, name: 'Tidewater EMEA', isManager: true, campaignCount: 0 },
  {
    ...base,
    id: '6660007788',
    ordinal: 6,
    name: 'Tidewater Düfte GmbH',
    timeZone: 'Europe/Berlin',
    managerId: SUB_MANAGER,
    campaignCount: 30,
  },
  {
    ...base,
    id: '3210045566',
    ordinal: 7,
    name: 'Harbour Coffee (test)',
    currency: 'GBP',
    timeZone: 'Europe/London',
    isTest: true,
    managerId: undefined,
    campaignCount: 18,
  },
  {
    ...base,
    id: '2340056677',
    ordinal: 8,
    name: 'Tidewater Gifts',
    status: 'SUSPENDED',
    campaignCount: 9,
  },
  {
    ...base,
    id: AGENCY,
    ordinal: 9,
    name: 'Quayside Media',
    isManager: true,
    managerId: undefined,
    campaignCount: 0,
  },
  ...inventAgencyClients(),
  ...BUSINESSES.map((business, index): Customer => ({
    ...base,
    id: idOfBusiness(index),
    ordinal: 3000 + index,
    name: business.name,
    managerId: undefined,
    campaignCount: 30,
    business,
  })),
];

function idOfBusiness(index: number): string {
  return String(7_725_550_142 + index * 10_000_019);
}

/** Generates as many clients as make 2,000 accounts with the agency itself. */
function inventAgencyClients(): Customer[] {
  return Array.from({ length: 1999 }, (_, index) => ({
    ...base,
    id: String(4_100_000_017 + index * 7919),
    ordinal: 10 + index,
    name: `${COMPANIES[index % COMPANIES.length]?.name ?? ''} ${1 + Math.floor(index / COMPANIES.length)}`,
    managerId: AGENCY,
    status: index % 100 === 99 ? 'SUSPENDED' : 'ENABLED',
    campaignCount: 2,
  }));
}

/** The users on the consent page. */
export const USERS: readonly GoogleUser[] = [
  {
    email: 'ads@tidewater.example',
    description: 'Manager account with several clients, one of them closed',
    customerIds: ['6120459183', MANAGER, '4440001112', '5550009876'],
    isAdsUser: true,
  },
  {
    email: 'jo@harbour.example',
    description: 'One test account',
    customerIds: ['3210045566'],
    isAdsUser: true,
  },
  {
    email: 'new@tidewater.example',
    description: 'Google Ads user without any accounts',
    customerIds: [],
    isAdsUser: true,
  },
  {
    email: 'agency@quayside.example',
    description: 'Manager account with 1,999 clients',
    customerIds: [AGENCY],
    isAdsUser: true,
  },
  {
    email: 'no-ads@example.com',
    description: 'Not a Google Ads user',
    customerIds: [],
    isAdsUser: false,
  },
  ...BUSINESSES.map(({ id, name, domain }, index) => ({
    email: `ads@${domain}`,
    description: name,
    customerIds: [idOfBusiness(index)],
    isAdsUser: true,
    business: id,
  })),
];

export function findCustomer(id: string): Customer | undefined {
  return CUSTOMERS.find(customer => customer.id === id);
}

/** Lists an account and all accounts below it, nearest first, with their distance in links. */
export function listHierarchy(root: Customer): { customer: Customer; level: number }[] {
  const found = [{ customer: root, level: 0 }];
  for (const { customer, level } of found) {
    if (!customer.isManager) continue;
    for (const client of CUSTOMERS) {
      if (client.managerId === customer.id) found.push({ customer: client, level: level + 1 });
    }
  }
  return found;
}

/** Returns whether the account is the manager itself or any account below it. */
export function isReachedFrom(manager: Customer, customer: Customer): boolean {
  return listHierarchy(manager).some(reached => reached.customer.id === customer.id);
}
