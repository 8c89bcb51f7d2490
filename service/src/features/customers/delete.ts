import { ConnectorAuthError } from '@connector-auth/api';
import { topics } from '../../platform/notifications/topics.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import { deleteResponsesOfCustomer } from '../../shared/idempotency/store.ts';
import { lockSessionGrants } from '../../shared/oauth-sessions/store.ts';
import { lockConnectors } from '../../shared/repositories/connectors.ts';
import { deleteCustomer, lockCustomerToDelete } from '../../shared/repositories/customers.ts';
import { queueUnusedGrants } from '../../shared/repositories/grant-revocations.ts';
import type { CustomersContext } from './context.ts';

/**
 * Deletes a customer and all its connectors, sessions and stored responses, revokes its tokens, and queues the grants for
 * revocation at the vendors. Returns the customer's id. The incident revokes those of frozen connectors, of which the database keeps a copy.
 * @throws ConnectorAuthError `customer_not_found`.
 */
export async function removeCustomer(
  { kinds, revocations, notifications, log }: CustomersContext,
  { caller, requestId }: { readonly caller: Caller | AdminCaller; readonly requestId: string },
  organizationId: string,
  name: string,
): Promise<string> {
  const { customerId, connectors } = await revocations.run(async (transaction, revoke) => {
    const customerId = await lockCustomerToDelete(transaction, organizationId, name);
    if (customerId === null) throw customerNotFound();
    const connectors = await lockConnectors(transaction, { organizationId, customerId });
    await queueUnusedGrants(transaction, grantMethods(kinds), [
      ...connectors.filter(({ status }) => status !== 'frozen'),
      ...(await lockSessionGrants(transaction, { organizationId, customerId })),
    ]);
    await deleteCustomer(transaction, { organizationId, id: customerId });
    await deleteResponsesOfCustomer(transaction, organizationId, name);
    await revoke({ organizationId, customerId });
    return { customerId, connectors };
  });
  await notifications.notify(topics.revocationsDue);
  log.info('customer_deleted', {
    request_id: requestId,
    ...(caller.kind === 'admin' ? { admin_key_id: caller.keyId } : { application_id: caller.applicationId }),
    organization_id: organizationId,
    customer_id: customerId,
    connectors: connectors.length,
  });
  return customerId;
}

export function customerNotFound(): ConnectorAuthError {
  return new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
}
