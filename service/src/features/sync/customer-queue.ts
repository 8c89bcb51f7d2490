import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { finishIndexes, openBoss, within } from '../../platform/jobs/boss.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Customer } from './entity-lease.ts';

/**
 * A queue of customers with due entities. Each customer is queued at most once, so a customer with a thousand
 * connectors waits as long as a customer with one. Each entry is a pg-boss job. The job is deleted in the
 * same transaction that leases the entity, so a process that crashes leaves no stale entry.
 */
export interface CustomerQueue {
  /** Appends customers that are not queued yet. */
  add(customers: readonly Customer[], transaction?: Transaction<Tables>): Promise<void>;
  /**
   * Removes and returns the first customer outside the skipped organizations. Returns null if there is none.
   */
  take(transaction: Transaction<Tables>, skippedOrganizations: readonly string[]): Promise<Customer | null>;
  close(): Promise<void>;
}

const queue = 'sync';

/** The `short` policy allows one waiting job per singleton key. */
const queueOptions = { policy: 'short', retryLimit: 0 } as const;

/** Creates or updates the tables of the queue. Several processes can do so concurrently. */
export async function createJobTables(db: Kysely<Tables>, log: Log): Promise<void> {
  const boss = await openBoss(db, log, queue, queueOptions);
  await finishIndexes(boss);
  await boss.stop({ graceful: false, close: false });
}

/** Opens the queue. Several processes can do so concurrently. */
export async function openCustomerQueue(db: Kysely<Tables>, log: Log): Promise<CustomerQueue> {
  const boss = await openBoss(db, log, queue, queueOptions);
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
