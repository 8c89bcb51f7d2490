import { uuid } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { decodeCursor, defaultPageSize, storableTime } from './paging.ts';

/** The query parameters of a list that can be searched and sorted. `-` before a key reverses the order. */
export interface SortedQuery<Key extends string> {
  readonly search?: string | undefined;
  readonly sort?: Key | `-${Key}` | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** An expression that rows are sorted by. An index on the expression and the row's id makes each page fast. */
export interface SortKey {
  readonly expression: RawBuilder<unknown>;
  /** The value of the expression as text, for the cursor. */
  readonly text: RawBuilder<string>;
  readonly schema: z.ZodType<string>;
  /** Converts the text in a cursor to a value of the expression. */
  readonly parse: (text: string) => RawBuilder<unknown>;
}

/** Sorts by a name without regard to case. */
export function byName(column: string | RawBuilder<unknown>): SortKey {
  const expression = foldedCase(column);
  return {
    expression,
    text: expression,
    // PostgreSQL cannot store U+0000.
    schema: z.string().refine(text => !text.includes('\0')),
    parse: text => sql`${text}`,
  };
}

/** Sorts by a time with millisecond precision. */
export function byTime(column: string): SortKey {
  const expression = sql.ref(column);
  return {
    expression,
    text: sql<string>`to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    schema: storableTime,
    parse: text => sql`${text}::timestamptz`,
  };
}

/**
 * Returns the parts of an SQL query for a page of rows, sorted by a key and then by id.
 * @param columns.keys the keys that the rows can be sorted by. The first one is the default.
 * @throws ConnectorAuthError `malformed_request` if the cursor is invalid.
 */
export function sortedPage<Key extends string>(
  { sort, limit = defaultPageSize, cursor }: SortedQuery<Key>,
  columns: { readonly id: string; readonly keys: Readonly<Record<Key, SortKey>> },
) {
  const isDescending = sort?.startsWith('-') === true;
  // The contract's `sort` is one of the keys, and an object has them in the order of their declaration.
  const name = (sort?.replace(/^-/, '') ?? Object.keys(columns.keys)[0]) as Key;
  const key = columns.keys[name];
  const id = sql.ref(columns.id);
  const after = decodeCursor(cursor, z.tuple([key.schema, uuid]));
  const direction = isDescending ? sql`desc` : sql`asc`;
  return {
    limit,
    position: sql<[string, string]>`array[${key.text}, ${id}::text]`.as('position'),
    isAfter:
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(${key.expression}, ${id}) ${isDescending ? sql`<` : sql`>`}
            (${key.parse(after[0])}, ${after[1]}::uuid)`,
    order: sql`${key.expression} ${direction}, ${id} ${direction}`,
  };
}

/** Returns an SQL condition for whether a name contains a text, in any case. */
export function nameContains(column: string | RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`${foldedCase(column)} like lower(${pattern}::text collate "pg_c_utf8")`;
}

/** Returns a name in lower case. The collation is the same in all databases and knows all languages. */
function foldedCase(column: string | RawBuilder<unknown>): RawBuilder<string> {
  const name = typeof column === 'string' ? sql.ref(column) : column;
  return sql<string>`lower(${name} collate "pg_c_utf8")`;
}
