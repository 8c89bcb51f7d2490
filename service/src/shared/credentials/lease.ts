import { randomUUID } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Notifications } from '../../platform/notifications/notifications.ts';

/** Stores leases, and notifies waiting processes when a lease is released. */
export interface LeaseStore {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
}

/**
 * An exclusive right, across all processes, to do one piece of work. Expires according to the database's
 * clock.
 */
export interface Lease {
  release(): Promise<void>;
}

/** Specifies the lease to acquire and how long to wait for its current holder. */
export interface LeaseRequest {
  readonly name: string;
  readonly seconds: number;
  readonly maxWaitMs: number;
  /** Returns whether another holder has completed the work, so that the lease is no longer needed. */
  readonly isDone: () => Promise<boolean>;
}

/** Waiting requests also poll because notifications can get lost and a holder that dies sends none. */
const pollMs = 1_000;

/**
 * Acquires a lease, waiting if another holder has it. A lease is a database row, so no transaction stays open
 * while the work runs. Another holder can acquire an expired lease before the work has finished, so every
 * write must compare a version.
 * @returns the lease, or null if another holder completed the work.
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
        throw new ConnectorAuthError(
          'overloaded',
          'Another request is already using these credentials. Try again in a moment',
        );
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
 * @returns the result of `work`, or null if another holder completed the work.
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

/** Releases a lease. Ignores failures because other holders can acquire the lease after it expires. */
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
