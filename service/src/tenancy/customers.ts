import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Tables } from '../database/tables.ts';
import { customerExists, ensureCustomer, lockCustomer } from '../repositories/customers.ts';

/**
 * The customer a request is about: the token's own, or the one that an application names.
 * @returns undefined when an application names none.
 * @throws ConnectorAuthError `customer_not_allowed` when a customer's token names another customer.
 */
export function customerNameOf(caller: Caller, named: string | undefined): string | undefined {
  if (caller.kind === 'application') return named;
  if (named === undefined || named === caller.customer.name) return caller.customer.name;
  throw new ConnectorAuthError('customer_not_allowed', 'Leave customer_name out: the token implies it');
}

/**
 * Refuses a token whose customer was deleted. For requests that found nothing by the customer's id, or look for nothing.
 * @throws ConnectorAuthError `token_invalid`.
 */
export async function requireExistingCustomer(db: Kysely<Tables>, caller: Caller): Promise<void> {
  if (caller.kind === 'application') return;
  if (!(await customerExists(db, caller.organizationId, caller.customer.id))) throw customerDeletedError();
}

/**
 * The id of the customer a request is about, kept from being deleted until the transaction ends. An application's customer is made if
 * there is none; a customer's own token does not bring them back.
 * @throws ConnectorAuthError `token_invalid` when the token's customer was deleted.
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
  // Deleted in this very moment: an application's customer comes back as somebody new.
  return lockCustomerOf(transaction, caller, name);
}

/** The refusal of a token whose customer was deleted. */
function customerDeletedError(): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The customer of this token was deleted');
}
