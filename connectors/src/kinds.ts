import { gong } from './gong/index.ts';
import { googleAds } from './google-ads/index.ts';
import { granola } from './granola/index.ts';
import { plainName, type Kind } from './kind/kind.ts';
import type { PackagedKinds } from './names.ts';
import { tiktokMarketing } from './tiktok-marketing/index.ts';

/** The connector kinds that are always loaded. To add one, create a folder, and add a line here. */
const builtIn = [gong, googleAds, granola, tiktokMarketing] as const;

export const kinds: readonly Kind[] = builtIn;

/** The names of the connector kinds: the built-in ones, and those of packages that extend `PackagedKinds`. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- packages extend the interface
export type KindName = (typeof builtIn)[number]['key'] | keyof PackagedKinds;

/**
 * Finds a kind by the name in a request, ignoring case, spaces, `-` and `_`. Returns null if there is no such
 * kind. Names that are written in the code are checked by the compiler.
 * @param among default: the built-in kinds.
 */
export function findKind<Name extends string>(
  name: string extends Name ? Name : KindName,
  among: readonly Kind[] = kinds,
): Kind | null {
  const wanted = plainName(name);
  return among.find(kind => plainName(kind.key) === wanted || plainName(kind.name) === wanted) ?? null;
}
