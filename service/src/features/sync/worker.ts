import { Counter, Gauge, type Registry } from 'prom-client';
import type { Job } from '../../platform/jobs/periodic-job.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { WorkLoop } from '../../platform/notifications/work-loop.ts';
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

/** The metrics that show whether there are enough time slices. */
type SyncGauges = ReturnType<typeof createSyncGauges>;

export function createSyncGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  return {
    concurrency: gauge('connector_auth_sync_slices_limit', 'Maximum number of concurrent time slices'),
    runs: new Counter({
      name: 'connector_auth_sync_runs_total',
      help: 'Sync runs of a type of data, by outcome: ok, or the error code of a failed attempt',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
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
 * vendor may be slow. Closing the worker stops all running time slices, each after the page that it is currently writing.
 */
export async function startSyncWorker(context: SyncContext, tuning: SyncTuning): Promise<Job> {
  const { database, kinds } = context;
  const db = database.kysely;
  await addDeclaredEntities(
    db,
    kinds.all.flatMap(kind => searchableEntities(kind).map(entity => ({ kind: kind.key, entity }))),
  );
  if (!database.isShared) await releaseAllLeases(db);
  return new Scheduler(context, tuning).start();
}

/** How many connectors a poll looks for in the queue. With 10,000 connectors, all were looked for after four minutes. */
const reconciledPerPoll = 200;

class Scheduler {
  readonly #context: SyncContext;
  readonly #tuning: SyncTuning;
  readonly #pollMs: number;
  readonly #leaseOptions: LeaseOptions;
  readonly #loop: WorkLoop<EntityLease>;
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
    this.#loop = new WorkLoop({
      listener: context.notifications.listen(topics.syncDue),
      waitMs: () => Math.max(1, this.#nextPollAt - performance.now()),
      fill: async () => {
        if (performance.now() >= this.#nextPollAt) {
          this.#nextPollAt = performance.now() + this.#pollMs;
          await this.#poll();
        }
        await this.#fill();
      },
      onError: error => context.log.warn('sync_interrupted', { error }),
    });
  }

  start(): Job {
    void this.#fillOrganizations();
    this.#loop.run();
    return this.#loop;
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
      if (!this.#loop.closing.aborted) this.#context.log.warn('sync_cleanup_interrupted', { error });
    }
    this.#isCleaningUp = false;
  }

  /** Continues after the next start, like the deletion of records. */
  async #fillOrganizations(): Promise<void> {
    try {
      await fillOrganizations(this.#context.database.kysely, this.#context.tables, this.#loop.closing);
    } catch (error) {
      if (!this.#loop.closing.aborted) this.#context.log.warn('record_organizations_missing', { error });
    }
  }

  /** Starts time slices up to the concurrency limit. */
  async #fill(): Promise<void> {
    const { running: gauge } = this.#context.gauges;
    for (;;) {
      const count = this.#loop.running.length;
      gauge.set(count);
      if (count >= this.#tuning.concurrency || this.#loop.closing.aborted) return;
      const lease = await this.#leaseNext();
      if (lease === 'none') return;
      if (lease !== 'not_due') this.#loop.start(lease, this.#run(lease));
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
    const leases = this.#loop.running;
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
    const { leaseSeconds } = this.#leaseOptions;
    const context = { ...this.#context, runs: this.#context.gauges.runs, sliceMs, leaseSeconds };
    try {
      const end = await runTimeSlice(context, lease, this.#loop.closing);
      await notifications.notify(topics.changesOf(lease.organizationId));
      onSliceEnd?.(lease, end);
    } catch (error) {
      // The database failed. The lease expires, and another time slice resumes after the last saved page.
      log.warn('sync_slice_interrupted', { connector_id: lease.connectorId, entity: lease.entity, error });
    }
  }
}
