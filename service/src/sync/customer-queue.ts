import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { openBoss, within } from '../jobs/boss.ts';
import type { Log } from '../log/log.ts';
import type { Customer } from './entity-lease.ts';

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
/** Opens the queue. Several processes may do so at once. */
export async function openCustomerQueue(db: Kysely<Tables>, log: Log): Promise<CustomerQueue> {
  // `short`: one waiting job for each singleton key.
  const boss = await openBoss(db, log, queue, { policy: 'short', retryLimit: 0 });
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
