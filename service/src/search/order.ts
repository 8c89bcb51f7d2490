import { sql } from 'kysely';
import type { FieldColumn, RecordTable } from '../records/record-table.ts';
import { columnOf, expressionOf, jsonNumber, jsonText, parameter, type Sql } from './condition.ts';
import type { OperandType, Scalar } from './operand.ts';
import type { Target } from './target.ts';

export type Direction = 'asc' | 'desc';

export interface Sort {
  readonly target: Target;
  readonly direction: Direction;
}

/** One expression that rows are ordered by. Nulls are last in both directions. */
export interface SortKey {
  readonly expression: Sql;
  /** Null if the expression is not a plain column. */
  readonly column: FieldColumn | null;
  readonly type: OperandType;
  readonly direction: Direction;
  readonly isNullable: boolean;
}

/** The values of the sort keys in a row. */
export type Position = readonly (Scalar | null)[];

/** Returns the keys of a total order: those of the query, then the primary key. */
export function sortKeysOf(sorts: readonly Sort[], table: RecordTable): readonly SortKey[] {
  const asked = sorts.flatMap(sort => keysOfSort(sort));
  const rest = table.key.filter(part => !asked.some(({ column }) => column === part));
  return [...asked, ...rest.map(part => columnKey(part, 'asc'))];
}

function keysOfSort({ target, direction }: Sort): SortKey[] {
  if (target.column !== null && target.steps.length === 0) return [columnKey(target.column, direction)];
  const json = expressionOf(target);
  const key = (expression: Sql, type: OperandType): SortKey => ({
    expression,
    column: null,
    type,
    direction,
    isNullable: true,
  });
  // Only the data determines the type: numbers come first, then text, false, true, arrays and objects.
  return [
    key(
      sql`case ${json} when 'false' then 2 when 'true' then 3 else
        case jsonb_typeof(${json}) when 'number' then 0 when 'string' then 1 when 'array' then 4 when 'object' then 5 end end`,
      'integer',
    ),
    key(jsonNumber(json), 'decimal'),
    key(jsonText(json), 'string'),
  ];
}

function columnKey(column: FieldColumn, direction: Direction): SortKey {
  return {
    expression: columnOf(column.column),
    column,
    type: column.type === 'array' || column.type === 'object' ? 'json' : column.type,
    direction,
    isNullable: column.isNullable,
  };
}

/** Writes `order by`. Without `nulls last`, PostgreSQL can scan an index backwards. */
export function orderBy(keys: readonly SortKey[]): Sql {
  return sql.join(
    keys.map(({ expression, direction, isNullable }) =>
      direction === 'asc'
        ? sql`${expression}`
        : isNullable
          ? sql`${expression} desc nulls last`
          : sql`${expression} desc`,
    ),
  );
}

/** Writes the condition for rows after a position; null if there can be none. */
export function after(keys: readonly SortKey[], position: Position): Sql | null {
  const values = keys.map((_, index) => position[index] ?? null);
  if (keys.every(({ direction, isNullable }) => direction === 'asc' && !isNullable)) {
    const expressions = keys.map(({ expression }) => expression);
    const parameters = keys.map((key, index) => valueOf(key, values[index] ?? null));
    return sql`(${sql.join(expressions)}) > (${sql.join(parameters)})`;
  }
  const beyond = stepBeyond(keys, values);
  const [first] = keys;
  const [start = null] = values;
  if (beyond === null || first === undefined || start === null || first.isNullable) return beyond;
  // Redundant, but lets an index scan start there.
  const sign = sql.raw(first.direction === 'asc' ? '>=' : '<=');
  return sql`${first.expression} ${sign} ${valueOf(first, start)} and ${beyond}`;
}

/**
 * Matches rows after the position in the first key, or equal in it and after the position in the other keys.
 */
function stepBeyond(keys: readonly SortKey[], values: Position): Sql | null {
  const [key, ...otherKeys] = keys;
  const [value = null, ...otherValues] = values;
  if (key === undefined) return null;
  const ways: Sql[] = [];
  if (value !== null) {
    const sign = sql.raw(key.direction === 'asc' ? '>' : '<');
    ways.push(sql`${key.expression} ${sign} ${valueOf(key, value)}`);
    if (key.isNullable) ways.push(sql`${key.expression} is null`);
  }
  const beyond = stepBeyond(otherKeys, otherValues);
  if (beyond !== null) {
    const isEqual =
      value === null ? sql`${key.expression} is null` : sql`${key.expression} = ${valueOf(key, value)}`;
    ways.push(sql`(${isEqual} and ${beyond})`);
  }
  return ways.length === 0 ? null : sql`(${sql.join(ways, sql` or `)})`;
}

function valueOf({ type }: SortKey, value: Scalar | null): Sql {
  if (value === null) throw new Error('A key that cannot be null was null');
  return parameter(type, value);
}
