/** A seeded random source: the same seed and calls return the same values on every machine. */
export interface Random {
  /** Returns an independent source, so that generated data does not depend on the order of generation. */
  fork(...path: (string | number)[]): Random;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  unit(): number;
  /** Returns an integer from `min` to `max` (both inclusive). */
  integer(min: number, max: number): number;
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
  /** Picks one element; throws a `RangeError` if the list is empty. */
  pick<T>(list: readonly T[]): T;
  /** Picks up to `count` distinct elements, in the list's order. */
  sample<T>(list: readonly T[], count: number): T[];
  /** Returns `length` characters from `alphabet` (letters and digits by default). */
  text(length: number, alphabet?: string): string;
  /** Returns `length` decimal digits without a leading zero, as a string, because vendor ids exceed 2^53. */
  digits(length: number): string;
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Creates a source that depends only on the seed. */
export function createRandom(seed: string): Random {
  const unit = smallFastCounter(hash128(seed));
  const integer = (min: number, max: number): number => min + Math.floor(unit() * (max - min + 1));
  const text = (length: number, alphabet = LETTERS_AND_DIGITS): string =>
    Array.from({ length }, () => alphabet.charAt(integer(0, alphabet.length - 1))).join('');
  return {
    fork: (...path) => createRandom(`${seed}/${path.join('/')}`),
    unit,
    integer,
    chance: probability => unit() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list');
      // The index is within the list, so the element exists even if T includes undefined.
      return list[integer(0, list.length - 1)] as T;
    },
    sample: (list, count) => {
      let needed = Math.min(count, list.length);
      return list.filter((_, index) => {
        const taken = unit() * (list.length - index) < needed;
        if (taken) needed -= 1;
        return taken;
      });
    },
    text,
    digits: length => text(1, '123456789') + text(length - 1, '0123456789'),
  };
}

/** cyrb128: hashes text to four 32-bit words (public domain). */
function hash128(input: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let index = 0; index < input.length; index++) {
    const code = input.charCodeAt(index);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/**
 * sfc32, from PractRand (public domain). Passes the PractRand test suite and needs only a few operations per
 * value.
 */
function smallFastCounter([a, b, c, d]: [number, number, number, number]): () => number {
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
}
