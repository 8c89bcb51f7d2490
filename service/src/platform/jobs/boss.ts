import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, sql, type Kysely, type Transaction } from 'kysely';
import { PgBoss, type Db } from 'pg-boss';
import { schemaLock } from '../database/schema-locks.ts';
import { explainMissingRights } from '../database/schema-rights.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';

const hourly = 3_600;
/** The service does not use pg-boss's schedules and expiry, so pg-boss does not need to poll the database. */
const quiet = {
  schedule: false,
  supervise: false,
  bamIntervalSeconds: hourly,
  flowIntervalSeconds: hourly,
  queueCacheIntervalSeconds: hourly,
};

/**
 * Starts pg-boss with one queue, and creates its schema if it does not exist. Several processes can start it
 * concurrently.
 */
export async function openBoss(
  db: Kysely<Tables>,
  log: Log,
  queue: string,
  options: Parameters<PgBoss['createQueue']>[1],
): Promise<PgBoss> {
  // While pg-boss starts, it manages its own transactions and therefore needs a dedicated connection.
  let starter: Kysely<Tables> | null = null;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(starter ?? db, text, values) },
    ...quiet,
  });
  boss.on('error', error => log.warn('queue_failed', { error }));
  await db.connection().execute(async connection => {
    starter = connection;
    // Processes that start at the same time wait for each other and for migrations, which can exceed the
    // statement timeout.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await sql`select pg_advisory_lock(${schemaLock})`.execute(connection);
      try {
        await explainMissingRights(['job tables'], () => boss.start());
        await boss.createQueue(queue, options);
        // Fills a cache in pg-boss, so that later calls do not need a query of their own during a caller's
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

/** Returns what {@link openBoss} would do to pg-boss's tables, or null if nothing. Changes nothing. */
export async function pendingJobChange(db: Kysely<Tables>): Promise<'create' | 'update' | null> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(db, text, values) },
    ...quiet,
    migrate: false,
  });
  boss.on('error', () => {});
  if (!(await boss.isInstalled())) return 'create';
  try {
    await boss.start();
    return null;
  } catch (error) {
    // pg-boss reports this by its message only.
    if (error instanceof Error && error.message.includes('requires migrations')) return 'update';
    throw error;
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}

const maxIndexingMs = 600_000;

/** Waits for the indexes that an update of pg-boss builds in the background. */
export async function finishIndexes(boss: PgBoss): Promise<void> {
  const deadline = Date.now() + maxIndexingMs;
  const isBuilding = async () =>
    (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress');
  while ((await isBuilding()) && Date.now() < deadline) await delay(200);
}

/** Returns a pg-boss database adapter that runs all statements in a transaction. */
export function within(transaction: Transaction<Tables>): Db {
  return { executeSql: (text, values) => executeSql(transaction, text, values) };
}

async function executeSql(
  db: Kysely<Tables>,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
  // If the text contains several statements, pg returns several results, and Kysely returns none of them.
  return { rows: Array.isArray(rows) ? rows : [] };
}
