import { maxAccounts, type Account } from '@connector-auth/api';
import type { AccountList } from './kind.ts';
import type { Translate } from './translate.ts';

/** Sorts accounts by name, those that cannot be selected last, and keeps the first 2,000. */
export function listOfAccounts(accounts: readonly Account[], isComplete = true): AccountList {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sorted = accounts.toSorted(
    (one, other) => Number(other.selectable) - Number(one.selectable) || compare(one.name, other.name),
  );
  return { accounts: sorted.slice(0, maxAccounts), isComplete: isComplete && sorted.length <= maxAccounts };
}

/** Joins what is known of an account, such as `612-045-9183 · USD`; null if nothing is. */
export function accountDetail(...parts: readonly (string | null | false)[]): string | null {
  const known = parts.filter(part => typeof part === 'string' && part !== '');
  return known.length === 0 ? null : known.join(separator);
}

const separator = ' · ';

/** Translates what a kind says about an account. */
export function translateAccount(account: Account, translate: Translate): Account {
  return {
    ...account,
    detail: account.detail?.split(separator).map(translate).join(separator) ?? null,
    reason: account.reason === null ? null : translate(account.reason),
  };
}
