import { sql, type Kysely } from 'kysely';
import type { Sealer } from './seal.ts';
import type { Tables } from './tables.ts';

/** Every column that holds sealed values. A column that is not listed cannot be sealed for, so the check below misses none. */
export const sealedColumns = [
  { table: 'connectors', column: 'credentials' },
  { table: 'oauth_apps', column: 'configuration' },
  { table: 'oauth_sessions', column: 'secrets' },
  { table: 'oauth_sessions', column: 'credentials' },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/**
 * Refuses to go on when the database holds a value sealed with a key that is not configured.
 * @throws Error in words for the operator, naming each missing key id.
 */
export async function refuseMissingKeys(kysely: Kysely<Tables>, sealer: Sealer): Promise<void> {
  const missing = new Set<string>();
  for (const { table, column } of sealedColumns) {
    const value = sql.ref(column);
    const { rows } = await sql<{ id: string }>`
      select distinct convert_from(substring(${value} from 3 for get_byte(${value}, 1)), 'LATIN1') as id
      from ${sql.table(table)}
      where ${value} is not null`.execute(kysely);
    for (const { id } of rows) if (!sealer.keyIds.includes(id)) missing.add(id);
  }
  if (missing.size === 0) return;
  throw new Error(
    `The database holds values sealed with keys that are not configured: ${[...missing].join(', ')}. ` +
      'Add them to ENCRYPTION_KEYS after the active key (or restore the key file of the data folder).',
  );
}
