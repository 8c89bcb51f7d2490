import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Needs } from '../../shared/core.ts';
import { deleteEndedAgents, deleteExpiredSignIns } from './store.ts';

/**
 * Deletes expired sign-ins and records, and agents that ended long ago, immediately and then every minute, so that strangers
 * who start to sign in store only as much as their addresses can start in the lifetime of a sign-in. Safe to run in several
 * processes at once.
 */
export function startAgentCleanup(
  { db, log }: Needs<'db' | 'log'>,
  deleteOldRecords: (closing: AbortSignal) => Promise<void>,
): Job {
  return startPeriodicJob(
    60_000,
    async closing => {
      await deleteExpiredSignIns(db);
      await deleteEndedAgents(db);
      await deleteOldRecords(closing);
    },
    error => log.warn('agents_not_deleted', { error }),
  );
}
