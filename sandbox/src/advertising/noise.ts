/**
 * Pseudo-random numbers by position: the hash of an entity's seed and a value (a day, a field) is the same on
 * every run and in any order, and takes nanoseconds, so that a year of reports needs no memory.
 */

/** Hashes two integers to 32 bits (the finalizer of MurmurHash3, public domain). */
export function mix(seed: number, value: number): number {
  let hash = (seed ^ Math.imul(value + 0x7f4a7c15, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number in [0, 1). */
export function unitAt(seed: number, value: number): number {
  return mix(seed, value) / 4294967296;
}

/** An integer, bounds included. */
export function integerAt(seed: number, value: number, min: number, max: number): number {
  return min + Math.floor(unitAt(seed, value) * (max - min + 1));
}

/** True with the given probability. */
export function chanceAt(seed: number, value: number, probability: number): boolean {
  return unitAt(seed, value) < probability;
}

/** An element of a list; throws a `RangeError` for an empty list. */
export function pickAt<T>(seed: number, value: number, list: readonly T[]): T {
  if (list.length === 0) throw new RangeError('cannot pick from an empty list');
  // The index is within the list, so the element exists even if T includes undefined.
  return list[mix(seed, value) % list.length] as T;
}

/** `length` hexadecimal digits. */
export function hexAt(seed: number, value: number, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++) {
    text += mix(mix(seed, value), part).toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}
