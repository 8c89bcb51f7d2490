import type { PageMeta } from '@connector-auth/api';
import type { SyncJob } from '@connector-auth/api/admin';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { decodeCursor, storableTime, toPage } from '../../platform/database/paging.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { isSyncAllowed } from '../../shared/repositories/connectors.ts';
import { failuresUntilFailing } from '../../shared/repositories/overview.ts';
import { nextSliceAt } from '../../shared/repositories/sync-state.ts';

const isRunning = sql<boolean>`(synced_entities.lease_id is not null and synced_entities.lease_until > now())`;
const isFailing = sql<boolean>`(synced_entities.failures >= ${sql.lit(failuresUntilFailing)})`;

const hasState: Readonly<Record<SyncJob['state'], ReturnType<typeof sql<boolean>>>> = {
  running: isRunning,
  failing: sql<boolean>`${isFailing} and not coalesce(${isRunning}, false)`,
  retrying: sql<boolean>`synced_entities.failures > 0 and not ${isFailing} and not coalesce(${isRunning}, false)`,
  waiting: sql<boolean>`synced_entities.failures = 0 and not coalesce(${isRunning}, false)`,
};

const state = sql<SyncJob['state']>`case when ${isRunning} then 'running' when ${isFailing} then 'failing'
  when synced_entities.failures > 0 then 'retrying' else 'waiting' end`;

const position = z.tuple([storableTime, z.uuid(), z.string().regex(/^\w{1,100}$/)]);

interface Filter {
  readonly organizationId: string | undefined;
  readonly kind: string | undefined;
  readonly state: SyncJob['state'] | undefined;
}

interface Page {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Returns a query for the jobs of a page and the one after it. */
export function selectSyncJobs(db: Kysely<Tables>, filter: Filter, page: Page) {
  const after = decodeCursor(page.cursor, position);
  let jobs = db
    .selectFrom('synced_entities')
    .innerJoin('connectors', join =>
      join
        .onRef('connectors.organization_id', '=', 'synced_entities.organization_id')
        .onRef('connectors.id', '=', 'synced_entities.connector_id'),
    )
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'connectors.organization_id')
        .onRef('customers.id', '=', 'connectors.customer_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'synced_entities.organization_id')
    .where('connectors.status', '=', 'active')
    .where(isSyncAllowed)
    // Skips connectors that cannot be synced: the queue has no rows for them, and they have often been overdue for longest.
    .where(nextSliceAt, '>=', sql<Date>`(select min(first_job_at) from sync_queue)`)
    .select([
      'connectors.id',
      'connectors.name',
      'connectors.kind',
      'customers.id as customerId',
      'customers.name as customerName',
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'synced_entities.entity',
      'synced_entities.records',
      'synced_entities.slice_started_at as sliceStartedAt',
      'synced_entities.last_synced_at as lastSyncedAt',
      'synced_entities.failures',
      'synced_entities.last_error as lastError',
    ])
    .select([nextSliceAt.as('dueAt'), state.as('state')]);
  if (filter.organizationId !== undefined) jobs = jobs.where('organizations.id', '=', filter.organizationId);
  if (filter.kind !== undefined) jobs = jobs.where('connectors.kind', '=', filter.kind);
  if (filter.state !== undefined) jobs = jobs.where(hasState[filter.state]);
  if (after !== undefined) {
    jobs = jobs.where(
      sql<boolean>`(${nextSliceAt}, synced_entities.connector_id, synced_entities.entity)
        > (${after[0]}::timestamptz, ${after[1]}::uuid, ${after[2]})`,
    );
  }
  return jobs
    .orderBy(nextSliceAt)
    .orderBy('synced_entities.connector_id')
    .orderBy('synced_entities.entity')
    .limit(page.limit + 1);
}

/** Returns a page of the entities that workers sync, the longest overdue first. */
export async function listSyncJobs(
  db: Kysely<Tables>,
  filter: Filter,
  page: Page,
): Promise<{ data: SyncJob[]; meta: PageMeta }> {
  const found = await selectSyncJobs(db, filter, page).execute();
  const { rows, meta } = toPage(found, page.limit, last => [last.dueAt.toISOString(), last.id, last.entity]);
  const data = rows.map(row => ({
    connector: { id: row.id, name: row.name },
    organization: { id: row.organizationId, name: row.organizationName },
    customer: { id: row.customerId, name: row.customerName },
    connector_type: row.kind,
    entity: row.entity,
    state: row.state,
    records: row.records,
    due_at: row.dueAt.toISOString(),
    running_since: row.state === 'running' ? (row.sliceStartedAt?.toISOString() ?? null) : null,
    last_synced_at: row.lastSyncedAt?.toISOString() ?? null,
    failures: row.failures,
    last_error: row.lastError,
  }));
  return { data, meta };
}
