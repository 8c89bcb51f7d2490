import { Gauge, type Registry } from 'prom-client';
import { notifyChanges } from '../../platform/notifications/changes.ts';
import { listenForSyncDue } from '../../platform/notifications/sync-due.ts';
import type { Needs } from '../../shared/core.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';
import { fillOrganizations } from '../../shared/records/fill-organizations.ts';
import { deleteOrphans } from '../../shared/records/store.ts';
import {
  addDeclaredEntities,
  releaseAbandonedLeases,
  releaseAllLeases,
} from '../../shared/repositories/sync-state.ts';
import {
  findHeads,
  reconcileQueue,
  takeFirst,
  type AtLimit,
  type EntityLease,
  type LeaseOptions,
} from './sync-queue.ts';
import { runTimeSlice, type TimeSliceEnd } from './time-slice.ts';

export type SyncContext = Needs<
  'database' | 'kinds' | 'tables' | 'credentials' | 'responses' | 'notifications' | 'audit' | 'clock' | 'log'
> & { readonly gauges: SyncGauges };

export interface SyncTuning {
  /** The default sync interval in minutes, for organizations that do not set one. */
  readonly intervalMinutes: number;
  /** Maximum number of concurrent time slices in this process. */
  readonly concurrency: number;
  readonly fullSyncHours: number;
  readonly sliceMs?: number;
  readonly leaseSeconds?: number;
  /** How often the queue is read and kept in order when no notification arrives, in milliseconds. */
  readonly pollMs?: number;
  /** Called at the end of each time slice. */
  readonly onSliceEnd?: (lease: EntityLease, end: TimeSliceEnd) => void;
}

export interface SyncWorker {
  /** Stops all running time slices. Each stops after the page that it is currently writing. */
  close(): Promise<void>;
}

/** The metrics that show whether there are enough time slices. */
type SyncGauges = ReturnType<typeof createSyncGauges>;

export function createSyncGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  return {
    concurrency: gauge('connector_auth_sync_slices_limit', 'Maximum number of concurrent time slices'),
    running: gauge('connector_auth_sync_slices_running', 'Time slices that sync data now'),
    lag: gauge(
      'connector_auth_sync_lag_seconds',
      'How long the customer at the head of the queue has waited for a time slice, of any process',
    ),
  };
}

/**
 * Syncs the records of all connectors, in cooperation with the other processes on the database. Customers
 * wait in a queue. Each time slice continues one entity's run for the first customer, who returns to the end
 * of the queue if more is due. A customer therefore waits for at most one slice of each other customer,
 * regardless of their size. A process never gives all its slices to one organization or to one kind, because the kind's
 * vendor may be slow.
 */
export async function startSyncWorker(context: SyncContext, tuning: SyncTuning): Promise<SyncWorker> {
  const { database, kinds } = context;
  const db = database.kysely;
  await addDeclaredEntities(
    db,
    kinds.all.flatMap(kind => searchableEntities(kind).map(entity => ({ kind: kind.key, entity }))),
  );
  if (!database.isShared) await releaseAllLeases(db);
  const scheduler = new Scheduler(context, tuning);
  const running = scheduler.run();
  return {
    close: async () => {
      scheduler.stop();
      await running;
    },
  };
}

/** How many connectors a poll looks for in the queue. With 10,000 connectors, all were looked for after four minutes. */
const reconciledPerPoll = 200;

class Scheduler {
  readonly #context: SyncContext;
  readonly #tuning: SyncTuning;
  readonly #pollMs: number;
  readonly #leaseOptions: LeaseOptions;
  readonly #stop = new AbortController();
  readonly #running = new Map<Promise<void>, EntityLease>();
  /** Resolves when a time slice may be able to start, because an entity is due or a slice has ended. */
  #wakeUp = Promise.withResolvers<void>();
  #nextPollAt = 0;
  #reconciled: Awaited<ReturnType<typeof reconcileQueue>> | undefined;
  /**
   * Whether the records of deleted connectors are being deleted. Time slices do not wait for this, because
   * there can be millions of records.
   */
  #isCleaningUp = false;

  constructor(context: SyncContext, tuning: SyncTuning) {
    this.#context = context;
    this.#tuning = tuning;
    const { intervalMinutes, fullSyncHours, leaseSeconds = 12, pollMs = 5_000 } = tuning;
    this.#pollMs = pollMs;
    const { kinds, tables } = context;
    const { columnsVersion } = tables;
    this.#leaseOptions = { kinds, columnsVersion, intervalMinutes, fullSyncHours, leaseSeconds };
    context.gauges.concurrency.set(tuning.concurrency);
  }

  stop(): void {
    this.#stop.abort();
    this.#wakeUp.resolve();
  }

