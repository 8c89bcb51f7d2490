import type { KindName } from '@connector-auth/api';
import { gong } from './gong/index.ts';
import { googleAds } from './google-ads/index.ts';
import { granola } from './granola/index.ts';
import type { Kind } from './kind/kind.ts';
import { tiktokMarketing } from './tiktok-marketing/index.ts';

const byName: Readonly<Record<KindName, Kind>> = {
  gong,
  'google-ads': googleAds,
  granola,
  'tiktok-marketing': tiktokMarketing,
};

/** All connector kinds. To add a kind, create a folder, and add a line here and to `KindName`. */
export const kinds: readonly Kind[] = Object.values(byName);

/**
 * Finds a kind by the name in a request, ignoring case, spaces, `-` and `_`. Returns null if there is no such
 * kind. Names that are written in the code are checked by the compiler.
 */
export function findKind<Name extends string>(name: string extends Name ? Name : KindName): Kind | null {
  const wanted = plain(name);
  return kinds.find(({ key, name }) => plain(key) === wanted || plain(name) === wanted) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
