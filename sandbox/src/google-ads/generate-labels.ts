import { chanceAt, integerAt, pickAt } from '../advertising/noise.ts';
import type { Customer } from './customers.ts';
import { adWordsOf } from './wording.ts';
import type { Label, World } from './world.ts';

const LABEL_COLORS = ['#1E8E3E', '#D93025', '#F9AB00', '#1A73E8', '#9334E6'];

/** Creates the labels for an account with campaigns. */
export function makeLabels(customer: Customer, seed: number): Label[] {
  const { labels } = adWordsOf(customer);
  return labels.map((name, index) => makeLabel(customer, seed, name, index));
}

/** Picks an object's labels: one to three with probability `share`, otherwise none. */
export function pickLabels({ labels }: World, seed: number, share: number): Label[] {
  if (!chanceAt(seed, 201, share)) return [];
  const count = integerAt(seed, 202, 1, 3);
  const first = integerAt(seed, 203, 0, labels.length - 1);
  return Array.from({ length: count }, (_, step) => labels[(first + step * 7) % labels.length]).filter(
    label => label !== undefined,
  );
}

function makeLabel(customer: Customer, seed: number, name: string, index: number): Label {
  const id = 22_900_000_001 + customer.ordinal * 1_000_000 + index;
  return {
    values: {
      resource_name: `customers/${customer.id}/labels/${id}`,
      id,
      name,
      status: 'ENABLED',
      'text_label.background_color': pickAt(seed, 300 + index, LABEL_COLORS),
      'text_label.description': chanceAt(seed, 400 + index, 0.4) ? `everything about ${name}` : undefined,
    },
  };
}
