import { sql, type RawBuilder } from 'kysely';

/** Every column that holds sealed values. A column that is not listed cannot be sealed for, so the check below misses none. */
export const sealedColumns = [
  { table: 'connectors', column: 'credentials' },
  { table: 'oauth_apps', column: 'configuration' },
  { table: 'oauth_sessions', column: 'secrets' },
  { table: 'oauth_sessions', column: 'credentials' },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/** The column that a table's sealed values name as their row. */
export const rowColumns = { connectors: 'id', oauth_apps: 'kind', oauth_sessions: 'id' } as const;

/** The key id that a sealed value of a column begins with. */
export function keyIdIn(column: string): RawBuilder<string> {
  const value = sql.ref(column);
  return sql<string>`convert_from(substring(${value} from 3 for get_byte(${value}, 1)), 'LATIN1')`;
}
