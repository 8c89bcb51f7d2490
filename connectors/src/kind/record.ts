import { z } from 'zod';
import { vendorError } from './failure.ts';

/**
 * Makes the mapping of a wire record: every stated field is present (null where the vendor sent none, `[]` never
 * invented), and what the vendor sent beyond them is passed through.
 *
 * So a field's schema admits null, unless a record is none without it: its own id. A record that lacks such a field is a
 * failure of the vendor.
 * @throws (the mapping) ConnectorAuthError `vendor_failed`.
 */
export function fillFields<Shape extends z.ZodObject>(
  vendorName: string,
  record: Shape,
): (wire: unknown) => z.infer<Shape> {
  const nulls = Object.fromEntries(Object.keys(record.shape).map(name => [name, null]));
  const required = Object.entries(record.shape).flatMap(([name, field]) =>
    z.safeParse(field, null).success ? [] : [name],
  );
  return wire => {
    const stated: Record<string, unknown> = { ...nulls, ...(wire as Record<string, unknown>) };
    for (const name of required) {
      if ((stated[name] ?? null) !== null) continue;
      throw vendorError(vendorName, null, { kind: 'vendor', message: `a record has no ${name}` });
    }
    // Vendors' field types are documented, not enforced: a wrong one is passed on rather than losing the record.
    return stated as z.infer<Shape>;
  };
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
