import { CompiledQuery, sql, type Kysely, type Transaction } from 'kysely';
import { PgBoss, type Db } from 'pg-boss';
import { schemaLock } from '../database/migrate.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';

const hourly = 3_600;

/** Opens pg-boss with one queue; makes its own schema in the database if there is none. Several processes may do so at once. */
export async function openBoss(
  db: Kysely<Tables>,
  log: Log,
  queue: string,
  options: Parameters<PgBoss['createQueue']>[1],
): Promise<PgBoss> {
  // While it starts, one connection: pg-boss begins transactions of its own.
  let starter: Kysely<Tables> | null = null;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(starter ?? db, text, values) },
    // Nothing is ever left for pg-boss to schedule, expire or delete: it shall not ask the database all the time.
    schedule: false,
    supervise: false,
    bamIntervalSeconds: hourly,
    flowIntervalSeconds: hourly,
    queueCacheIntervalSeconds: hourly,
  });
  boss.on('error', error => log.warn('queue_failed', { error }));
  await db.connection().execute(async connection => {
    starter = connection;
    // Processes that start at once take turns, with each other and with migrations; a turn may take longer than a statement may.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await sql`select pg_advisory_lock(${schemaLock})`.execute(connection);
      try {
        await boss.start();
        await boss.createQueue(queue, options);
        // Fills the cache that every other call reads, which must not ask the database within somebody's transaction.
        await boss.insert(queue, []);
      } catch (error) {
        await boss.stop({ graceful: false, close: false });
        throw error;
      } finally {
        await sql`select pg_advisory_unlock(${schemaLock})`.execute(connection).catch(() => {});
      }
    } finally {
      starter = null;
      await sql`reset statement_timeout`.execute(connection).catch(() => {});
    }
  });
  return boss;
}

/** pg-boss' statements within a transaction of ours. */
export function within(transaction: Transaction<Tables>): Db {
  return { executeSql: (text, values) => executeSql(transaction, text, values) };
}

async function executeSql(
  db: Kysely<Tables>,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
  // Of several statements in one text, pg gives several results and Kysely passes on none.
  return { rows: Array.isArray(rows) ? rows : [] };
}
