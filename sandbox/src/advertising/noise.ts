/**
 * Deterministic pseudorandom numbers: each is a hash of an entity's seed and a value, such as a day or a
 * field. The result does not depend on call order, so a year of reports can be computed on demand instead of
 * being stored.
 */

/** Hashes two integers to 32 bits with the MurmurHash3 finalizer (public domain). */
export function mix(seed: number, value: number): number {
  let hash = (seed ^ Math.imul(value + 0x7f4a7c15, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a pseudorandom number from 0 (inclusive) to 1 (exclusive), derived from `seed` and `value`. */
export function unitAt(seed: number, value: number): number {
  return mix(seed, value) / 4294967296;
}

/** Returns a pseudorandom integer from `min` to `max` (both inclusive), derived from `seed` and `value`. */
export function integerAt(seed: number, value: number, min: number, max: number): number {
  return min + Math.floor(unitAt(seed, value) * (max - min + 1));
}

/** Returns true with the given probability, derived from `seed` and `value`. */
export function chanceAt(seed: number, value: number, probability: number): boolean {
  return unitAt(seed, value) < probability;
}

/**
 * Picks a list element deterministically from `seed` and `value`; throws a `RangeError` if the list is empty.
 */
export function pickAt<T>(seed: number, value: number, list: readonly T[]): T {
  if (list.length === 0) throw new RangeError('cannot pick from an empty list');
  // The index is within the list, so the element exists even if T includes undefined.
  return list[mix(seed, value) % list.length] as T;
}

/** Returns `length` pseudorandom hexadecimal digits derived from `seed` and `value`. */
export function hexAt(seed: number, value: number, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++) {
    text += mix(mix(seed, value), part).toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}