  async run(): Promise<void> {
    const listening = this.#listen();
    void this.#fillOrganizations();
    while (!this.#stop.signal.aborted) {
      this.#wakeUp = Promise.withResolvers();
      try {
        if (performance.now() >= this.#nextPollAt) {
          this.#nextPollAt = performance.now() + this.#pollMs;
          await this.#poll();
        }
        await this.#fill();
      } catch (error) {
        this.#context.log.warn('sync_interrupted', { error });
      }
      await this.#wakeUp.promise;
    }
    await Promise.all([listening, ...this.#running.keys()]);
  }

  /** Wakes the scheduler on notifications, and polls as a fallback. */
  async #listen(): Promise<void> {
    const listener = listenForSyncDue(this.#context.notifications);
    while (!this.#stop.signal.aborted) {
      await listener.next(Math.max(1, this.#nextPollAt - performance.now()), this.#stop.signal);
      this.#wakeUp.resolve();
    }
    listener.close();
  }

  /** Repairs what notifications and triggers can miss. What it costs does not depend on how much is due. */
  async #poll(): Promise<void> {
    const { database, kinds, gauges, clock } = this.#context;
    const db = database.kysely;
    void this.#cleanUp();
    await releaseAbandonedLeases(db);
    this.#reconciled = await reconcileQueue(db, kinds, reconciledPerPoll, this.#reconciled);
    const [head] = await findHeads(db, kinds);
    gauges.lag.set(head === undefined ? 0 : Math.max(0, clock.now() - head.dueAt.getTime()) / 1000);
  }

  /**
   * Deletes the records of deleted connectors. Shutdown does not await the deletion, because it continues
   * after the next start.
   */
  async #cleanUp(): Promise<void> {
    if (this.#isCleaningUp) return;
    this.#isCleaningUp = true;
    try {
      await deleteOrphans(this.#context.database.kysely, this.#context.tables);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#context.log.warn('sync_cleanup_interrupted', { error });
    }
    this.#isCleaningUp = false;
  }

  /** Continues after the next start, like the deletion of records. */
  async #fillOrganizations(): Promise<void> {
    try {
      await fillOrganizations(this.#context.database.kysely, this.#context.tables, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#context.log.warn('record_organizations_missing', { error });
    }
  }

  /** Starts time slices up to the concurrency limit. */
  async #fill(): Promise<void> {
    while (this.#running.size < this.#tuning.concurrency && !this.#stop.signal.aborted) {
      const lease = await this.#leaseNext();
      if (lease === 'none') return;
      if (lease === 'not_due') continue;
      const slice: Promise<void> = this.#run(lease).finally(() => {
        this.#running.delete(slice);
        this.#context.gauges.running.set(this.#running.size);
        this.#wakeUp.resolve();
      });
      this.#running.set(slice, lease);
      this.#context.gauges.running.set(this.#running.size);
    }
  }

  /** Leases an entity for the customer that has waited longest and can get a time slice of this process. */
  async #leaseNext(): Promise<EntityLease | 'none' | 'not_due'> {
    const { database, kinds, notifications } = this.#context;
    const db = database.kysely;
    for (const head of await findHeads(db, kinds, this.#atLimit())) {
      const taken = await db
        .transaction()
        .execute(transaction => takeFirst(transaction, head, notifications.livenessId(), this.#leaseOptions));
      if (taken !== 'none') return taken;
    }
    return 'none';
  }

  /** Returns what has reached its limit, which leaves at least one time slice to other organizations and kinds. */
  #atLimit(): AtLimit {
    const leases = [...this.#running.values()];
    const maxSlices = Math.max(1, this.#tuning.concurrency - 1);
    const frequent = (values: readonly string[]) =>
      [...Map.groupBy(values, value => value)].flatMap(([value, { length }]) =>
        length >= maxSlices ? [value] : [],
      );
    return {
      organizations: frequent(leases.map(({ organizationId }) => organizationId)),
      kinds: frequent(leases.map(({ kind }) => kind)),
    };
  }

  async #run(lease: EntityLease): Promise<void> {
    const { log, notifications } = this.#context;
    const { onSliceEnd, sliceMs = 10_000 } = this.#tuning;
    const context = { ...this.#context, sliceMs, leaseSeconds: this.#leaseOptions.leaseSeconds };
    try {
      const end = await runTimeSlice(context, lease, this.#stop.signal);
      await notifyChanges(notifications, lease.organizationId);
      onSliceEnd?.(lease, end);
    } catch (error) {
      // The database failed. The lease expires, and another time slice resumes after the last saved page.
      log.warn('sync_slice_interrupted', { connector_id: lease.connectorId, entity: lease.entity, error });
    }
  }
}
