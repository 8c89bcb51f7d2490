import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { holdOffIncidents, isInOpenIncident, type IncidentSubject } from '../repositories/incidents.ts';

/**
 * Throws if an open incident covers a customer's connectors of a kind, including those that do not exist yet. If
 * not, no incident can be declared until the transaction ends, so none can miss a connector that is being stored.
 * @throws ConnectorAuthError `connector_frozen`.
 */
export async function requireNoIncident(
  transaction: Kysely<Tables>,
  subject: IncidentSubject,
): Promise<void> {
  await holdOffIncidents(transaction);
  if (!(await isInOpenIncident(transaction, subject))) return;
  throw new ConnectorAuthError(
    'connector_frozen',
    'Connections to this source are frozen because of a security incident. Try again when the operator of the service has ended it',
  );
}
