import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { deleteEndedSessions } from '../../shared/repositories/admin-sessions.ts';
import { deleteSetUpCodes } from '../../shared/repositories/setup-codes.ts';

/** Deletes sessions that have ended and set-up codes that have expired. */
export async function deleteExpiredSignIns(db: Kysely<Tables>): Promise<void> {
  await deleteEndedSessions(db);
  await deleteSetUpCodes(db, 'expired');
}
