import type { Random } from '../simulator/random.ts';

/** One note's slot values. */
export type MeetingSlots = Readonly<Record<string, string>>;

/** Values that differ each time. */
const FRESH: Readonly<Record<string, (random: Random) => string>> = {
  number: random => String(random.integer(2, 14)),
  money: random => `€${(random.integer(4, 90) * 1000).toLocaleString('en-GB')}`,
  percent: random => `${random.integer(3, 38)} %`,
};

/** Fills a template's slots. `{number}`, `{money}` and `{percent}` get a new random value each time. */
export function fillSlots(template: string, slots: MeetingSlots, random: Random): string {
  const text = template.replaceAll(
    /\{(\w+)\}/g,
    (whole, slot: string) => slots[slot] ?? FRESH[slot]?.(random) ?? whole,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}
