import { ConnectorAuthError } from '@connector-auth/api';
import type { AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { findTenantLink, type LinkSources, type StoredLink } from './store.ts';

/**
 * Returns a link that belongs to the caller's tenant and, for an agent, to its person. Adds it to the audit log's entry.
 * @throws ConnectorAuthError `link_not_found`; `token_invalid` if the token's customer was deleted.
 */
export async function requireLink(
  sources: LinkSources,
  { caller: { tenant, agent }, audit }: AuditedCaller,
  id: string,
): Promise<StoredLink> {
  const link = await findTenantLink(sources, tenant, id);
  if (link === null || (agent !== null && agent.userId !== link.userId)) {
    await requireExistingCustomer(sources.db, tenant);
    throw new ConnectorAuthError('link_not_found', 'No connect link has this id');
  }
  const { customerId, customerName, kind, connectorId, targetId } = link;
  audit({
    customer: { id: customerId, name: customerName },
    kind,
    connectorId: connectorId ?? targetId,
    targetId: id,
  });
  return link;
}
