import data from './businesses.json' with { type: 'json' };
import type { Company } from './companies.ts';

/** A small fictional business with an account at every vendor, and the words of its trade. */
export interface Business {
  /** The same at every vendor. */
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  /** The companies that it meets and calls. */
  readonly clients: readonly Company[];
  readonly products: readonly string[];
  readonly projects: readonly string[];
  readonly teams: readonly string[];
  readonly roles: readonly string[];
  readonly ads: {
    readonly themes: readonly string[];
    readonly groups: readonly string[];
    readonly texts: readonly string[];
    /** Paths on its website that ads lead to. */
    readonly paths: readonly string[];
  };
}

/** The fictional businesses. */
export const BUSINESSES: readonly Business[] = data;

/** Returns the member of a credential that says whose account it opens, if a business has this account. */
export function businessOf(account: string | undefined): { readonly business?: string } {
  return BUSINESSES.some(({ id }) => id === account) && account !== undefined ? { business: account } : {};
}
