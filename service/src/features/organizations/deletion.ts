import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';
import type { OrganizationDeletion } from '@connector-auth/api/admin';
import type { Transaction } from 'kysely';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { Needs } from '../../shared/core.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import type { OperatorFields } from '../../shared/http/operator-fields.ts';
import { lockSessionGrants } from '../../shared/oauth-sessions/store.ts';
import { isNamedByEnvironment } from '../../shared/repositories/applications.ts';
import { lockConnectors } from '../../shared/repositories/connectors.ts';
import { queueUnusedGrants } from '../../shared/repositories/grant-revocations.ts';
import { holdOffIncidents } from '../../shared/repositories/incidents.ts';
import {
  countDeleted,
  deleteEmptyCustomers,
  deleteIncidentGrants,
  deleteIncidents,
  deleteLockedConnectors,
  deleteOwnApplications,
  deleteRows,
  deleteSessions,
  eraseAuditEntries,
  findDeletion,
  findUnfinishedDeletions,
  finishDeletion,
  insertDeletion,
  lockDeletion,
  plainTables,
} from '../../shared/repositories/organization-deletions.ts';
import { lockOrganization } from '../../shared/repositories/organizations.ts';

export type DeletionContext = Needs<'db' | 'kinds' | 'notifications' | 'log'> & {
  readonly audit: Pick<AuditLog, 'recordChange'>;
};

/**
 * Ends an organization for all of its callers, as disabling does, and has everything of it deleted in the background. Returns the
 * receipt of a deletion that was requested before.
 * @throws ConnectorAuthError `organization_not_found`; `managed_by_environment`.
 */
export async function requestDeletion(
  { db, revocations, log }: Needs<'db' | 'revocations' | 'log'>,
  operator: OperatorFields,
  id: string,
): Promise<OrganizationDeletion> {
  const isNew = await revocations.run(async (transaction, revoke) => {
    const organization = await lockOrganization(transaction, id);
    if (organization === null || organization.isBeingDeleted) return false;
    if (await isNamedByEnvironment(transaction, id)) {
      throw new ConnectorAuthError(
        'managed_by_environment',
        'An application of the BOOTSTRAP_ variables belongs to this organization, and the next start would create it again. Adopt the application first, or remove the organization from BOOTSTRAP_ORGANIZATION',
      );
    }
    await insertDeletion(transaction, id, operator.admin_key_id);
    await revoke({ organizationId: id });
    return true;
  });
  const deletion = await findDeletion(db, id);
  if (deletion === null)
    throw new ConnectorAuthError('organization_not_found', 'No organization has this id');
  if (isNew) log.warn('organization_deleting', { ...operator, organization_id: id });
  return deletion;
}

/** @throws ConnectorAuthError `organization_not_found`. */
export async function readDeletion({ db }: Needs<'db'>, id: string): Promise<OrganizationDeletion> {
  const deletion = await findDeletion(db, id);
  if (deletion !== null) return deletion;
  throw new ConnectorAuthError(
    'organization_not_found',
    'The deletion of no organization with this id was requested',
  );
}

/** How often each process looks for organizations to delete. */
const intervalMs = 2_000;
/** Requests and time slices that began before the deletion have ended after this time, and their audit entries are written. */
const defaultSettleSeconds = 60;

export function startOrganizationDeletions(context: DeletionContext): Job {
  return startPeriodicJob(
    intervalMs,
    closing => deleteOrganizations(context, closing),
    error => context.log.warn('organizations_not_deleted', { error }),
  );
}

/**
 * Continues all deletions, until each is finished or waits for the vendors or the sync worker. Safe to run in several processes at
 * once, and to interrupt: each step is a transaction, which also counts what it deletes.
 */
