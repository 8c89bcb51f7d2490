import { sql, type Kysely } from 'kysely';
import { connectorColumn, quote, type RecordTable } from '../records/record-table.ts';
import type { Tables } from '../storage/tables.ts';
import { columnOf, conditionOf, expressionOf, rows as table, type Sql } from './condition.ts';
import type { Scalar } from './operand.ts';
import { after, orderBy, sortKeysOf, type Position, type SortKey } from './order.ts';
import type { SearchQuery } from './query.ts';
import { cellReaders, cellsOf } from './row-text.ts';
import type { Target } from './target.ts';

export type SearchRecord = Record<string, unknown>;

/** A page of records, and where the next one starts; null after the last. */
export interface Page {
  readonly records: readonly SearchRecord[];
  readonly next: Position | null;
}

/**
 * Reads a page of a connector's records.
 * @param position of the last record of the page before; null for the first page.
 */
export async function selectPage(
  db: Kysely<Tables>,
  records: RecordTable,
  connectorId: string,
  query: SearchQuery,
  position: Position | null,
): Promise<Page> {
  const keys = sortKeysOf(query.sort, records);
  const columns = columnsOf(query, records, keys);
  const filter = query.filter === null ? sql`` : sql`and ${conditionOf(query.filter, records)}`;
  const found: string[] = [];
  for (const part of partsOf(keys, position)) {
    const missing = query.limit + 1 - found.length;
    if (missing <= 0) break;
    const start = part.position === null ? sql`` : after(part.keys, part.position);
    if (start === null) continue;
    const { rows } = await sql<{ row: string }>`
      select ${sql.id(page)}::text as row from (
        select ${columns.sql} from ${sql.id(records.name)} as ${sql.id(table)}
        where ${columnOf(connectorColumn)} = ${connectorId}::uuid ${filter}
          ${part.narrowing} ${part.position === null ? start : sql`and ${start}`}
        order by ${orderBy(part.keys)} limit ${missing}
      ) as ${sql.id(page)}`.execute(db);
    for (const { row } of rows) found.push(row);
  }
  const hasMore = found.length > query.limit;
  if (hasMore) found.pop();
  const last = found.at(-1);
  return {
    records: found.map(columns.readRecord),
    next: hasMore && last !== undefined ? columns.readPosition(last) : null,
  };
}

/** Only the rows of the page are written as text, not all that are sorted to find them. No field has this name. */
const page = '$page';

/** Rows that are read one part after the other. */
interface Part {
  readonly narrowing: Sql;
  readonly keys: readonly SortKey[];
  readonly position: Position | null;
}

/**
 * Nulls are last in both directions, which no index gives in both. So where an index can be read, rows that have the first key come
 * first, in the order of the index or against it, and those that do not have it come after them.
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

/** What is selected, as one text for each row, and how it is read. */
interface Columns {
  readonly sql: Sql;
  readonly readRecord: (row: string) => SearchRecord;
  /** The values of the sort keys. */
  readonly readPosition: (row: string) => Position;
}

function columnsOf(query: SearchQuery, records: RecordTable, keys: readonly SortKey[]): Columns {
  const outputs = query.fields ?? targetsOf(records);
  const cells = outputs.map(({ path, type }) => ({ path, read: cellReaders[type] }));
  return {
    sql: sql.join([
      query.fields === null ? allColumns(records) : sql.join(outputs.map(output => expressionOf(output))),
      ...keys.map(({ expression }) => expression),
    ]),
    readRecord: row => {
      const texts = cellsOf(row);
      const record: SearchRecord = {};
      // A page has up to half a million values: this loop makes no object for each.
      let index = 0;
      for (const { path, read } of cells) {
        const text = texts[index++];
        record[path] = text === null || text === undefined ? null : read(text);
      }
      return record;
    },
    readPosition: row => {
      const texts = cellsOf(row).slice(outputs.length);
      return keys.map(({ type }, index) => {
        const text = texts[index] ?? null;
        // Sort keys are numbers, text or booleans.
        return text === null ? null : (cellReaders[type](text) as Scalar);
      });
    },
  };
}

const targets = new WeakMap<RecordTable, readonly Target[]>();

function targetsOf(records: RecordTable): readonly Target[] {
  const known = targets.get(records);
  if (known) return known;
  const all = Array.from(records.fields.values(), column => ({
    path: column.field,
    column,
    steps: [],
    type: column.type,
  }));
  targets.set(records, all);
  return all;
}

const columnLists = new WeakMap<RecordTable, Sql>();

/** Every searchable field; one piece of text, for it is the longest part of most statements. */
function allColumns(records: RecordTable): Sql {
  const known = columnLists.get(records);
  if (known) return known;
  const names = Array.from(records.fields.values(), ({ column }) => `${quote(table)}.${quote(column)}`);
  const list = sql.raw(names.join(', '));
  columnLists.set(records, list);
  return list;
}
