import { gong } from './gong/index.ts';
import { googleAds } from './google-ads/index.ts';
import { granola } from './granola/index.ts';
import type { Kind } from './kind/kind.ts';
import { tiktokMarketing } from './tiktok-marketing/index.ts';

/** All connector kinds. To add a kind, create a folder and add a line here. */
export const kinds: readonly Kind[] = [gong, googleAds, granola, tiktokMarketing];

/**
 * Finds a kind by the name in a request, ignoring case, spaces, `-` and `_`. Returns null if there is no such
 * kind.
 */
export function findKind(name: string): Kind | null {
  const wanted = plain(name);
  return kinds.find(({ key, name }) => plain(key) === wanted || plain(name) === wanted) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
