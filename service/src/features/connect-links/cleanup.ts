import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import { deleteOldLinks } from './store.ts';

/**
 * Deletes old links immediately and then every minute, so that strangers who continue with a leaked link store only as
 * many visits as their addresses can start in the lifetime of a code. Safe to run in several processes at once.
 */
export function startLinkCleanup(db: Kysely<Tables>, log: Log): Job {
  return startPeriodicJob(
    60_000,
    () => deleteOldLinks(db),
    error => log.warn('connect_links_not_deleted', { error }),
  );
}
