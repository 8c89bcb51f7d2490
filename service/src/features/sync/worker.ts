import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { listenForSyncDue } from '../../platform/notifications/sync-due.ts';
import type { Needs } from '../../shared/core.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';
import { fillOrganizations } from '../../shared/records/fill-organizations.ts';
import { deleteOrphans } from '../../shared/records/store.ts';
import {
  addEntitiesOfKind,
  releaseAbandonedLeases,
  releaseAllLeases,
} from '../../shared/repositories/sync-state.ts';
import { openCustomerQueue, type CustomerQueue } from './customer-queue.ts';
import {
  acquireEntityLease,
  findWaitingCustomers,
  type EntityLease,
  type LeaseOptions,
} from './entity-lease.ts';
import { runTimeSlice, type TimeSliceEnd } from './time-slice.ts';

/** The default maximum number of concurrent time slices. */
const defaultConcurrency = 4;

export type SyncContext = Needs<
  'database' | 'kinds' | 'tables' | 'credentials' | 'responses' | 'notifications' | 'audit' | 'log'
>;

export interface SyncTuning {
  /** The default sync interval in minutes, for organizations that do not set one. */
  readonly intervalMinutes?: number;
  /** Maximum number of concurrent time slices in this process. */
  readonly concurrency?: number;
  readonly sliceMs?: number;
  readonly leaseSeconds?: number;
  readonly fullRunHours?: number;
  /** Poll interval in milliseconds, used when no notification arrives. */
  readonly pollMs?: number;
  /** Called at the end of each time slice. */
  readonly onSliceEnd?: (lease: EntityLease, end: TimeSliceEnd) => void;
}

export interface SyncWorker {
  /** Stops all running time slices. Each stops after the page that it is currently writing. */
  close(): Promise<void>;
}

/**
 * Syncs the records of all connectors, in cooperation with the other processes on the database. Customers
 * wait in a queue. Each time slice continues one entity's run for the first customer, who returns to the end
 * of the queue if more is due. A customer therefore waits for at most one slice of each other customer,
 * regardless of their size. A process never gives all its slices to one organization.
 */
export async function startSyncWorker(
  context: SyncContext,
  tuning: SyncTuning & { readonly intervalMinutes: number },
): Promise<SyncWorker> {
  const { database, kinds, log } = context;
  const db = database.kysely;
  for (const kind of kinds.all) await addEntitiesOfKind(db, kind.key, searchableEntities(kind));
  if (!database.isShared) await releaseAllLeases(db);
  const queue = await openCustomerQueue(db, log);
  const scheduler = new Scheduler(context, tuning, queue);
  const running = scheduler.run();
  return {
    close: async () => {
      scheduler.stop();
      await running;
      await queue.close();
    },
  };
}

class Scheduler {
  readonly #context: SyncContext;
  readonly #tuning: SyncTuning;
  readonly #queue: CustomerQueue;
  readonly #leaseOptions: LeaseOptions;
  readonly #concurrency: number;
  readonly #stop = new AbortController();
  readonly #running = new Map<Promise<void>, EntityLease>();
  /** Resolves when a time slice may be able to start, because an entity is due or a slice has ended. */
  #wakeUp = Promise.withResolvers<void>();
  /** Whether customers that are due may be missing from the queue. */
  #isLookDue = true;
  /**
   * Whether the records of deleted connectors are being deleted. Time slices do not wait for this, because
   * there can be millions of records.
   */
  #isCleaningUp = false;

