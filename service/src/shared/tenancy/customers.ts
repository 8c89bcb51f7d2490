import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller, Tenant } from '../auth/caller.ts';
import { customerExists, ensureCustomer, lockCustomer } from '../repositories/customers.ts';

/**
 * Returns the name of the customer for a request, taken from the token or, for an application, from the
 * request.
 * @returns the name, or undefined if an application does not specify a customer.
 * @throws ConnectorAuthError `customer_not_allowed` if the request specifies a customer other than the
 * token's.
 */
export function customerNameOf({ customer }: Caller, named: string | undefined): string | undefined {
  if (customer === null) return named;
  if (named === undefined || named === customer.name) return customer.name;
  throw new ConnectorAuthError(
    'customer_not_allowed',
    'The token is for another customer: omit customer_name',
  );
}

/**
 * Throws if the customer that a token belongs to was deleted. Call this when a request found no data for the
 * customer, or did not query any.
 * @throws ConnectorAuthError `token_invalid`.
 */
export async function requireExistingCustomer(
  db: Kysely<Tables>,
  { organizationId, customerId }: Tenant,
): Promise<void> {
  if (customerId === null) return;
  if (!(await customerExists(db, organizationId, customerId))) throw customerDeletedError();
}

/**
 * Prevents a request's customer from being deleted until the transaction ends, and returns the customer's id.
 * For an application, creates the customer if needed.
 * @throws ConnectorAuthError `token_invalid` if the token's customer was deleted.
 */
export async function lockCustomerOf(
  transaction: Kysely<Tables>,
  tenant: Tenant,
  name: string,
): Promise<string> {
  const { organizationId, customerId } = tenant;
  const id = customerId ?? (await ensureCustomer(transaction, organizationId, name));
  if (await lockCustomer(transaction, organizationId, id)) return id;
  if (customerId !== null) throw customerDeletedError();
  // If the customer was deleted between the two queries, an application's request creates it again.
  return lockCustomerOf(transaction, tenant, name);
}

function customerDeletedError(): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The customer that this token belongs to has been deleted');
}
