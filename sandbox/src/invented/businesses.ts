import data from './businesses.json' with { type: 'json' };

/**
 * A small fictional business with an account at every vendor, where it has the same id, and the words of its trade. It
 * meets and calls its `clients`, and its ads lead to the `paths` on its website.
 */
export type Business = (typeof data)[number];

/** The fictional businesses. */
export const BUSINESSES: readonly Business[] = data;

/** Returns the member of a credential that says whose account it opens, if a business has this account. */
export function businessOf(account: string | undefined): { readonly business?: string } {
  return BUSINESSES.some(({ id }) => id === account) && account !== undefined ? { business: account } : {};
}
