import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import { grantMethods } from '../definitions/grant-methods.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import { queueUnusedGrants } from '../repositories/grant-revocations.ts';
import { deleteExpiredSessions } from './store.ts';

/**
 * Deletes expired sessions, and queues unused grants for revocation, immediately and then every minute. Safe to run in
 * several processes at once.
 */
export function startSessionCleanup(
  { db, kinds, log }: { readonly db: Kysely<Tables>; readonly kinds: KindRegistry; readonly log: Log },
  everyMs = 60_000,
): Job {
  return startPeriodicJob(
    everyMs,
    () =>
      db.transaction().execute(async transaction => {
        const unused = await deleteExpiredSessions(transaction);
        await queueUnusedGrants(transaction, grantMethods(kinds), unused);
      }),
    error => log.warn('oauth_sessions_not_forgotten', { error }),
  );
}
