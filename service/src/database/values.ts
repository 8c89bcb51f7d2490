import { parseJson, stringifyJson } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { types, type CustomTypesConfig } from 'pg';

/**
 * How values of PostgreSQL come back, the same on both engines:
 * `int8` is a number where it is safe and a bigint beyond; `timestamptz` is a Date (milliseconds); `date` is its text
 * (`2026-01-31`); `numeric` is its text; `json` and `jsonb` keep 64-bit integers as bigint; `bytea` is a Buffer. Arrays (of one dimension) hold the same.
 */
export const typeParsers: CustomTypesConfig = {
  // pg asks for the text form of a type by its number; the declaration overloads this by enum members and formats.
  getTypeParser: ((oid: TypeId) =>
    parsers.get(oid) ?? types.getTypeParser(oid)) as typeof types.getTypeParser,
};

/**
 * A value as a `jsonb` parameter. Passing objects bare is not enough: arrays would become PostgreSQL arrays and a bigint would
 * throw or turn into a string.
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

/** Arrays of types whose elements are written without quotes. */
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
  // int8[], date[] and numeric[], which pg's list of types leaves out.
  [1016, arrayOf(parseInt8)],
  [1182, arrayOf(asText)],
  [1231, arrayOf(asText)],
]);
