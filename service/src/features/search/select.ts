import { JsonText, type Issue } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import { StatementTimeoutError } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { objectJson, recordJson } from '../../shared/records/record-json.ts';
import { ofConnector, type RecordTable } from '../../shared/records/record-table.ts';
import type { ConnectorRef } from '../../shared/repositories/connectors.ts';
import { conditionOf, expressionOf, rows as table, type Sql } from './condition.ts';
import type { PlanCheck } from './cost.ts';
import { deadlineCondition, deadlineErrorCode } from './deadline.ts';
import type { Scalar } from './operand.ts';
import { after, orderBy, sortKeysOf, type Position, type SortKey } from './order.ts';
import { invalidParams, type SearchQuery } from './query.ts';

/** A page of records and the position after it. The position is null on the last page. */
export interface Page {
  /** A JSON array, written by the database. */
  readonly records: JsonText;
  readonly next: Position | null;
}

/** A record as JSON, with the values of its sort keys. */
type Row = { readonly record: string } & Readonly<Record<KeyName, Scalar | null>>;
type KeyName = `key${number}`;

/**
 * Reads a page of a connector's records.
 * @param position position of the last record on the previous page, or null for the first page.
 * @param deadlineMs time limit that the statement checks itself, or null if the database cancels it.
 * @param checkPlan gets the cost that the planner expects before a statement runs. Null if that is not necessary.
 * @throws StatementTimeoutError if the statement exceeds its time limit.
 * @throws ConnectorAuthError `invalid_params` if the query exceeds PostgreSQL's parameter limit.
 */
export async function selectPage(
  db: Kysely<Tables>,
  records: RecordTable,
  connector: ConnectorRef,
  {
    query,
    position,
    deadlineMs,
    checkPlan,
  }: {
    readonly query: SearchQuery;
    readonly position: Position | null;
    readonly deadlineMs: number | null;
    readonly checkPlan: PlanCheck | null;
  },
): Promise<Page> {
  const keys = sortKeysOf(query.sort, records);
  const columns = sql.join([
    sql`${fieldsJson(db, records, query.fields)} as record`,
    ...keys.map(({ expression }, index) => sql`${expression} as ${sql.id(keyName(index))}`),
  ]);
  const deadline = deadlineMs === null ? null : deadlineCondition(deadlineMs);
  const filter = query.filter === null ? sql`` : sql`and ${conditionOf(query.filter, records, deadline)}`;
  const inTime = deadline === null ? sql`` : sql`and ${deadline}`;
  const found: Row[] = [];
  for (const part of partsOf(keys, position)) {
    const missing = query.limit + 1 - found.length;
    if (missing <= 0) break;
    const start = part.position === null ? sql`` : after(part.keys, part.position);
    if (start === null) continue;
    // The records are selected before they are written. In one query, the database could write every record that
    // matches, and sort them with their JSON.
    const selected = sql`
      select ${sql.id(table)}.* from ${sql.id(records.name)} as ${sql.id(table)}
      where ${ofConnector(records, table, connector)} ${inTime} ${filter}
        ${part.narrowing} ${part.position === null ? start : sql`and ${start}`}
      order by ${orderBy(part.keys)} limit ${missing}`;
    const statement = sql<Row>`
      select ${columns} from (${selected}) as ${sql.id(table)} order by ${orderBy(part.keys)}`.compile(db);
    if (statement.parameters.length > maxParameters) throw invalidParams(records, [tooLarge]);
    checkPlan?.(await plannedCost(db, selected));
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
  const next = hasMore && last ? keys.map((_, index) => last[keyName(index)] ?? null) : null;
  return { records: arrayOf(found), next };
}

/** Returns what the planner expects a statement to cost, in its own units. */
async function plannedCost(db: Kysely<Tables>, statement: Sql): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: { 'Total Cost': number } }[] }>`
    explain (format json) ${statement}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Total Cost'] ?? 0;
}

function fieldsJson(db: Kysely<Tables>, records: RecordTable, fields: SearchQuery['fields']): Sql {
  if (fields === null) return recordJson(db, records, table);
  return objectJson(
    fields.map(target => ({
      name: target.path,
      isDeclared: target.steps.length === 0,
      value: expressionOf(target),
      type: target.steps.length === 0 ? (target.column?.type ?? 'json') : 'json',
    })),
  );
}

function keyName(index: number): KeyName {
  return `key${index}`;
}

function arrayOf(rows: readonly Row[]): JsonText {
  let text = '[';
  // Unlike `join`, this copies no text until the whole response is written.
  for (const [index, { record }] of rows.entries()) text += index === 0 ? record : `,${record}`;
  return new JsonText(`${text}]`, rows.length);
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
