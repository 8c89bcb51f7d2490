import type { CheckResponse } from '@connector-auth/api';
import { check } from '@connector-auth/connectors/kind';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Checks whether the vendor still accepts a connector's grant. If it does not, the connector's status becomes
 * `needs_reauth`.
 * @throws ConnectorAuthError `action_not_allowed`; `connector_not_found`; or an error for a vendor failure,
 * which does not change the status.
 */
export async function checkConnector(
  context: Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials'>,
  { caller, audit }: AuditedCaller,
  id: string,
  signal: AbortSignal,
): Promise<CheckResponse> {
  caller.rights.requireAction('check');
  const { stored, kind } = await requireConnector(context, { caller, audit }, id, 'use');
  return check(context.credentials.connect(kind, stored), { signal });
}
