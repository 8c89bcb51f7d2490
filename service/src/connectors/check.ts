import type { CheckResponse } from '@connector-auth/api';
import { check } from '@connector-auth/connectors/kind';
import { aboutConnector } from '../audit-log/entry.ts';
import { requireAction, type Caller } from '../auth/caller.ts';
import type { Call } from '../http/handler.ts';
import { requireConnector } from '../tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Checks whether the vendor still accepts a connector's grant. If it does not, the connector's status becomes
 * `needs_reauth`.
 * @throws ConnectorAuthError `action_not_allowed`; `connector_not_found`; or an error for a vendor failure,
 * which does not change the status.
 */
export async function checkConnector(
  { db, kinds, credentials }: Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials'>,
  caller: Caller,
  id: string,
  { signal, audit }: Pick<Call<'checkConnector'>, 'signal' | 'audit'>,
): Promise<CheckResponse> {
  requireAction(caller, 'check');
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  audit(aboutConnector(stored));
  return check(credentials.connect(kind, stored), { signal });
}
