import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Needs } from '../../shared/core.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { Feature } from '../../shared/feature.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { listSyncJobs } from './jobs.ts';
import { startSyncWorker, type SyncContext, type SyncTuning } from './worker.ts';

export function sync({
  db,
  syncIntervalMinutes,
  ...context
}: SyncContext & Needs<'db' | 'syncIntervalMinutes'>) {
  const { kinds, tables } = context;
  return {
    adminHandlers: {
      listSyncJobs: ({ query }) => {
        const { organization_id: organizationId, state, limit = defaultPageSize, cursor } = query;
        const kind = resolveKind(kinds, { connector_type: query.connector_type })?.key;
        return listSyncJobs(db, { organizationId, kind, state }, { limit, cursor });
      },
    },
    /** Starts syncing records, after creating the tables for them. */
    start: async (tuning?: SyncTuning) => {
      await ensureRecordTables(db, tables, context.log);
      return startSyncWorker(context, { intervalMinutes: syncIntervalMinutes, ...tuning });
    },
  } satisfies Feature;
}
