import { z } from 'zod';

/** A whole number in a query, written in decimal digits: what JavaScript would read beside those (`0x10`, `1e1`, nothing) is refused. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    value => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value),
    z.int(`Must be a whole number from ${min} to ${max}`).min(min).max(max),
  );
}
