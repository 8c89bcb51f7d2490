import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { RecordTable } from '../../shared/records/record-table.ts';
import { expressionOf, type Sql } from './condition.ts';
import type { Target } from './target.ts';

/**
 * Returns an SQL expression that writes a record as a JSON object, as the service writes JSON itself.
 * @param fields the fields to return, under their paths. Null returns all searchable fields.
 */
export function recordJson(db: Kysely<Tables>, table: RecordTable, fields: readonly Target[] | null): Sql {
  return fields === null ? allFields(db, table) : objectOf(fields);
}

/** Cached and compiled, because it is the longest part of most statements. */
const allFieldsOfTables = new WeakMap<RecordTable, Sql>();

function allFields(db: Kysely<Tables>, table: RecordTable): Sql {
  const known = allFieldsOfTables.get(table);
  if (known) return known;
  const targets = Array.from(table.fields.values(), column => ({
    path: column.field,
    column,
    steps: [],
    type: column.type,
  }));
  const expression = sql.raw(objectOf(targets).compile(db).sql);
  allFieldsOfTables.set(table, expression);
  return expression;
}

function objectOf(targets: readonly Target[]): Sql {
  const members = targets.map((target, index) => memberOf(target, index === 0 ? '{' : ','));
  return concatenation([...members, sql`'}'`]);
}

function memberOf(target: Target, before: string): Sql {
  const name = `${before}${JSON.stringify(target.path)}:`;
  // Fields are named by the connector kind, other paths by the caller.
  const write = (text: string) => (target.steps.length === 0 ? sql.lit(text) : sql`${text}::text`);
  return sql`coalesce(${write(name)} || ${valueOf(target)}, ${write(`${name}null`)})`;
}

/** Returns the value as JSON, or SQL null if it is null. */
function valueOf(target: Target): Sql {
  const { column, steps } = target;
  const value = expressionOf(target);
  switch (steps.length === 0 ? column?.type : 'object') {
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
