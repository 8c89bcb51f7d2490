import { ConnectorAuthError } from '@connector-auth/api';
import type { StoredConnector } from '../repositories/connectors.ts';

/**
 * Throws if a connector must not be used.
 * @throws ConnectorAuthError `connector_disabled` until an operator enables the connector; `connector_frozen`
 * until an operator undoes the incident.
 */
export function requireUsable(connector: Pick<StoredConnector, 'status'>): void {
  requireNotFrozen(connector);
  if (connector.status !== 'disabled') return;
  throw new ConnectorAuthError(
    'connector_disabled',
    'An operator of the service has disabled this connector. Only an operator can enable it, in the console',
  );
}

/** @throws ConnectorAuthError `connector_frozen` until an operator undoes the incident. */
export function requireNotFrozen({ status }: Pick<StoredConnector, 'status'>): void {
  if (status === 'frozen') throw frozenError('This connector is');
}

/** @param subject such as `This connector is`. */
export function frozenError(subject: string): ConnectorAuthError {
  return new ConnectorAuthError(
    'connector_frozen',
    `${subject} frozen because of an incident. Only an operator of the service can undo the incident, in the console`,
  );
}