  constructor(
    context: SyncContext,
    tuning: SyncTuning & { readonly intervalMinutes: number },
    queue: CustomerQueue,
  ) {
    this.#context = context;
    this.#tuning = tuning;
    this.#queue = queue;
    this.#concurrency = tuning.concurrency ?? defaultConcurrency;
    this.#leaseOptions = {
      leaseSeconds: tuning.leaseSeconds ?? 12,
      intervalMinutes: tuning.intervalMinutes,
      fullRunHours: tuning.fullRunHours ?? 24,
      entities: new Map(
        context.kinds.all.flatMap(kind =>
          Object.entries(kind.entities).flatMap(([entity, { search }]) =>
            search
              ? [
                  [
                    `${kind.key}/${entity}`,
                    {
                      isIncremental: search.sync.incremental,
                      fullSyncCallsPerHour: kind.fullSyncCallsPerHour,
                    },
                  ] as const,
                ]
              : [],
          ),
        ),
      ),
    };
  }

  get #db(): Kysely<Tables> {
    return this.#context.database.kysely;
  }

  stop(): void {
    this.#stop.abort();
    this.#wakeUp.resolve();
  }

  async run(): Promise<void> {
    const { log } = this.#context;
    const listening = this.#listen();
    void this.#fillOrganizations();
    while (!this.#stop.signal.aborted) {
      this.#wakeUp = Promise.withResolvers();
      try {
        if (this.#isLookDue) {
          this.#isLookDue = false;
          void this.#cleanUp();
          await releaseAbandonedLeases(this.#db);
          await this.#queue.add(await findWaitingCustomers(this.#db, this.#leaseOptions));
        }
        await this.#fill();
      } catch (error) {
        log.warn('sync_interrupted', { error });
      }
      await this.#wakeUp.promise;
    }
    await Promise.all([listening, ...this.#running.keys()]);
  }

  /**
   * Deletes the records of deleted connectors. Shutdown does not await the deletion, because it continues
   * after the next start.
   */
  async #cleanUp(): Promise<void> {
    if (this.#isCleaningUp) return;
    this.#isCleaningUp = true;
    try {
      await deleteOrphans(this.#db, this.#context.tables);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#context.log.warn('sync_cleanup_interrupted', { error });
    }
    this.#isCleaningUp = false;
  }

  /** Continues after the next start, like the deletion of records. */
  async #fillOrganizations(): Promise<void> {
    try {
      await fillOrganizations(this.#db, this.#context.tables, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#context.log.warn('record_organizations_missing', { error });
    }
  }

  /** Wakes the scheduler on notifications, and polls as a fallback. */
  async #listen(): Promise<void> {
    const { pollMs = 5_000 } = this.#tuning;
    const { notifications } = this.#context;
    const listener = listenForSyncDue(notifications);
    while (!this.#stop.signal.aborted) {
      await listener.next(pollMs, this.#stop.signal);
      this.#isLookDue = true;
      this.#wakeUp.resolve();
    }
    listener.close();
  }

  /** Starts time slices up to the concurrency limit. */
  async #fill(): Promise<void> {
    while (this.#running.size < this.#concurrency && !this.#stop.signal.aborted) {
      const lease = await this.#leaseNext();
      if (lease === 'queue_empty') return;
      if (lease === null) continue;
      const slice: Promise<void> = this.#run(lease).finally(() => {
        this.#running.delete(slice);
        this.#wakeUp.resolve();
      });
      this.#running.set(slice, lease);
    }
  }

  /**
   * Leases an entity for the first customer in the queue. Returns null if none of the customer's entities is
   * due any more.
   */
  async #leaseNext(): Promise<EntityLease | null | 'queue_empty'> {
    return this.#db.transaction().execute(async transaction => {
      const customer = await this.#queue.take(transaction, this.#organizationsAtLimit());
      if (customer === null) return 'queue_empty';
      const holder = this.#context.notifications.livenessId();
      const owner = { leaseId: randomUUID(), holder };
      const lease = await acquireEntityLease(transaction, customer, owner, this.#leaseOptions);
      await this.#queue.add(
        await findWaitingCustomers(transaction, this.#leaseOptions, customer),
        transaction,
      );
      return lease;
    });
  }

  /**
   * Returns the organizations that have reached their limit, which leaves at least one time slice to other
   * organizations.
   */
  #organizationsAtLimit(): string[] {
    const counts = new Map<string, number>();
    for (const { organizationId } of this.#running.values()) {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
    }
    const maxSlices = Math.max(1, this.#concurrency - 1);
    return [...counts].flatMap(([organizationId, count]) => (count >= maxSlices ? [organizationId] : []));
  }

  async #run(lease: EntityLease): Promise<void> {
    const { log } = this.#context;
    const { onSliceEnd, sliceMs = 10_000 } = this.#tuning;
    const context = { ...this.#context, sliceMs, leaseSeconds: this.#leaseOptions.leaseSeconds };
    try {
      const end = await runTimeSlice(context, lease, this.#stop.signal);
      onSliceEnd?.(lease, end);
      await this.#queue.add(await findWaitingCustomers(this.#db, this.#leaseOptions, lease));
    } catch (error) {
      // The database failed. The lease expires, and another time slice resumes after the last saved page.
      log.warn('sync_slice_interrupted', { connector_id: lease.connectorId, entity: lease.entity, error });
    }
  }
}
