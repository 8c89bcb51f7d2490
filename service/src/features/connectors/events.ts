import type { Log } from '../../platform/log/log.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';

type ConnectorEvent =
  | 'connector_created'
  | 'connector_reconnected'
  | 'connector_disabled'
  | 'connector_enabled'
  | 'connector_deleted';

/**
 * Logs that a caller changed a connector, or the service itself if there is none. The event names are stable, so that
 * operators can alert on them.
 */
export function logConnectorEvent(
  log: Log,
  event: ConnectorEvent,
  caller: Caller | AdminCaller | null,
  connector: Pick<StoredConnector, 'id' | 'organizationId' | 'customerId' | 'kind'>,
): void {
  log.info(event, {
    organization_id: connector.organizationId,
    ...(caller?.kind === 'admin'
      ? { admin_key_id: caller.keyId }
      : { application_id: caller?.applicationId }),
    caller: caller?.kind ?? 'service',
    customer_id: connector.customerId,
    connector_id: connector.id,
    kind: connector.kind,
  });
}