export async function deleteOrganizations(
  context: DeletionContext,
  closing: AbortSignal,
  settleSeconds = defaultSettleSeconds,
): Promise<void> {
  const { db, log, audit } = context;
  for (const id of await findUnfinishedDeletions(db)) {
    try {
      if (!(await deleteInSteps(context, id, closing))) continue;
      const isFinished = await db
        .transaction()
        .execute(
          async transaction =>
            (await lockDeletion(transaction, id)) && (await finishDeletion(transaction, id, settleSeconds)),
        );
      if (!isFinished) continue;
    } catch (error) {
      log.warn('organization_not_deleted', { organization_id: id, error });
      continue;
    }
    log.warn('organization_deleted', { organization_id: id });
    audit.recordChange(
      entryOfService(
        'service',
        { organizationId: id, targetId: id },
        {
          action: 'organization.deleted',
          entity: null,
          outcome: 'ok',
          records: null,
        },
      ),
    );
  }
}

/** Deletes a part of what is left of an organization. Returns how many rows it has dealt with; 0 if none are left. */
type Step = (transaction: Transaction<Tables>, context: DeletionContext, id: string) => Promise<number>;

/** Small enough that a step takes a few milliseconds and others do not wait for its locks. */
const rowsPerStep = 1_000;
const grantsPerStep = 100;

const deleteConnectors: Step = async (transaction, { kinds }, id) => {
  // Declaring an incident locks the same connectors, in another order.
  await holdOffIncidents(transaction);
  const connectors = await lockConnectors(
    transaction,
    { organizationId: id, customerId: null },
    grantsPerStep,
  );
  if (connectors.length === 0) return 0;
  // An incident revokes the grants of the frozen ones, of which the database keeps a copy.
  await queueUnusedGrants(
    transaction,
    grantMethods(kinds),
    connectors.filter(({ status }) => status !== 'frozen'),
  );
  const ids = connectors.map(connector => connector.id);
  await countDeleted(transaction, id, await deleteLockedConnectors(transaction, id, ids));
  return connectors.length;
};

/** In this order, no foreign key deletes rows that a step counts or whose grant it queues. */
const steps: readonly Step[] = [
  async (transaction, { kinds }, id) => {
    const grants = await lockSessionGrants(
      transaction,
      { organizationId: id, customerId: null },
      grantsPerStep,
    );
    await queueUnusedGrants(transaction, grantMethods(kinds), grants);
    const queued = grants.map(grant => grant.id);
    return counting(transaction, id, 'oauth_sessions', deleteSessions(transaction, id, queued, rowsPerStep));
  },
  deleteConnectors,
  ...plainTables.map(
    (table): Step =>
      (transaction, _, id) =>
        counting(transaction, id, table, deleteRows(transaction, table, id, rowsPerStep)),
  ),
  (transaction, _, id) =>
    counting(transaction, id, 'customers', deleteEmptyCustomers(transaction, id, rowsPerStep)),
  (transaction, _, id) => counting(transaction, id, 'applications', deleteOwnApplications(transaction, id)),
  (transaction, _, id) => deleteIncidentGrants(transaction, id, rowsPerStep),
  (transaction, _, id) => counting(transaction, id, 'incidents', deleteIncidents(transaction, id)),
  (transaction, _, id) => eraseAuditEntries(transaction, id, rowsPerStep),
];

async function counting(
  transaction: Transaction<Tables>,
  id: string,
  table: keyof Tables,
  deleting: Promise<number>,
): Promise<number> {
  const count = await deleting;
  await countDeleted(transaction, id, { [table]: count });
  return count;
}

/**
 * Repeats each step until nothing is left for it. Leaves half of the time to others. Returns false if steps are left, because another
 * process makes them or this one stops.
 */
async function deleteInSteps(context: DeletionContext, id: string, closing: AbortSignal): Promise<boolean> {
  for (const step of steps) {
    let total = 0;
    for (let count = 1; count > 0; total += count) {
      if (closing.aborted) return false;
      const startedAt = performance.now();
      const result = await context.db
        .transaction()
        .execute(async transaction =>
          (await lockDeletion(transaction, id)) ? step(transaction, context, id) : null,
        );
      // The next step must not begin before this one has ended.
      if (result === null) return false;
      count = result;
      if (count > 0)
        await delay(performance.now() - startedAt, undefined, { signal: closing }).catch(() => {});
    }
    if (step === deleteConnectors && total > 0) {
      await context.notifications.notify(topics.revocationsDue);
      await context.notifications.notify(topics.syncDue);
    }
  }
  return true;
}
