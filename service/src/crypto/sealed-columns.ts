import { sql, type RawBuilder } from 'kysely';

/**
 * All columns that contain sealed values. The types allow sealing only for these columns, so the list is
 * complete.
 */
export const sealedColumns = [
  { table: 'connectors', column: 'credentials' },
  { table: 'oauth_apps', column: 'configuration' },
  { table: 'oauth_sessions', column: 'secrets' },
  { table: 'oauth_sessions', column: 'credentials' },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/** The column that identifies the row of a sealed value in each table. */
export const rowColumns = { connectors: 'id', oauth_apps: 'kind', oauth_sessions: 'id' } as const;

/** Returns an SQL expression for the key id of a sealed value. */
export function keyIdIn(column: string): RawBuilder<string> {
  const value = sql.ref(column);
  return sql<string>`convert_from(substring(${value} from 3 for get_byte(${value}, 1)), 'LATIN1')`;
}
