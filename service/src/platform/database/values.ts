// oxlint-disable-next-line no-restricted-imports -- reads what the database sends
import { parseJson, stringifyJson } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { types, type CustomTypesConfig } from 'pg';

/**
 * Parses PostgreSQL values identically on both engines. Returns an `int8` as a number if it is a safe integer
 * and as a bigint otherwise, `timestamptz` as a Date (with millisecond precision), `date` (`2026-01-31`) and
 * `numeric` as strings, and `bytea` as a Buffer. Unsafe integers in `json` and `jsonb` become bigints. The
 * elements of one-dimensional arrays are parsed in the same way.
 */
export const typeParsers: CustomTypesConfig = {
  // pg calls this with only the type's number and the text format. The declared overloads also accept enum
  // members and formats.
  getTypeParser: ((oid: TypeId) =>
    parsers.get(oid) ?? types.getTypeParser(oid)) as typeof types.getTypeParser,
};

/**
 * Converts a value to a `jsonb` parameter. Without this, an array would become a PostgreSQL array, and a
 * bigint would throw or become a string.
 */
export function jsonb<T = unknown>(value: T): RawBuilder<T> {
  return sql<T>`${stringifyJson(value)}::jsonb`;
}

type TypeId = (typeof types.builtins)[keyof typeof types.builtins];

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const asText = (text: string): string => text;

/** Returns a parser for arrays with unquoted elements. */
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
  // The type numbers of int8[], date[] and numeric[], for which pg has no constants.
  [1016, arrayOf(parseInt8)],
  [1182, arrayOf(asText)],
  [1231, arrayOf(asText)],
]);
