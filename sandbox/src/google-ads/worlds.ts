import type { Random } from '../simulator/random.ts';
import type { Customer } from './customers.ts';
import { generateWorld } from './generate.ts';
import type { World } from './world.ts';

/** The worlds of all accounts, each made the first time it is looked at. */
export function createWorlds(
  random: Random,
  today: (customer: Customer) => number,
): (customer: Customer) => World {
  const made = new Map<string, World>();
  return customer => {
    const world = made.get(customer.id) ?? generateWorld(customer, random.fork(customer.id), today(customer));
    made.set(customer.id, world);
    return world;
  };
}
