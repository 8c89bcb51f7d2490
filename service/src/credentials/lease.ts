import { randomUUID } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Notifications } from '../notifications/notifications.ts';

/** Where leases are stored, and how their release is notified. */
export interface LeaseStore {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
}

/** An exclusive right to do one piece of work, in any process, until it expires by the database's clock. */
export interface Lease {
  release(): Promise<void>;
}

/** Which lease to acquire, and how long to wait while another holder has it. */
export interface LeaseRequest {
  readonly name: string;
  readonly seconds: number;
  readonly maxWaitMs: number;
  /** Whether the other holder has completed the work, so that the lease is no longer needed. */
  readonly isDone: () => Promise<boolean>;
}

/** Notifications get lost, and a holder that dies sends none: waiting requests also poll. */
const pollMs = 1_000;

/**
 * Acquires a lease, waiting for its holder if there is one. A lease is a row, so no transaction stays open.
 * After it expires another holder can acquire it although the work has not finished: what the work writes
 * must compare a version.
 * @returns null if the other holder completed the work.
 * @throws ConnectorAuthError `overloaded` if the lease could not be acquired within `maxWaitMs`.
 */
export async function acquireLease(store: LeaseStore, request: LeaseRequest): Promise<Lease | null> {
  const { name, seconds, maxWaitMs, isDone } = request;
  const holder = randomUUID();
  const until = performance.now() + maxWaitMs;
  const listener = store.notifications.listen(name);
  try {
    while (!(await insertLease(store.db, name, holder, seconds))) {
      if (await isDone()) return null;
      const remainingMs = until - performance.now();
      if (remainingMs <= 0) {
        throw new ConnectorAuthError('overloaded', 'Another request is still doing the same work: try again');
      }
      await listener.next(Math.min(pollMs, remainingMs));
    }
  } finally {
    listener.close();
  }
  return { release: () => releaseLease(store, name, holder) };
}

/**
 * Runs `work` under a lease; see {@link acquireLease}.
 * @returns the result of `work`, or null if the other holder completed it.
 */
export async function withLease<T>(
  store: LeaseStore,
  request: LeaseRequest,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = await acquireLease(store, request);
  if (lease === null) return null;
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

/** A failed release is ignored: it only makes others wait until the lease expires. */
async function releaseLease({ db, notifications }: LeaseStore, name: string, holder: string): Promise<void> {
  try {
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    await notifications.notify(name);
  } catch (error) {
    if (!(error instanceof ConnectorAuthError)) throw error;
  }
}

async function insertLease(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const columns = { holder, expires_at: sql<Date>`now() + make_interval(secs => ${seconds})` };
  const row = await db
    .insertInto('leases')
    .values({ name, ...columns })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet(columns)
        .where('leases.expires_at', '<=', sql<Date>`now()`),
    )
    .returning('holder')
    .executeTakeFirst();
  return row !== undefined;
}
