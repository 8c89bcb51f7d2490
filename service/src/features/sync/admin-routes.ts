import type { Kysely } from 'kysely';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { listSyncJobs } from './jobs.ts';

export function syncAdminRoutes({
  db,
  kinds,
}: {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
}): Pick<AdminHandlers, 'listSyncJobs'> {
  return {
    listSyncJobs: ({ query }) => {
      const { organization_id: organizationId, state, limit = defaultPageSize, cursor } = query;
      const kind = resolveKind(kinds, { connector_type: query.connector_type })?.key;
      return listSyncJobs(db, { organizationId, kind, state }, { limit, cursor });
    },
  };
}
