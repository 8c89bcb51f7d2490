import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Tables } from '../database/tables.ts';
import { customerExists, ensureCustomer, lockCustomer } from '../repositories/customers.ts';

/**
 * Returns the customer of a request: the token's own, or the one that an application names.
 * @returns undefined if an application names none.
 * @throws ConnectorAuthError `customer_not_allowed` if a customer's token names another customer.
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
 * Rejects a token whose customer was deleted. For requests that found no row of the customer, or read none.
 * @throws ConnectorAuthError `token_invalid`.
 */
export async function requireExistingCustomer(db: Kysely<Tables>, caller: Caller): Promise<void> {
  if (caller.kind === 'application') return;
  if (!(await customerExists(db, caller.organizationId, caller.customer.id))) throw customerDeletedError();
}

/**
 * Locks a request's customer against deletion until the transaction ends, and returns its id. For an
 * application, creates the customer if needed.
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
  // Deleted between the two queries: an application's customer is created again.
  return lockCustomerOf(transaction, caller, name);
}

function customerDeletedError(): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The customer of this token was deleted');
}
