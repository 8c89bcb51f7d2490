import { sql } from 'kysely';
import type { FieldColumn, RecordTable } from '../../shared/records/record-table.ts';
import { columnOf, expressionOf, jsonNumber, jsonText, parameter, type Sql } from './condition.ts';
import type { OperandType, Scalar } from './operand.ts';
import type { Target } from './target.ts';

export type Direction = 'asc' | 'desc';

export interface Sort {
  readonly target: Target;
  readonly direction: Direction;
}

/** An SQL expression to sort by. Nulls sort last in both directions. */
export interface SortKey {
  readonly expression: Sql;
  /** Null if the expression is not a plain column. */
  readonly column: FieldColumn | null;
  readonly type: OperandType;
  readonly direction: Direction;
  readonly isNullable: boolean;
}

/** The sort key values of a row. */
export type Position = readonly (Scalar | null)[];

/** Returns the sort keys of the query, followed by the primary key so that the order is total. */
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
  // The type is known only at run time: numbers sort first, then strings, false, true, arrays and objects.
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

/**
 * Writes the `order by` list. Omits `nulls last` where possible, so that PostgreSQL can scan an index
 * backwards.
 */
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

/** Writes a condition that matches the rows after a position. Returns null if no row can follow it. */
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
  // This condition is redundant, but lets an index scan start at the position.
  const sign = sql.raw(first.direction === 'asc' ? '>=' : '<=');
  return sql`${first.expression} ${sign} ${valueOf(first, start)} and ${beyond}`;
}

/**
 * Matches rows that sort after `values`. Such rows either come later in the first key, or are equal in the
 * first key and come later in the remaining keys.
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
  if (value === null) throw new Error('A sort key declared non-null was null');
  return parameter(type, value);
}
