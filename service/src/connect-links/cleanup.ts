import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { startPeriodicJob, type PeriodicJob } from '../jobs/periodic-job.ts';
import type { Log } from '../log/log.ts';
import { deleteOldLinks } from './store.ts';

/** Deletes old links immediately and then every hour. Safe to run in several processes at once. */
export function startLinkCleanup(db: Kysely<Tables>, log: Log, everyMs = 3_600_000): PeriodicJob {
  return startPeriodicJob(
    everyMs,
    () => deleteOldLinks(db),
    error => log.warn('connect_links_not_deleted', { error }),
  );
}
