import { uuid } from '@connector-auth/api';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { decodeCursor, defaultPageSize } from './paging.ts';

/** The query parameters of a list that can be searched and sorted. `-` before a key reverses the order. */
export interface SortedQuery<Key extends string> {
  readonly search?: string | undefined;
  readonly sort?: Key | `-${Key}` | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const position = z.tuple([z.string().refine(text => !text.includes('\0')), uuid]);

/**
 * Returns the parts of an SQL query that sorts rows by a text and then by id.
 * @param columns.keys the texts that the rows can be sorted by. The first one is the default.
 * @throws ConnectorAuthError `malformed_request` if the cursor is invalid.
 */
export function sortedPage<Key extends string>(
  { sort, limit = defaultPageSize, cursor }: SortedQuery<Key>,
  {
    id,
    keys,
  }: { readonly id: RawBuilder<unknown>; readonly keys: Readonly<Record<Key, RawBuilder<unknown>>> },
) {
  const isDescending = sort?.startsWith('-') === true;
  // The contract's `sort` is one of the keys, and an object has them in the order of their declaration.
  const name = (sort?.replace(/^-/, '') ?? Object.keys(keys)[0]) as Key;
  const key = sql`${keys[name]} collate "C"`;
  const after = decodeCursor(cursor, position);
  const [text, afterId] = after ?? [];
  return {
    limit,
    position: sql<[string, string]>`array[${keys[name]}, ${id}::text]`.as('position'),
    isAfter:
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(${key}, ${id}) ${isDescending ? sql`<` : sql`>`} (${text}, ${afterId}::uuid)`,
    order: isDescending ? sql`${key} desc, ${id} desc` : sql`${key}, ${id}`,
  };
}

/** Returns an SQL expression for a time as a text that sorts by time. */
export function isoTime(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;
}

/** Returns an SQL condition for whether a name contains a text, in any case. */
export function nameContains(name: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`lower(${name}) like lower(${pattern})`;
}
