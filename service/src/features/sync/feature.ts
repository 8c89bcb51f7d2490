import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Needs, Settings } from '../../shared/core.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { Feature } from '../../shared/feature.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { listSyncJobs } from './jobs.ts';
import { createSyncGauges, startSyncWorker, type SyncContext, type SyncTuning } from './worker.ts';

export function sync(
  {
    db,
    metrics,
    syncIntervalMinutes: intervalMinutes,
    ...context
  }: Omit<SyncContext, 'gauges'> & Needs<'db' | 'metrics' | 'syncIntervalMinutes'>,
  { syncConcurrency: concurrency, fullSyncHours }: Pick<Settings, 'syncConcurrency' | 'fullSyncHours'>,
) {
  const { kinds, tables } = context;
  const gauges = createSyncGauges(metrics);
  return {
    adminHandlers: {
      listSyncJobs: ({ query }) => {
        const { organization_id: organizationId, state, limit = defaultPageSize, cursor } = query;
        const kind = resolveKind(kinds, { connector_type: query.connector_type })?.key;
        return listSyncJobs(db, { organizationId, kind, state }, { limit, cursor });
      },
    },
    /** Starts syncing records, after creating the tables for them. */
    start: async (tuning?: Partial<SyncTuning>) => {
      await ensureRecordTables(db, tables, context.log);
      await context.notifications.knowsColumns(tables.columnsVersion);
      return startSyncWorker(
        { ...context, gauges },
        { intervalMinutes, concurrency, fullSyncHours, ...tuning },
      );
    },
  } satisfies Feature;
}
