import type { SearchType } from '@connector-auth/connectors/kind';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { RecordTable } from './record-table.ts';

type Sql = RawBuilder<unknown>;

/** A member of a JSON object that the database writes. */
export interface JsonMember {
  readonly name: string;
  /** Whether the connector kind declares the name. Other names are from the caller. */
  readonly isDeclared: boolean;
  /** SQL null is written as null. */
  readonly value: Sql;
  /** `json` if the value is `jsonb`. */
  readonly type: SearchType | 'json';
}

/** Cached and compiled, because it is the longest part of most statements. */
const recordsOfTables = new WeakMap<RecordTable, Map<string, Sql>>();

/**
 * Returns an SQL expression that writes a record with all searchable fields as JSON, as the service writes JSON itself.
 * @param alias that of the table in the query.
 */
export function recordJson(db: Kysely<Tables>, table: RecordTable, alias: string): Sql {
  const known = recordsOfTables.get(table) ?? new Map<string, Sql>();
  recordsOfTables.set(table, known);
  const written = known.get(alias);
  if (written) return written;
  const members = Array.from(table.fields.values(), ({ field, column, type }) => ({
    name: field,
    isDeclared: true,
    value: sql.id(alias, column),
    type,
  }));
  const expression = sql.raw(objectJson(members).compile(db).sql);
  known.set(alias, expression);
  return expression;
}

/** Returns an SQL expression that writes an object as JSON, as the service writes JSON itself. */
export function objectJson(members: readonly JsonMember[]): Sql {
  const written = members.map((member, index) => memberOf(member, index === 0 ? '{' : ','));
  return concatenation([...written, sql`'}'`]);
}

function memberOf(member: JsonMember, before: string): Sql {
  const name = `${before}${JSON.stringify(member.name)}:`;
  const write = (text: string) => (member.isDeclared ? sql.lit(text) : sql`${text}::text`);
  return sql`coalesce(${write(name)} || ${valueJson(member)}, ${write(`${name}null`)})`;
}

/** Returns the value as JSON, or SQL null if it is null. */
export function valueJson({ value, type }: Pick<JsonMember, 'value' | 'type'>): Sql {
  switch (type) {
    case 'string':
      return sql`to_json(${value})::text`;
    case 'decimal':
      return sql`'"' || ${value}::text || '"'`;
    case 'number':
      return doubleJson(value);
    default:
      return sql`${value}::text`;
  }
}

/**
 * Writes a `double precision` as JavaScript does: without an exponent from 1e-6 up to 1e21, where PostgreSQL
 * does so only from 1e-4 up to 1e15, and with an exponent of as few digits as possible. The 17th digit of a number
 * from 2^53 can differ, but reads as the same number. The first condition is for speed: it is true for most numbers.
 */
function doubleJson(value: Sql): Sql {
  return sql`case
    when ${value} >= 1e-4::float8 and ${value} < 1e15::float8 then ${value}::text
    when ${value} = 0 then '0'
    when abs(${value}) >= 1e-6::float8 and abs(${value}) < 1e21::float8 then ${value}::text::numeric::text
    else replace(${value}::text, 'e-0', 'e-') end`;
}

/** Concatenates in pairs of pairs, because `||` copies both of its operands. */
function concatenation(texts: readonly Sql[]): Sql {
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  const middle = Math.ceil(texts.length / 2);
  return sql`(${concatenation(texts.slice(0, middle))} || ${concatenation(texts.slice(middle))})`;
}
