import { stringifyJson } from '@connector-auth/api';
import { asInteger } from '@connector-auth/connectors/kind';
import type { FieldColumn } from './record-table.ts';

/** A value as the JSON of an upsert carries it to its column. */
export type ColumnValue = string | number | boolean | null | object;

/** An indexed text is cut after so many characters: an index has no room for more. */
const longestIndexedText = 500;

/**
 * Makes the conversion of a field's values to what its column takes. Vendors' field types are documented, not enforced: a value of
 * another type is converted where that loses nothing, and null otherwise, so that one odd value does not cost the record.
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
  if (text === null || text.length <= longestIndexedText) return text;
  return Array.from(text).slice(0, longestIndexedText).join('');
}

const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);

/** As text where a JavaScript number would lose digits. */
function asBigint(value: unknown): number | string | null {
  const integer = asInteger(value);
  if (integer === null || (typeof integer === 'number' && Number.isSafeInteger(integer))) return integer;
  const exact = BigInt(integer);
  return exact >= smallestInteger && exact <= largestInteger ? exact.toString() : null;
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

/** What `numeric` reads, of a size that it holds; no NaN, no Infinity. */
const decimal = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,3})?$/i;

function asDecimal(value: unknown): string | null {
  if (typeof value === 'string') return decimal.test(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

function asJson(value: unknown): ColumnValue {
  if (value === null || value === undefined) return null;
  // Whatever else comes out of JSON is a value of one of these types.
  return withStorableTexts(value) as ColumnValue;
}

/** PostgreSQL holds neither U+0000 nor half of a surrogate pair. */
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
