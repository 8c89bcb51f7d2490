import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { findConnector, type StoredConnector } from '../../shared/repositories/connectors.ts';

/**
 * Reads a connector again.
 * @throws ConnectorAuthError `connector_not_found` if it was deleted.
 */
export async function reread(
  db: Kysely<Tables>,
  { organizationId, customerId, id }: StoredConnector,
): Promise<StoredConnector> {
  const stored = await findConnector(db, { organizationId, customerId }, id);
  if (stored !== null) return stored;
  throw new ConnectorAuthError('connector_not_found', 'The connector was deleted during this request');
}
