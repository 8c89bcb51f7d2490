import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.ts';
import { until } from './until.ts';

/**
 * Sends requests that change a table, and lets none of them finish before all of them wait for another transaction.
 * PGlite runs one transaction at a time, so there the requests are only sent at once.
 */
export async function runAtOnce<Result>(
  { kysely, engine }: Database,
  table: 'admin_keys',
  requests: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const send = () => Promise.all(requests.map(request => request()));
  if (engine === 'pglite') return send();
  const { responses } = await kysely.transaction().execute(async transaction => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(transaction);
    // In an object, because the transaction would wait for a promise that it returns.
    const sent = { responses: send() };
    await until(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
      if (rows[0]?.count !== requests.length) throw new Error('Not all requests are waiting');
    });
    return sent;
  });
  return responses;
}
