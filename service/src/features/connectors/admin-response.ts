import type { AdminConnector, AdminConnectorDetail } from '@connector-auth/api/admin';
import type { ListedConnector } from '../../shared/repositories/all-connectors.ts';
import type { Progress, SyncSummary } from '../../shared/repositories/sync-state.ts';
import { toEntitySync } from './sync-status.ts';

/** Converts a connector to the response body for operators. */
export function toAdminConnector(
  listed: ListedConnector,
  sync: Pick<SyncSummary, 'lastError' | 'lastSyncedAt'> | undefined,
): AdminConnector {
  return {
    id: listed.id,
    name: listed.name,
    organization: { id: listed.organizationId, name: listed.organizationName },
    customer: { id: listed.customerId, name: listed.customerName },
    connector_type: listed.kind,
    auth_method: listed.authMethod,
    status: listed.status,
    disabled_at: listed.disabledAt?.toISOString() ?? null,
    incident_id: listed.incidentId,
    last_error: sync?.lastError ?? null,
    last_synced_at: sync?.lastSyncedAt?.toISOString() ?? null,
    created_at: listed.createdAt.toISOString(),
    updated_at: listed.updatedAt.toISOString(),
  };
}

/** Returns the sync of each entity. Only active connectors have a next sync. */
export function toAdminEntities(
  { status }: Pick<ListedConnector, 'status'>,
  entities: readonly Progress[],
): AdminConnectorDetail['entities'] {
  return Object.fromEntries(
    entities.map(progress => [
      progress.entity,
      {
        ...toEntitySync(progress),
        next_sync_at: status === 'active' ? progress.nextSyncAt.toISOString() : null,
        failures: progress.failures,
      },
    ]),
  );
}
