import type { Language, ListAccountsResponse } from '@connector-auth/api';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Lists the accounts that a connector can sync, and those that are chosen.
 * @throws ConnectorAuthError `management_not_allowed` without the right to change settings; `connector_not_found`;
 * `connector_disabled`; `connector_frozen`; or an error for a vendor failure.
 */
export async function listConnectorAccounts(
  context: Pick<ConnectorsContext, 'db' | 'kinds' | 'credentials'>,
  { caller, audit }: AuditedCaller,
  id: string,
  options: { readonly language: Language; readonly signal: AbortSignal },
): Promise<ListAccountsResponse> {
  caller.rights.requireManagement('settings');
  const { stored, kind } = await requireConnector(context, { caller, audit }, id, 'use');
  return context.credentials.listAccounts(kind, stored, options);
}
