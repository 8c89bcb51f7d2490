import { stringifyJson } from '@connector-auth/api';
import { asInteger } from '@connector-auth/connectors/kind';
import type { FieldColumn } from './record-table.ts';

/** A value that a column of a record table accepts. */
export type ColumnValue = string | number | boolean | null | object;

/**
 * Indexed text is truncated to this length, because PostgreSQL limits B-tree entries to about 2,700 bytes.
 */
const maxIndexedTextLength = 500;

/**
 * Returns a function that converts a field's values to its column's type. Vendors document field types but do
 * not enforce them. A value of another type is converted if that is lossless and becomes null otherwise, so
 * that one invalid value does not discard the whole record.
 */
export function columnValueOf({ type, isIndexed }: FieldColumn): (value: unknown) => ColumnValue {
  switch (type) {
    case 'string':
      return isIndexed ? value => shortText(asText(value)) : asText;
    case 'integer':
      return asBigint;
    case 'number':
      return asDouble;
    case 'boolean':
      return asBoolean;
    case 'decimal':
      return asDecimal;
    case 'array':
    case 'object':
      return asJson;
  }
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return value === null || value === undefined ? null : storable(stringifyJson(value));
}

function shortText(text: string | null): string | null {
  if (text === null || text.length <= maxIndexedTextLength) return text;
  return Array.from(text).slice(0, maxIndexedTextLength).join('');
}

const maxInteger = 2n ** 63n - 1n;
const minInteger = -(2n ** 63n);

/** Converts an integer to a string if a JavaScript number would lose digits. */
function asBigint(value: unknown): number | string | null {
  const integer = asInteger(value);
  if (integer === null || (typeof integer === 'number' && Number.isSafeInteger(integer))) return integer;
  const exact = BigInt(integer);
  return exact >= minInteger && exact <= maxInteger ? exact.toString() : null;
}

function asDouble(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'bigint' || (typeof value === 'string' && decimal.test(value))
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function asBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** Matches numbers within the range of `numeric`, except NaN and Infinity. */
const decimal = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,3})?$/i;

function asDecimal(value: unknown): string | null {
  if (typeof value === 'string') return decimal.test(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

function asJson(value: unknown): ColumnValue {
  if (value === null || value === undefined) return null;
  // JSON has no other types.
  return withStorableTexts(value) as ColumnValue;
}

/** Returns whether PostgreSQL can store the text: U+0000 and unpaired surrogates are not supported. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function storable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function withStorableTexts(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(withStorableTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storable(name), withStorableTexts(member)]),
  );
}
