import type { Issue } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import { StatementTimeoutError } from '../database/pool.ts';
import type { Tables } from '../database/tables.ts';
import { connectorColumn, quote, type RecordTable } from '../records/record-table.ts';
import { columnOf, conditionOf, expressionOf, rows as table, type Sql } from './condition.ts';
import { deadlineCondition, deadlineErrorCode } from './deadline.ts';
import type { Scalar } from './operand.ts';
import { after, orderBy, sortKeysOf, type Position, type SortKey } from './order.ts';
import { invalidParams, type SearchQuery } from './query.ts';
import type { Target } from './target.ts';

export type SearchRecord = Record<string, unknown>;

/** A page of records and the position after it. The position is null on the last page. */
export interface Page {
  readonly records: readonly SearchRecord[];
  readonly next: Position | null;
}

/**
 * Reads a page of a connector's records.
 * @param position position of the last record on the previous page, or null for the first page.
 * @param deadlineMs time limit that the statement checks itself, or null if the database cancels it.
 * @throws StatementTimeoutError if the statement exceeds its time limit.
 * @throws ConnectorAuthError `invalid_params` if the query exceeds PostgreSQL's parameter limit.
 */
export async function selectPage(
  db: Kysely<Tables>,
  records: RecordTable,
  connectorId: string,
  {
    query,
    position,
    deadlineMs,
  }: {
    readonly query: SearchQuery;
    readonly position: Position | null;
    readonly deadlineMs: number | null;
  },
): Promise<Page> {
  const keys = sortKeysOf(query.sort, records);
  const columns = columnsOf(query, records, keys);
  const deadline = deadlineMs === null ? null : deadlineCondition(deadlineMs);
  const filter = query.filter === null ? sql`` : sql`and ${conditionOf(query.filter, records, deadline)}`;
  const inTime = deadline === null ? sql`` : sql`and ${deadline}`;
  const found: SearchRecord[] = [];
  for (const part of partsOf(keys, position)) {
    const missing = query.limit + 1 - found.length;
    if (missing <= 0) break;
    const start = part.position === null ? sql`` : after(part.keys, part.position);
    if (start === null) continue;
    const statement = sql<SearchRecord>`
      select ${columns.sql} from ${sql.id(records.name)} as ${sql.id(table)}
      where ${columnOf(connectorColumn)} = ${connectorId}::uuid ${inTime} ${filter}
        ${part.narrowing} ${part.position === null ? start : sql`and ${start}`}
      order by ${orderBy(part.keys)} limit ${missing}`.compile(db);
    if (statement.parameters.length > maxParameters) throw invalidParams(records, [tooLarge]);
    const { rows } = await db.executeQuery(statement).catch((error: unknown) => {
      const isTooSlow =
        deadline !== null && error instanceof DatabaseError && error.code === deadlineErrorCode;
      throw isTooSlow ? new StatementTimeoutError(error) : error;
    });
    for (const row of rows) found.push(row);
  }
  const hasMore = found.length > query.limit;
  if (hasMore) found.pop();
  const last = found.at(-1);
  const next = hasMore && last ? keys.map((_, index) => scalarOf(last, columns.keyNames[index])) : null;
  return { records: columns.toRecord === null ? found : found.map(columns.toRecord), next };
}

/** PostgreSQL's limit: the protocol stores the number of a statement's parameters in 16 bits. */
const maxParameters = 65_535;
const tooLarge: Issue = {
  path: 'params',
  message: 'The filter, sort and fields are too large in total: use fewer comparisons or shorter paths',
};

/** One of the consecutive queries that together return the page. */
interface Part {
  readonly narrowing: Sql;
  readonly keys: readonly SortKey[];
  readonly position: Position | null;
}

/**
 * Splits the query in two if the first sort key is indexed. The first part returns the rows with a value, and
 * the second part returns the rows with null. Nulls sort last in both directions, and a single index cannot
 * serve both orders.
 */
function partsOf(keys: readonly SortKey[], position: Position | null): Part[] {
  const [first, ...others] = keys;
  if (first === undefined || !first.isNullable || first.column?.isIndexed !== true) {
    return [{ narrowing: sql``, keys, position }];
  }
  const isAmongNulls = position !== null && position[0] === null;
  const withKey = {
    narrowing: sql`and ${first.expression} is not null`,
    keys: [{ ...first, isNullable: false }, ...others],
    position,
  };
  const withoutKey = {
    narrowing: sql`and ${first.expression} is null`,
    keys: others,
    position: isAmongNulls ? position.slice(1) : null,
  };
  return isAmongNulls ? [withoutKey] : [withKey, withoutKey];
}

interface Columns {
  readonly sql: Sql;
  /** The names of the sort keys among the selected columns. */
  readonly keyNames: readonly string[];
  /** Converts a row to a record. Null if rows need no conversion. */
  readonly toRecord: ((row: SearchRecord) => SearchRecord) | null;
}

function columnsOf(query: SearchQuery, records: RecordTable, keys: readonly SortKey[]): Columns {
  const all = allColumns(records);
  const outputs = query.fields === null ? all.outputs : query.fields.map(outputOf);
  const extras: { name: string; sql: Sql }[] = [];
  const keyNames = keys.map(({ column, expression }, index) => {
    if (column !== null && outputs.some(({ name }) => name === column.column)) return column.column;
    const name = `$key${index}`;
    extras.push({ name, sql: expression });
    return name;
  });
  const isRecord = extras.length === 0 && outputs.every(({ path, name }) => path === name);
  const added = query.fields === null ? extras : [...outputs, ...extras];
  return {
    sql: sql.join([
      ...(query.fields === null ? [all.sql] : []),
      ...added.map(output => sql`${output.sql} as ${sql.id(output.name)}`),
    ]),
    keyNames,
    toRecord: isRecord
      ? null
      : row => {
          const record: SearchRecord = {};
          for (const { path, name } of outputs) record[path] = row[name];
          return record;
        },
  };
}

interface Output {
  readonly path: string;
  /** The column name in the query result. */
  readonly name: string;
  readonly sql: Sql;
}

function outputOf(target: Target, index: number): Output {
  const { path, column, steps } = target;
  if (column !== null && steps.length === 0) {
    return { path, name: column.column, sql: columnOf(column.column) };
  }
  // A generated name, because PostgreSQL truncates long names.
  return { path, name: `$field${index}`, sql: expressionOf(target) };
}

interface AllColumns {
  readonly outputs: readonly Output[];
  /** Cached, because it is the longest part of most statements. */
  readonly sql: Sql;
}

const allOfTables = new WeakMap<RecordTable, AllColumns>();

function allColumns(records: RecordTable): AllColumns {
  const known = allOfTables.get(records);
  if (known) return known;
  const columns = [...records.fields.values()];
  const all = {
    outputs: columns.map(({ field, column }) => ({ path: field, name: column, sql: columnOf(column) })),
    sql: sql.raw(columns.map(({ column }) => `${quote(table)}.${quote(column)}`).join(', ')),
  };
  allOfTables.set(records, all);
  return all;
}

function scalarOf(row: SearchRecord, name: string | undefined): Scalar | null {
  // Sort keys are numbers, strings or booleans.
  return ((name === undefined ? null : row[name]) ?? null) as Scalar | null;
}
