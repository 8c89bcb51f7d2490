import type { Random } from '../simulator/random.ts';

/** A workspace as the API returns it. */
export type WireWorkspace = ReturnType<typeof inventWorkspaces>[number];

/** Generates a company's workspaces. A large company has three. */
export function inventWorkspaces(random: Random, isLarge: boolean) {
  const sales = { id: random.fork('sales').digits(15), name: 'Sales', description: 'Default workspace' };
  const support = { id: random.fork('support').digits(15), name: 'Support – Español', description: '' };
  const success = {
    id: random.fork('success').digits(15),
    name: 'Customer success',
    description: 'Renewals and onboarding',
  };
  return isLarge ? [sales, support, success] : [{ ...sales, description: null }];
}
