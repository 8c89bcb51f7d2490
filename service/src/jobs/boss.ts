import { CompiledQuery, sql, type Kysely, type Transaction } from 'kysely';
import { PgBoss, type Db } from 'pg-boss';
import { schemaLock } from '../database/migrate.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';

const hourly = 3_600;

/**
 * Opens pg-boss with one queue, and creates its schema if it is missing. Several processes can do so at the
 * same time.
 */
export async function openBoss(
  db: Kysely<Tables>,
  log: Log,
  queue: string,
  options: Parameters<PgBoss['createQueue']>[1],
): Promise<PgBoss> {
  // pg-boss starts with transactions of its own, so it needs one connection until it has started.
  let starter: Kysely<Tables> | null = null;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(starter ?? db, text, values) },
    // pg-boss has nothing to schedule, expire or delete here, so it must not poll the database.
    schedule: false,
    supervise: false,
    bamIntervalSeconds: hourly,
    flowIntervalSeconds: hourly,
    queueCacheIntervalSeconds: hourly,
  });
  boss.on('error', error => log.warn('queue_failed', { error }));
  await db.connection().execute(async connection => {
    starter = connection;
    // Starting processes wait for each other and for migrations, which can take longer than the statement
    // timeout.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await sql`select pg_advisory_lock(${schemaLock})`.execute(connection);
      try {
        await boss.start();
        await boss.createQueue(queue, options);
        // Fills the cache that later calls read: they must not query the database within a caller's
        // transaction.
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

/** Runs pg-boss' statements in a transaction. */
export function within(transaction: Transaction<Tables>): Db {
  return { executeSql: (text, values) => executeSql(transaction, text, values) };
}

async function executeSql(
  db: Kysely<Tables>,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
  // For several statements in one text, pg returns several results and Kysely passes none on.
  return { rows: Array.isArray(rows) ? rows : [] };
}
