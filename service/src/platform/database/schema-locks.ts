import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import { hasCode } from './schema-rights.ts';

/** The advisory lock for schema changes. The number is arbitrary but must never change. */
export const schemaLock = 4_019_283_746;

/**
 * Limits for how long statements of a transaction wait for locks. All later requests for a table wait behind a change
 * that waits for its lock.
 */
export const limitLockWait = `set local lock_timeout = '300ms'`;

const retryMs = 200;
const attemptsBeforeWarning = 25;

/** PostgreSQL's error codes for `lock_timeout` and for a deadlock. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Repeats a schema change until it gets its locks. Waits outside of transactions, because `create index concurrently`
 * waits for all transactions that are older, and holds a lock on its table meanwhile.
 * @param change returns null, or throws PostgreSQL's error for a lock that it did not get, to be called again.
 */
export async function untilUnlocked<T>(log: Log, change: () => Promise<T | null>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await change();
      if (result !== null) return result;
    } catch (error) {
      if (!hasCode(error, lockNotAvailable) && !hasCode(error, deadlockDetected)) throw error;
    }
    if (attempt === attemptsBeforeWarning) {
      log.warn('schema_change_waiting', { for: 'a lock that another session has' });
    }
    await delay(retryMs);
  }
}
