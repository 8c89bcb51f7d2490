import type { z } from 'zod';

/**
 * Makes the mapping of a wire record: every stated field is present (null where the vendor sent none, `[]` never
 * invented), and what the vendor sent beyond them is passed through.
 */
export function stateFields<Shape extends z.ZodObject>(record: Shape): (wire: unknown) => z.infer<Shape> {
  const nulls = Object.fromEntries(Object.keys(record.shape).map(name => [name, null]));
  // Vendors' field types are documented, not enforced: a wrong one is passed on rather than losing the record.
  return wire => ({ ...nulls, ...(wire as Record<string, unknown>) }) as z.infer<Shape>;
}

/** A vendor's JSON object as a record of unknown members; an empty one when the vendor sent something else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // Just tested: an object that is no array.
      (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A vendor's JSON array; an empty one when the vendor sent something else. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A vendor's string; null when it sent something else. */
export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** An integer that came as a number or as a string of digits, to the last digit; null when it is neither. */
export function asInteger(value: unknown): number | bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? value : null;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return null;
  const integer = Number(value);
  return Number.isSafeInteger(integer) ? integer : BigInt(value);
}
