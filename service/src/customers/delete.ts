import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminCaller } from '../auth/admin-caller.ts';
import type { Caller } from '../auth/caller.ts';
import { deleteResponsesOfCustomer } from '../idempotency/store.ts';
import { findConnectorsOfCustomer } from '../repositories/connectors.ts';
import { deleteCustomer } from '../repositories/customers.ts';
import type { CustomersContext } from './context.ts';

/**
 * Deletes a customer and all its connectors, sessions and stored responses, revokes its tokens, and revokes the
 * grants at the vendors. Returns the customer's id. The incident revokes those of frozen connectors, of which the database keeps a copy.
 * @throws ConnectorAuthError `customer_not_found`.
 */
export async function removeCustomer(
  { db, kinds, credentials, revocations, log }: CustomersContext,
  { caller, requestId }: { readonly caller: Caller | AdminCaller; readonly requestId: string },
  organizationId: string,
  name: string,
): Promise<string> {
  const connectors = await findConnectorsOfCustomer(db, organizationId, name);
  const customerId = await revocations.run(async (transaction, revoke) => {
    const id = await deleteCustomer(transaction, organizationId, name);
    if (id === null) throw customerNotFound();
    await deleteResponsesOfCustomer(transaction, organizationId, name);
    await revoke({ organizationId, customerId: id });
    return id;
  });
  log.info('customer_deleted', {
    request_id: requestId,
    ...(caller.kind === 'admin' ? { admin_key_id: caller.keyId } : { application_id: caller.applicationId }),
    organization_id: organizationId,
    customer_id: customerId,
    connectors: connectors.length,
  });
  await Promise.all(
    connectors.map(async stored => {
      const kind = kinds.byKey(stored.kind);
      if (kind !== null && stored.status !== 'frozen') await credentials.revoke(kind, stored);
    }),
  );
  return customerId;
}

export function customerNotFound(): ConnectorAuthError {
  return new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
}
