import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant } from '../kind/grants.ts';
import { asObject, asString } from '../kind/record.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import {
  callerOf,
  idOfCustomer,
  readAccessibleCustomers,
  readSearch,
  requestAccessibleCustomers,
  requestSearch,
  throughManager,
} from './wire.ts';

/**
 * Sends a request for a customer's account.
 *
 * If the user can access an account only through a manager, `login-customer-id` must be the manager's id,
 * which Google does not report. After the first rejection, this function looks for the customer in each
 * account that the user can access, stores the manager's id in the connector's state, and resends the
 * request. Resending is safe even for writes, because a rejected request changes nothing.
 */
export async function sendAbout(
  vendor: Vendor,
  customerId: string,
  request: VendorRequest,
): Promise<VendorResponse> {
  const known = rememberedManager(vendor.grant, customerId);
  try {
    return await vendor.send(throughManager(request, known));
  } catch (error) {
    if (!mayNeedAnotherManager(error)) throw error;
    const found = await findManager(vendor, customerId);
    if (found === null || found === known) throw error;
    await vendor.updateState(state => withManager(state, customerId, found));
    return vendor.send(throughManager(request, found));
  }
}

const wrongManagerCodes = new Set([
  'authorizationError.USER_PERMISSION_DENIED',
  'authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION',
  'requestError.LOGIN_CUSTOMER_ID_PARAMETER_MISSING',
  'headerError.INVALID_LOGIN_CUSTOMER_ID',
]);

function mayNeedAnotherManager(error: unknown): boolean {
  return error instanceof ConnectorAuthError && wrongManagerCodes.has(error.vendor?.code ?? '');
}

const stateKey = 'login_customer_ids';

function rememberedManager({ state }: Grant, customerId: string): string | null {
  return asString(asObject(state[stateKey])[customerId]);
}

function withManager(state: Grant['state'], customerId: string, managerId: string): Grant['state'] {
  return { ...state, [stateKey]: { ...asObject(state[stateKey]), [customerId]: managerId } };
}

/**
 * Finds the login customer (`login-customer-id`) for a customer: the customer itself if the user can access
 * it directly, otherwise one of its managers. Returns null if the user can access none of them.
 */
async function findManager(vendor: Vendor, customerId: string): Promise<string | null> {
  const caller = callerOf(vendor);
  const names = readAccessibleCustomers(await vendor.send(requestAccessibleCustomers(caller)));
  const reached = names.map(idOfCustomer);
  if (reached.includes(customerId)) return customerId;
  const query = `SELECT customer_client.id FROM customer_client WHERE customer_client.id = ${customerId}`;
  for (const id of reached) {
    const request = requestSearch(caller, id, { query, pageToken: null });
    const rows = await sendUnlessClosed(vendor, throughManager(request, id));
    if (rows !== null && readSearch(rows).rows.length > 0) return id;
  }
  return null;
}

/**
 * Returns the response for an account, or null if the user can no longer use the account because it was
 * cancelled, suspended or never set up.
 */
async function sendUnlessClosed(vendor: Vendor, request: VendorRequest): Promise<VendorResponse | null> {
  try {
    return await vendor.send(request);
  } catch (error) {
    if (isClosedAccount(error)) return null;
    throw error;
  }
}

/**
 * Error codes that apply to one account only. Other errors, such as an unapproved developer token, apply to
 * all accounts.
 */
const closedAccountCodes = new Set(
  [
    'USER_PERMISSION_DENIED',
    'CUSTOMER_NOT_ENABLED',
    'INCOMPLETE_SIGNUP',
    'MISSING_TOS',
    'ACCESS_DENIED_FOR_ACCOUNT_TYPE',
    'ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT',
  ].map(value => `authorizationError.${value}`),
);

/** Returns whether an error means that the user can no longer use one account. */
export function isClosedAccount(error: unknown): boolean {
  return error instanceof ConnectorAuthError && closedAccountCodes.has(error.vendor?.code ?? '');
}
