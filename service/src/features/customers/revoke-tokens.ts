import { findCustomer } from '../../shared/repositories/customers.ts';
import type { Revocations } from '../../shared/revocations/revocations.ts';
import { customerNotFound } from './delete.ts';

/**
 * Ends all scoped and widget tokens of a customer. New ones can be minted.
 * @throws ConnectorAuthError `customer_not_found`.
 */
export async function revokeCustomerTokens(
  revocations: Revocations,
  organizationId: string,
  name: string,
): Promise<void> {
  await revocations.run(async (transaction, revoke) => {
    const customerId = await findCustomer(transaction, organizationId, name);
    if (customerId === null) throw customerNotFound();
    await revoke({ organizationId, customerId });
  });
}
