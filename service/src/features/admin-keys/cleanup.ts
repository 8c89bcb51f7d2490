import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import { deleteEndedSessions } from '../../shared/repositories/admin-sessions.ts';
import { deleteSetUpCodes } from '../../shared/repositories/setup-codes.ts';

/** Deletes sessions that have ended and set-up codes that have expired, every minute. */
export function startSignInCleanup(db: Kysely<Tables>, log: Log): Job {
  return startPeriodicJob(
    60_000,
    async () => {
      await deleteEndedSessions(db);
      await deleteSetUpCodes(db, 'expired');
    },
    error => log.warn('sign_ins_not_deleted', { error }),
  );
}
