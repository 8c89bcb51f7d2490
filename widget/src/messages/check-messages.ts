import { en } from './en.ts';
import type { Messages } from './messages.ts';

/** Sorts the sentences that somebody brought along: what can be used, and what cannot, in a sentence each. */
export function checkMessages(own: object): { usable: Partial<Messages>; mistakes: readonly string[] } {
  const usable: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const [key, value] of Object.entries(own)) {
    // A name that is not ours has no type here.
    const wanted = typeof en[key as keyof Messages];
    if (typeof value === wanted) usable[key] = value;
    else
      mistakes.push(
        wanted === 'undefined' ? `there is no message "${key}"` : `message "${key}" must be a ${wanted}`,
      );
  }
  return { usable, mistakes };
}
