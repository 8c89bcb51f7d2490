import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../auth/caller.ts';
import { customerExists, ensureCustomer, lockCustomer } from '../repositories/customers.ts';

/**
 * Returns the name of the customer for a request, taken from the token or, for an application, from the
 * request.
 * @returns the name, or undefined if an application does not specify a customer.
 * @throws ConnectorAuthError `customer_not_allowed` if the request specifies a customer other than the
 * token's.
 */
export function customerNameOf(caller: Caller, named: string | undefined): string | undefined {
  if (caller.kind === 'application') return named;
  if (named === undefined || named === caller.customer.name) return caller.customer.name;
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
export async function requireExistingCustomer(db: Kysely<Tables>, caller: Caller): Promise<void> {
  if (caller.kind === 'application') return;
  if (!(await customerExists(db, caller.organizationId, caller.customer.id))) throw customerDeletedError();
}

/**
 * Prevents a request's customer from being deleted until the transaction ends, and returns the customer's id.
 * For an application, creates the customer if needed.
 * @throws ConnectorAuthError `token_invalid` if the token's customer was deleted.
 */
export async function lockCustomerOf(
  transaction: Kysely<Tables>,
  caller: Caller,
  name: string,
): Promise<string> {
  const { organizationId } = caller;
  const id =
    caller.kind === 'application'
      ? await ensureCustomer(transaction, organizationId, name)
      : caller.customer.id;
  if (await lockCustomer(transaction, organizationId, id)) return id;
  if (caller.kind !== 'application') throw customerDeletedError();
  // If the customer was deleted between the two queries, an application's request creates it again.
  return lockCustomerOf(transaction, caller, name);
}

function customerDeletedError(): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The customer that this token belongs to has been deleted');
}
