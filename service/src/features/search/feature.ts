import type { Needs, Settings } from '../../shared/core.ts';
import { createLimitedSearch } from './limited-search.ts';

/** Has no endpoint of its own: returns the function with which `execute` searches. */
export function search(
  { database, tables, signingKeys, clock }: Needs<'database' | 'tables' | 'signingKeys' | 'clock'>,
  { searchCostLimit }: Pick<Settings, 'searchCostLimit'>,
) {
  return createLimitedSearch(database, tables, { signingKeys, clock, costLimit: searchCostLimit });
}
