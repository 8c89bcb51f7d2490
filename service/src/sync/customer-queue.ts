import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { openBoss, within } from '../jobs/boss.ts';
import type { Log } from '../log/log.ts';
import type { Customer } from './entity-lease.ts';

/**
 * A queue of customers with due entities. Each is in it once, so a customer with a thousand connectors waits
 * as long as one with a single connector. Each entry is a pg-boss job, which is deleted in the transaction
 * that leases the entity, so a process that dies leaves nothing behind.
 */
export interface CustomerQueue {
  /** Adds customers that are not in the queue at its end. */
  add(customers: readonly Customer[], transaction?: Transaction<Tables>): Promise<void>;
  /** Removes and returns the first customer of other organizations than these; null if there is none. */
  take(transaction: Transaction<Tables>, skippedOrganizations: readonly string[]): Promise<Customer | null>;
  close(): Promise<void>;
}

const queue = 'sync';

/** Opens the queue. Several processes can do so at the same time. */
export async function openCustomerQueue(db: Kysely<Tables>, log: Log): Promise<CustomerQueue> {
  // `short`: one waiting job per singleton key.
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
    async take(transaction, skippedOrganizations) {
      const ignoreGroups = skippedOrganizations.length > 0 ? [...skippedOrganizations] : null;
      const options = { db: within(transaction), ignoreGroups };
      const [job] = await boss.fetch<Customer>(queue, options);
      if (job === undefined) return null;
      await boss.deleteJob(queue, job.id, options);
      return job.data;
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}
