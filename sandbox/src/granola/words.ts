import type { Random } from '../simulator/random.ts';

/** One note's slot values. */
export interface MeetingSlots {
  readonly client: string;
  readonly contact: string;
  readonly colleague: string;
  readonly project: string;
  readonly team: string;
  readonly day: string;
  readonly month: string;
  readonly product: string;
  readonly role: string;
}

/** Fills a template's slots. `{number}`, `{money}` and `{percent}` get a new random value each time. */
export function fillSlots(template: string, slots: MeetingSlots, random: Random): string {
  const text = template.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => {
    switch (slot) {
      case 'client':
      case 'contact':
      case 'colleague':
      case 'project':
      case 'team':
      case 'day':
      case 'month':
      case 'product':
      case 'role':
        return slots[slot];
      case 'number':
        return String(random.integer(2, 14));
      case 'money':
        return `€${(random.integer(4, 90) * 1000).toLocaleString('en-GB')}`;
      case 'percent':
        return `${random.integer(3, 38)} %`;
      default:
        return whole;
    }
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}
