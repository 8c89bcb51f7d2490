import type { ConnectorAuthError } from '@connector-auth/api';
import { z } from 'zod';
import { vendorError } from './failure.ts';

/**
 * Creates a mapper for records as the vendor sends them. The mapper sets every declared field that the vendor
 * omitted to null, even if it is an array, and passes undeclared fields through.
 *
 * Field schemas therefore allow null, except for the record's own id. A record without its id counts as a
 * vendor failure.
 * @throws (the mapper) ConnectorAuthError `vendor_failed`.
 */
export function fillFields<Shape extends z.ZodObject>(
  vendorName: string,
  record: Shape,
): (wire: unknown) => z.infer<Shape> {
  const nulls = Object.fromEntries(Object.keys(record.shape).map(name => [name, null]));
  const required = Object.keys(record.shape).filter(name => isRequired(record.shape[name]));
  return wire => {
    const filled: Record<string, unknown> = { ...nulls, ...(wire as Record<string, unknown>) };
    for (const name of required) {
      if ((filled[name] ?? null) !== null) continue;
      throw withoutField(vendorName, name);
    }
    // Vendors document field types but do not enforce them. A wrong type is passed on, so that the record is
    // not lost.
    return filled as z.infer<Shape>;
  };
}

function isRequired(field: z.core.$ZodType): boolean {
  return !z.safeParse(field, null).success;
}

function withoutField(vendorName: string, name: string): ConnectorAuthError {
  return vendorError(vendorName, null, { kind: 'vendor', message: `a record has no ${name}` });
}

/**
 * Creates a mapper like {@link fillFields} that drops undeclared members, as {@link onlyDeclared} does.
 * @throws (the mapper) ConnectorAuthError `vendor_failed`.
 */
export function readDeclared<Shape extends z.ZodObject>(
  vendorName: string,
  record: Shape,
): (wire: unknown) => z.infer<Shape> {
  const nulls = Object.fromEntries(Object.keys(record.shape).map(name => [name, null]));
  const declared = new Map(Object.entries(record.shape).map(([name, field]) => [name, reducerOf(field)]));
  const required = Object.keys(record.shape).filter(name => isRequired(record.shape[name]));
  return wire => {
    const sent = asObject(wire);
    const read: Record<string, unknown> = { ...nulls };
    for (const name in sent) {
      const reduce = declared.get(name);
      if (reduce !== undefined) read[name] = reduce(sent[name]);
    }
    for (const name of required) if (read[name] === null) throw withoutField(vendorName, name);
    // See `fillFields`.
    return read as z.infer<Shape>;
  };
}

/**
 * Removes the members of a value that its schema does not declare, also in objects and arrays within it. Values of
 * another type than the declared one are returned as they are.
 */
export function onlyDeclared<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: z.output<Schema>,
): z.output<Schema>;
export function onlyDeclared(schema: z.core.$ZodType, value: unknown): unknown {
  return reducerOf(schema)(value);
}

/** Returns a value without undeclared members: the value itself if it has none, otherwise a copy. */
type Reducer = (value: unknown) => unknown;

/** The reducers of the schemas in use, because reading a schema takes longer than reading a record. */
const reducers = new WeakMap<z.core.$ZodType, Reducer>();

function reducerOf(schema: z.core.$ZodType): Reducer {
  let reducer = reducers.get(schema);
  if (reducer === undefined) {
    reducer = createReducer(schema);
    reducers.set(schema, reducer);
  }
  return reducer;
}

const unchanged: Reducer = value => value;

function createReducer(schema: z.core.$ZodType): Reducer {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return reducerOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const reduce = reducerOf(schema.element);
    return value => (reduce !== unchanged && Array.isArray(value) ? value.map(reduce) : value);
  }
  if (!(schema instanceof z.ZodObject)) return unchanged;
  const declared = new Map(
    Object.entries(schema.shape).map(([name, member]) => [name, reducerOf(member)] as const),
  );
  return value => (asObject(value) === value ? reduceMembers(asObject(value), declared) : value);
}

function reduceMembers(
  value: Readonly<Record<string, unknown>>,
  declared: ReadonlyMap<string, Reducer>,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(value);
  let copy: Record<string, unknown> | null = null;
  for (const [index, name] of names.entries()) {
    const reduce = declared.get(name);
    const reduced = reduce?.(value[name]);
    if (copy === null) {
      if (reduce !== undefined && reduced === value[name]) continue;
      copy = Object.fromEntries(names.slice(0, index).map(earlier => [earlier, value[earlier]]));
    }
    if (reduce !== undefined) copy[name] = reduced;
  }
  return copy ?? value;
}

/** The schemas that {@link recordId} has marked. */
const recordIds = new WeakSet<z.ZodType>();

/**
 * Marks the schema of the param that names the record to get. No record has an id that does not match the schema's
 * pattern, so the executor reports it as not found without a request to the vendor.
 */
export function recordId(schema: z.ZodString): z.ZodString {
  recordIds.add(schema);
  return schema;
}

/** Returns whether a schema was marked by {@link recordId}. */
export function isRecordId(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && recordIds.has(schema);
}

/** Returns the value if it is a JSON object, otherwise an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // The check above ensures that this is an object and not an array.
      (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Returns the value if it is a JSON array, otherwise an empty array. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a string, otherwise null. */
export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Converts a number or a string of digits to an integer without loss of precision. Returns null for any other
 * value.
 */
export function asInteger(value: unknown): number | bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? value : null;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return null;
  const integer = Number(value);
  return Number.isSafeInteger(integer) ? integer : BigInt(value);
}
