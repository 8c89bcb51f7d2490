import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { startPeriodicJob, type PeriodicJob } from '../jobs/periodic-job.ts';
import type { Log } from '../log/log.ts';
import { deleteExpiredSessions } from './store.ts';

/**
 * Deletes expired sessions and unused grants immediately and then every minute. Safe to run in several
 * processes at once.
 */
export function startSessionCleanup(db: Kysely<Tables>, log: Log, everyMs = 60_000): PeriodicJob {
  return startPeriodicJob(
    everyMs,
    () => deleteExpiredSessions(db),
    error => log.warn('oauth_sessions_not_forgotten', { error }),
  );
}
