import type { AdminConnector, AdminConnectorDetail } from '@connector-auth/api/admin';
import { connectionState } from '@connector-auth/api/connection-state';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { ListedConnector } from '../../shared/repositories/all-connectors.ts';
import type { ConnectorSync } from '../../shared/repositories/sync-state.ts';
import { toEntitySync, unavailable } from './sync-status.ts';

/** Converts a connector to the response body for operators. Only active connectors have a next sync. */
export function toAdminConnector(
  kinds: KindRegistry,
  listed: ListedConnector,
  /** Missing if the connector was deleted during the request. */
  { status: stored, entities: progress }: ConnectorSync = { status: listed.status, entities: [] },
): AdminConnectorDetail {
  const status = kinds.byKey(listed.kind) === null ? unavailable(stored) : stored;
  const entities = Object.fromEntries(
    progress.map(entity => [
      entity.entity,
      {
        ...toEntitySync(entity, status),
        next_sync_at: status === 'active' ? entity.nextSyncAt.toISOString() : null,
        failures: entity.failures,
      },
    ]),
  );
  const { name, since } = connectionState({ status, sync: { entities } });
  const failing = progress
    .filter(({ state }) => 'lastError' in state && state.lastError !== null)
    .toSorted((one, other) => Number(other.sliceStartedAt) - Number(one.sliceStartedAt));
  return {
    id: listed.id,
    name: listed.name,
    organization: { id: listed.organizationId, name: listed.organizationName },
    customer: { id: listed.customerId, name: listed.customerName },
    connector_type: listed.kind,
    auth_method: listed.authMethod,
    status,
    state: name,
    disabled_at: listed.disabledAt?.toISOString() ?? null,
    incident_id: listed.incidentId,
    last_error: (failing[0] && entities[failing[0].entity]?.last_error) ?? null,
    last_synced_at: since,
    created_at: listed.createdAt.toISOString(),
    updated_at: listed.updatedAt.toISOString(),
    entities,
  };
}

/** Omits the entities, which only the response for one connector has. */
export function toAdminEntry(
  kinds: KindRegistry,
  listed: ListedConnector,
  sync: ConnectorSync | undefined,
): AdminConnector {
  const { entities: _, ...connector } = toAdminConnector(kinds, listed, sync);
  return connector;
}
