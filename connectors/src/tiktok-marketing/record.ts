import { z } from 'zod';
import { asObject, fillFields } from '../kind/record.ts';

const types = {
  string: z.string(),
  'string?': z.string().nullable(),
  'number?': z.number().nullable(),
  'integer?': z.int().nullable(),
  'boolean?': z.boolean().nullable(),
  'array?': z.array(z.unknown()).nullable(),
  'object?': z.record(z.string(), z.unknown()).nullable(),
  /** An id of up to 19 digits, which is a `bigint` outside the safe range. */
  'id?': z.union([z.int(), z.bigint()]).nullable(),
} as const;
type Types = typeof types;
type Fields = { readonly [Type in keyof Types]?: readonly string[] };
/** The zod shape that corresponds to the field names. */
type Shape<F extends Fields> = {
  -readonly [Type in keyof F & keyof Types as NonNullable<F[Type]>[number]]-?: Types[Type];
};

/**
 * Creates the schema for a record from its field names, grouped by type. A type with `?` is nullable. TikTok
 * can omit any field except a record's own id.
 */
export function recordOf<const F extends Fields>(fields: F): z.ZodObject<Shape<F>> {
  const shape = Object.entries(fields).flatMap(([type, names]) =>
    // Fields has the same keys as the types.
    names.map(name => [name, types[type as keyof Types]] as const),
  );
  // Shape describes exactly these entries.
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodObject<Shape<F>>;
}

/**
 * Creates a mapper for TikTok's objects. The mapper sets missing fields to null, and converts numeric ids to
 * strings and numeric switches to booleans, because TikTok sends both types.
 */
export function recordMapping<R extends z.ZodObject>(record: R): (wire: unknown) => z.infer<R> {
  const fill = fillFields('TikTok Marketing', record);
  const names = Object.keys(record.shape);
  const stringNames = names.filter(name => name.endsWith('_id') && accepts(record, name, ''));
  const booleanNames = names.filter(name => accepts(record, name, false));
  const idListNames = names.filter(name => name.endsWith('_ids'));
  return wire => {
    const mapped: Record<string, unknown> = fill(asObject(wire));
    for (const name of stringNames) {
      const value = mapped[name];
      if (typeof value === 'number' || typeof value === 'bigint') mapped[name] = String(value);
    }
    for (const name of booleanNames) {
      const value = mapped[name];
      if (typeof value === 'number') mapped[name] = value !== 0;
    }
    for (const name of idListNames) {
      const value = mapped[name];
      if (Array.isArray(value) && value.some(id => typeof id !== 'string')) mapped[name] = value.map(String);
    }
    // Vendors document field types but do not enforce them.
    return mapped as z.infer<R>;
  };
}

function accepts(record: z.ZodObject, name: string, value: unknown): boolean {
  return record.shape[name]?.safeParse(value).success === true;
}

/** Converts a number or a numeric string to a number. Returns null for any other value. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}
