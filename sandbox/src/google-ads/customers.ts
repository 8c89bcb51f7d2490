import { BUSINESSES, type Business } from '../invented/businesses.ts';
import { COMPANIES } from '../invented/companies.ts';
import data from './customers.json' with { type: 'json' };

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

const AGENCY = '5010060070';

/** What applies to accounts that do not declare otherwise. */
const base = {
  currency: 'EUR',
  timeZone: 'Europe/Amsterdam',
  isManager: false,
  isTest: false,
  status: 'ENABLED',
  name: undefined,
  managerId: undefined,
} as const;

/**
 * All accounts: a manager with several kinds of clients, a manager below it, and an account that belongs to
 * another user, and an agency with many clients.
 */
const CUSTOMERS: readonly Customer[] = [
  // The file contains only the values of the type.
  ...data.customers.map(customer => ({ ...base, ...customer }) as Customer),
  ...inventAgencyClients(),
  ...BUSINESSES.map((business, index): Customer => ({
    ...base,
    id: idOfBusiness(index),
    ordinal: 3000 + index,
    name: business.name,
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
  ...data.users,
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
