import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { aboutConnector, entryOfService } from '../../platform/audit-log/entry.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { Needs } from '../../shared/core.ts';
import { frozenError } from '../../shared/credentials/usable.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import {
  deleteConnector,
  findConnector,
  findConnectorsToDelete,
  scheduleDeletion,
  type StoredConnector,
} from '../../shared/repositories/connectors.ts';
import { queueUnusedGrants } from '../../shared/repositories/grant-revocations.ts';
import { logConnectorEvent } from './events.ts';

type Context = Needs<'db' | 'kinds' | 'notifications' | 'log'>;

/**
 * Deletes a connector with its records, and queues its grant for revocation at the vendor.
 * @throws ConnectorAuthError `connector_frozen`.
 */
export async function removeConnector(
  context: Context,
  caller: Caller | AdminCaller,
  stored: StoredConnector,
): Promise<void> {
  if (await removeWithGrant(context, stored, 'now'))
    logConnectorEvent(context.log, 'connector_deleted', caller, stored);
  else await requireNotFrozenMeanwhile(context, stored);
}

/**
 * Ends the use of a connector at once, and has it deleted after some seconds, in which the user can restore it.
 * @throws ConnectorAuthError `connector_frozen`.
 */
export async function removeConnectorLater(
  context: Context,
  stored: StoredConnector,
  seconds: number,
): Promise<void> {
  if (!(await scheduleDeletion(context.db, stored, seconds)))
    await requireNotFrozenMeanwhile(context, stored);
}

/** How often each process looks for connectors whose deletion can no longer be undone. */
const intervalMs = 2_000;

export function startDelayedDeletions(context: DeletionContext): Job {
  return startPeriodicJob(
    intervalMs,
    closing => deleteDueConnectors(context, closing),
    error => context.log.warn('connectors_not_deleted', { error }),
  );
}

interface DeletionContext extends Context {
  readonly audit: Pick<AuditLog, 'recordChange'>;
}

/**
 * Deletes the connectors whose deletion can no longer be undone. Only now are they reported as deleted. Safe to run in
 * several processes at once.
 */
export async function deleteDueConnectors(context: DeletionContext, signal: AbortSignal): Promise<void> {
  const { db, log, audit } = context;
  for (const stored of await findConnectorsToDelete(db)) {
    if (signal.aborted) return;
    try {
      // Another process may have deleted it.
      if (!(await removeWithGrant(context, stored, 'due'))) continue;
    } catch (error) {
      log.warn('connector_not_deleted', { connector_id: stored.id, error });
      continue;
    }
    logConnectorEvent(log, 'connector_deleted', null, stored);
    audit.recordChange(
      entryOfService('service', aboutConnector(stored), {
        action: 'connector.deleted',
        entity: null,
        outcome: 'ok',
        records: null,
      }),
    );
  }
}

/** Returns false if the connector no longer exists, is frozen, or must not be deleted yet. */
async function removeWithGrant(
  { db, kinds, notifications }: Context,
  stored: StoredConnector,
  when: 'now' | 'due',
): Promise<boolean> {
  const isDeleted = await db.transaction().execute(async transaction => {
    const deleted = await deleteConnector(transaction, stored, when);
    if (deleted === null) return false;
    await queueUnusedGrants(transaction, grantMethods(kinds), [{ ...stored, ...deleted }]);
    return true;
  });
  if (isDeleted) await notifications.notify(topics.revocationsDue);
  return isDeleted;
}

/** Throws if an incident has frozen a connector that could not be deleted, rather than another request deleted it. */
async function requireNotFrozenMeanwhile({ db }: Context, stored: StoredConnector): Promise<void> {
  if ((await findConnector(db, stored, stored.id, 'present_or_restorable')) !== null)
    throw frozenError('This connector is');
}
