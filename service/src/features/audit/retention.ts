import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { deleteOldEntries, deleteOldUses } from '../../platform/audit-log/store.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';

const intervalMs = 3_600_000;
const batchSize = 1_000;
/** Leaves the database to others between two batches. */
const pauseMs = 100;

/** Deletes old entries of the audit log and old counters of uses every hour. Safe to run in several processes at once. */
export function startAuditRetention(db: Kysely<Tables>, days: number, log: Log): Job {
  return startPeriodicJob(
    intervalMs,
    async closing => {
      await deleteOldUses(db);
      await deleteOldBatches(db, days, closing);
    },
    error => log.warn('audit_retention_interrupted', { error }),
  );
}

async function deleteOldBatches(db: Kysely<Tables>, days: number, closing: AbortSignal): Promise<void> {
  while (!closing.aborted && (await deleteOldEntries(db, { days, limit: batchSize })) === batchSize) {
    await delay(pauseMs, undefined, { signal: closing }).catch(() => {});
  }
}
