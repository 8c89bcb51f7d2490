import { ConnectorAuthError } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Returns a time that must be in the future by the database's clock, which all processes share.
 * @param path the field of the request that contains the time.
 */
export async function requireFuture(db: Kysely<Tables>, path: string, text: string): Promise<Date> {
  const time = new Date(text);
  const { rows } = await sql<{
    isFuture: boolean;
  }>`select ${time}::timestamptz > now() as "isFuture"`.execute(db);
  if (rows[0]?.isFuture === true) return time;
  throw ConnectorAuthError.invalid('malformed_request', [{ path, message: 'Must be in the future' }]);
}
