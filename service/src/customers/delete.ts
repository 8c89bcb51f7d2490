import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { deleteResponsesOfCustomer } from '../idempotency/store.ts';
import { deleteCustomer } from '../repositories/customers.ts';

/**
 * Deletes a customer and all its connectors, sessions and stored responses.
 * @throws ConnectorAuthError `customer_not_found`.
 */
export async function removeCustomer(
  db: Kysely<Tables>,
  organizationId: string,
  name: string,
): Promise<void> {
  await db.transaction().execute(async transaction => {
    if (!(await deleteCustomer(transaction, organizationId, name))) {
      throw new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
    }
    await deleteResponsesOfCustomer(transaction, organizationId, name);
  });
}
