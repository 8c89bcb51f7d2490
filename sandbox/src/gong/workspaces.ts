import type { Random } from '../simulator/random.ts';

/** A workspace as the API returns it. */
export interface WireWorkspace {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/** Generates a company's workspaces. A large company has two. */
export function inventWorkspaces(random: Random, isLarge: boolean): WireWorkspace[] {
  const sales = { id: random.fork('sales').digits(15), name: 'Sales', description: 'Default workspace' };
  const support = { id: random.fork('support').digits(15), name: 'Support – Español', description: '' };
  return isLarge ? [sales, support] : [{ ...sales, description: null }];
}
