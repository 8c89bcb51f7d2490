import { ConnectorAuthError } from '@connector-auth/api';
import { deleteResponsesOfCustomer } from '../idempotency/store.ts';
import { deleteCustomer } from '../repositories/customers.ts';
import type { Revocations } from '../revocations/revocations.ts';

/**
 * Deletes a customer and all its connectors, sessions and stored responses, and revokes its tokens. Returns its
 * id.
 * @throws ConnectorAuthError `customer_not_found`.
 */
export async function removeCustomer(
  revocations: Revocations,
  organizationId: string,
  name: string,
): Promise<string> {
  return revocations.run(async (transaction, revoke) => {
    const customerId = await deleteCustomer(transaction, organizationId, name);
    if (customerId === null) throw customerNotFound();
    await deleteResponsesOfCustomer(transaction, organizationId, name);
    await revoke({ organizationId, customerId });
    return customerId;
  });
}

export function customerNotFound(): ConnectorAuthError {
  return new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
}
