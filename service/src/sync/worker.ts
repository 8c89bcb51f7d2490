import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Credentials } from '../credentials/credentials.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import { searchableEntities } from '../definitions/searchable-entities.ts';
import type { Log } from '../log/log.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { listenForSyncDue } from '../notifications/sync-due.ts';
import type { RecordTables } from '../records/record-table.ts';
import { deleteOrphans } from '../records/store.ts';
import { addEntitiesOfKind } from '../repositories/sync-state.ts';
import { openCustomerQueue, type CustomerQueue } from './customer-queue.ts';
import {
  acquireEntityLease,
  findWaitingCustomers,
  releaseAbandonedLeases,
  releaseAllLeases,
  type EntityLease,
  type LeaseOptions,
} from './entity-lease.ts';
import { runTimeSlice, type TimeSliceEnd } from './time-slice.ts';

/** What a sync worker runs with. */
export interface SyncContext {
  readonly database: Database;
  readonly credentials: Credentials;
  readonly kinds: KindRegistry;
  readonly tables: RecordTables;
  readonly notifications: Notifications;
  readonly log: Log;
}

export interface SyncTuning {
  /** Minutes between walks, for organizations that have no interval of their own. */
  readonly intervalMinutes?: number;
  /** Turns at once in this process. */
  readonly concurrency?: number;
  readonly sliceMs?: number;
  readonly leaseSeconds?: number;
  readonly fullWalkHours?: number;
  /** How often it looks by itself what is due. */
  readonly pollMs?: number;
  /** Told of each turn when it ends. */
  readonly onSliceEnd?: (lease: EntityLease, end: TimeSliceEnd) => void;
}

/** Synchronisation as it runs in this process. */
export interface SyncWorker {
  /** Takes no more turns and ends those that run: each finishes writing its page or gives it up. */
  close(): Promise<void>;
}

/**
 * Keeps the records of all connectors fresh, together with every other process on the database. Customers stand in line; each turn
 * walks one entity of the first one for some seconds, and then the customer stands in line again if there is more. So a customer
 * waits for a turn of each other customer at most, however large they are; and one process never gives all its turns to one organization.
 */
export async function startSyncWorker(
  context: SyncContext,
  tuning: SyncTuning & { readonly intervalMinutes: number },
): Promise<SyncWorker> {
  const { database, kinds, log } = context;
  const db = database.kysely;
  for (const kind of kinds.all) await addEntitiesOfKind(db, kind.key, searchableEntities(kind));
  if (database.engine === 'pglite') await releaseAllLeases(db);
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
  /** Rung when a turn may be given: something is due, or a turn ended. */
  #bell = Promise.withResolvers<void>();
  /** Whether customers may be due who do not stand in line. */
  #isLookDue = true;
  /** Whether records of deleted connectors are being removed: there may be millions, and turns do not wait for that. */
  #isClearing = false;

  constructor(
    context: SyncContext,
    tuning: SyncTuning & { readonly intervalMinutes: number },
    queue: CustomerQueue,
  ) {
    this.#context = context;
    this.#tuning = tuning;
    this.#queue = queue;
    this.#concurrency = tuning.concurrency ?? 4;
    this.#leaseOptions = {
      leaseSeconds: tuning.leaseSeconds ?? 12,
      intervalMinutes: tuning.intervalMinutes,
      fullWalkHours: tuning.fullWalkHours ?? 24,
      entities: new Map(
        context.kinds.all.flatMap(kind =>
          Object.entries(kind.entities).flatMap(([entity, { search }]) =>
            search ? [[`${kind.key}/${entity}`, { isIncremental: search.sync.incremental }] as const] : [],
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
    this.#bell.resolve();
  }

  async run(): Promise<void> {
    const { log } = this.#context;
    const listening = this.#listen();
    while (!this.#stop.signal.aborted) {
      this.#bell = Promise.withResolvers();
      try {
        if (this.#isLookDue) {
          this.#isLookDue = false;
          void this.#clear();
          await releaseAbandonedLeases(this.#db);
          await this.#queue.add(await findWaitingCustomers(this.#db, this.#leaseOptions));
        }
        await this.#fill();
      } catch (error) {
        log.warn('sync_interrupted', { error });
      }
      await this.#bell.promise;
    }
    await Promise.all([listening, ...this.#running.keys()]);
  }

  /** Not awaited when this process ends: it goes on at the next start. */
  async #clear(): Promise<void> {
    if (this.#isClearing) return;
    this.#isClearing = true;
    try {
      await deleteOrphans(this.#db, this.#context.tables);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#context.log.warn('sync_clearing_interrupted', { error });
    }
    this.#isClearing = false;
  }

  /** Rings when something is due, as far as it is told, and now and then in any case. */
  async #listen(): Promise<void> {
    const { pollMs = 5_000 } = this.#tuning;
    const { notifications } = this.#context;
    const listener = listenForSyncDue(notifications);
    while (!this.#stop.signal.aborted) {
      await listener.next(pollMs, this.#stop.signal);
      this.#isLookDue = true;
      this.#bell.resolve();
    }
    listener.close();
  }

  /** Gives every free turn to whoever stands first in line. */
  async #fill(): Promise<void> {
    while (this.#running.size < this.#concurrency && !this.#stop.signal.aborted) {
      const taken = await this.#take();
      if (taken === 'nobody') return;
      if (taken === null) continue;
      const turn: Promise<void> = this.#run(taken).finally(() => {
        this.#running.delete(turn);
        this.#bell.resolve();
      });
      this.#running.set(turn, taken);
    }
  }

  /** The lease of the customer who stood first; null when nothing of theirs is due any more. */
  async #take(): Promise<EntityLease | null | 'nobody'> {
    return this.#db.transaction().execute(async transaction => {
      const customer = await this.#queue.take(transaction, this.#organizationsAtLimit());
      if (customer === null) return 'nobody';
      const turn = { id: randomUUID(), holder: this.#context.notifications.livenessId() };
      const lease = await acquireEntityLease(transaction, customer, turn, this.#leaseOptions);
      await this.#queue.add(
        await findWaitingCustomers(transaction, this.#leaseOptions, customer),
        transaction,
      );
      return lease;
    });
  }

  /** One turn stays free for other organizations. */
  #organizationsAtLimit(): string[] {
    const counts = new Map<string, number>();
    for (const { organizationId } of this.#running.values()) {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
    }
    const most = Math.max(1, this.#concurrency - 1);
    return [...counts].flatMap(([organizationId, count]) => (count >= most ? [organizationId] : []));
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
      // The database failed: the lease ends by itself, and another turn goes on from the last page.
      log.warn('sync_turn_interrupted', { connector_id: lease.connectorId, entity: lease.entity, error });
    }
  }
}
