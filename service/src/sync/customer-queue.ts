import { CompiledQuery, sql, type Kysely, type Transaction } from 'kysely';
import { PgBoss, type Db } from 'pg-boss';
import { schemaLock } from '../database/migrate.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';
import type { Customer } from './lease.ts';

/**
 * Customers who stand in line for a turn, each at most once: so one with a thousand connectors waits as long as one with a single
 * connector. A job of pg-boss is a place in the line; it is deleted in the transaction that begins the turn, so that a process that
 * dies leaves nothing behind.
 */
export interface CustomerQueue {
  /** Puts customers at the end, those that do not stand in line already. */
  add(customers: readonly Customer[], transaction?: Transaction<Tables>): Promise<void>;
  /** Takes the first one that is of none of these organizations, for as long as the transaction holds; null when there is none. */
  take(
    transaction: Transaction<Tables>,
    organizationsPassedOver: readonly string[],
  ): Promise<Customer | null>;
  close(): Promise<void>;
}

const queue = 'sync';
const hourly = 3_600;

/** Opens the queue; makes pg-boss' own schema in the database if there is none. Several processes may do so at once. */
export async function openCustomerQueue(db: Kysely<Tables>, log: Log): Promise<CustomerQueue> {
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
        // `short`: one waiting job for each singleton key.
        await boss.createQueue(queue, { policy: 'short', retryLimit: 0 });
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
  return {
    async add(customers, transaction) {
      if (customers.length === 0) return;
      const jobs = customers.map(customer => ({
        data: customer,
        singletonKey: customer.customerId,
        group: { id: customer.organizationId },
      }));
      await boss.insert(queue, jobs, transaction ? { db: within(transaction) } : {});
    },
    async take(transaction, organizationsPassedOver) {
      const ignoreGroups = organizationsPassedOver.length > 0 ? [...organizationsPassedOver] : null;
      const options = { db: within(transaction), ignoreGroups };
      const [job] = await boss.fetch<Customer>(queue, options);
      if (job === undefined) return null;
      await boss.deleteJob(queue, job.id, options);
      return job.data;
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** pg-boss' statements within a transaction of ours. */
function within(transaction: Transaction<Tables>): Db {
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
