import { parseJson, stringifyJson } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { types, type CustomTypesConfig } from 'pg';

/**
 * Parses PostgreSQL values in the same way on both engines: `int8` is a number where safe, else a bigint; `timestamptz`
 * is a Date (milliseconds); `date` (`2026-01-31`) and `numeric` are text; `json` and `jsonb` have 64-bit integers as
 * bigint; `bytea` is a Buffer. One-dimensional arrays have elements of the same types.
 */
export const typeParsers: CustomTypesConfig = {
  // pg passes the type's number and only the text format; the declaration has overloads for enum members and formats.
  getTypeParser: ((oid: TypeId) =>
    parsers.get(oid) ?? types.getTypeParser(oid)) as typeof types.getTypeParser,
};

/**
 * Returns a value as a `jsonb` parameter. Passed directly, an array would become a PostgreSQL array, and a bigint would
 * throw or become a string.
 */
export function jsonb(value: unknown): RawBuilder<unknown> {
  return sql`${stringifyJson(value)}::jsonb`;
}

type TypeId = (typeof types.builtins)[keyof typeof types.builtins];

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const asText = (text: string): string => text;

/** Parses arrays whose elements are not quoted. */
function arrayOf(parse: (text: string) => unknown): (text: string) => unknown[] {
  return text =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map(element => (element === 'NULL' ? null : parse(element)));
}

const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, parseInt8],
  [types.builtins.DATE, asText],
  [types.builtins.NUMERIC, asText],
  [types.builtins.JSON, parseJson],
  [types.builtins.JSONB, parseJson],
  // int8[], date[] and numeric[], which pg's list of types lacks.
  [1016, arrayOf(parseInt8)],
  [1182, arrayOf(asText)],
  [1231, arrayOf(asText)],
]);
