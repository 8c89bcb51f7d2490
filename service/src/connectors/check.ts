import type { CheckResponse } from '@connector-auth/api';
import { check } from '@connector-auth/connectors/kind';
import { requireAction, type Caller } from '../auth/caller.ts';
import { openConnection, type VendorAccess } from '../credentials/connection.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import { requireConnector } from '../tenancy/connectors.ts';

/**
 * Whether the vendor accepts a connector's stored credentials right now. A refusal is an answer, and is noted at the connector.
 * @throws ConnectorAuthError `action_not_allowed` by the token; `connector_not_found`; the vendor's failure, which says nothing of the credentials.
 */
export async function checkConnector(
  access: VendorAccess,
  kinds: KindRegistry,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<CheckResponse> {
  requireAction(caller, 'check');
  const { stored, kind } = await requireConnector(access.db, kinds, caller, id);
  return check(openConnection(access, kind, stored), { signal });
}
