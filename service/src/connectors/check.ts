import type { CheckResponse } from '@connector-auth/api';
import { check } from '@connector-auth/connectors/kind';
import { requireAction, type Caller } from '../auth/caller.ts';
import { requireConnector } from '../tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Whether the vendor accepts a connector's stored credentials right now. A refusal is an answer, and is noted at the connector.
 * @throws ConnectorAuthError `action_not_allowed` by the token; `connector_not_found`; the vendor's failure, which says nothing of the credentials.
 */
export async function checkConnector(
  { db, kinds, credentials }: Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials'>,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<CheckResponse> {
  requireAction(caller, 'check');
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  return check(credentials.connect(kind, stored), { signal });
}
