import { z } from 'zod';

/**
 * An integer query parameter in decimal digits. Rejects other JavaScript number formats such as `0x10`, `1e1`
 * and ''.
 */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    value => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value),
    z.int(`Must be a whole number from ${min} to ${max}`).min(min).max(max),
  );
}
