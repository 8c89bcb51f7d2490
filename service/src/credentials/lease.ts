import { randomUUID } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Notifications } from '../notifications/notifications.ts';

/** Where leases are kept and signalled. */
export interface LeaseStore {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
}

/** What to do about a lease that somebody else has. */
export interface Waiting {
  /** Asked before each wait: whether the holder has done it meanwhile, so that there is nothing left to do. */
  readonly isDone: () => Promise<boolean>;
  readonly maxWaitMs: number;
}

/** Notifications get lost, and a holder that dies sends none: who waits also looks by themselves. */
const pollMs = 1_000;

/**
 * Runs `work` while nobody else in any process does, and tells those who wait when it is over. A lease is a row with an end by the
 * database's clock; no transaction is open meanwhile. Past its end another may begin although `work` has not finished: what
 * `work` writes must compare a version.
 * @returns what `work` gives; null when the holder before did what was to be done.
 * @throws ConnectorAuthError `overloaded` when the lease was not to be had in time.
 */
export async function withLease<T>(
  { db, notifications }: LeaseStore,
  name: string,
  seconds: number,
  { isDone, maxWaitMs }: Waiting,
  work: () => Promise<T>,
): Promise<T | null> {
  const holder = randomUUID();
  const until = performance.now() + maxWaitMs;
  const listener = notifications.listen(name);
  try {
    while (!(await acquireLease(db, name, holder, seconds))) {
      if (await isDone()) return null;
      const remainingMs = until - performance.now();
      if (remainingMs <= 0) {
        throw new ConnectorAuthError('overloaded', 'Another request is still at the same work; try again');
      }
      await listener.next(Math.min(pollMs, remainingMs));
    }
  } finally {
    listener.close();
  }
  try {
    return await work();
  } finally {
    await releaseLease({ db, notifications }, name, holder);
  }
}

/** Failing to give a lease back only makes others wait for its end. */
async function releaseLease({ db, notifications }: LeaseStore, name: string, holder: string): Promise<void> {
  try {
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    await notifications.notify(name);
  } catch (error) {
    if (!(error instanceof ConnectorAuthError)) throw error;
  }
}

async function acquireLease(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const taken = { holder, expires_at: sql<Date>`now() + make_interval(secs => ${seconds})` };
  const row = await db
    .insertInto('leases')
    .values({ name, ...taken })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet(taken)
        .where('leases.expires_at', '<=', sql<Date>`now()`),
    )
    .returning('holder')
    .executeTakeFirst();
  return row !== undefined;
}
