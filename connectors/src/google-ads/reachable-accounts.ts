import { ConnectorAuthError } from '@connector-auth/api';
import type { Vendor } from '../kind/vendor.ts';
import { listClients, parallelRequests } from './clients.ts';
import { isClosedAccount } from './login.ts';
import { settingsOf } from './settings.ts';
import { callerOf, idOfCustomer, readAccessibleCustomers, requestAccessibleCustomers } from './wire.ts';

/** An enabled account and the login customer through which the user can access it. */
export interface ReachableAccount {
  readonly id: string;
  /**
   * The `login-customer-id` for requests: the account itself, or the manager through which the user can
   * access it.
   */
  readonly loginId: string;
  readonly isManager: boolean;
  /** IANA time zone of the days in queries; null if unknown. */
  readonly timeZone: string | null;
}

/**
 * Finds every enabled account that the user can access directly or through a manager. Returns each account
 * once, sorted by id, and only the accounts in the settings if they list any. Skips accounts that the user
 * can no longer use.
 * @throws ConnectorAuthError `vendor_permission_missing` if the user can access none of the accounts in the
 * settings.
 */
export async function findReachableAccounts(vendor: Vendor): Promise<ReachableAccount[]> {
  const caller = callerOf(vendor);
  const names = readAccessibleCustomers(await vendor.send(requestAccessibleCustomers(caller)));
  const loginIds = names.map(idOfCustomer);
  const found = new Map<string, ReachableAccount>();
  for (let start = 0; start < loginIds.length; start += parallelRequests) {
    const batch = loginIds.slice(start, start + parallelRequests);
    for (const client of (await Promise.all(batch.map(id => listEnabled(vendor, id)))).flat()) {
      const known = found.get(client.id);
      // Direct access takes precedence over access through a manager.
      if (known === undefined || client.id === client.loginId) found.set(client.id, client);
    }
  }
  const wanted = settingsOf(vendor.grant).customer_id;
  const accounts = [...found.values()].filter(({ id }) => wanted?.includes(id) ?? true);
  if (wanted !== undefined && accounts.length === 0) {
    throw new ConnectorAuthError(
      'vendor_permission_missing',
      `This Google user does not have access to any of these accounts, or they are not enabled: ${wanted.join(', ')}`,
    );
  }
  return accounts.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Lists the enabled accounts at and below an account, or none if the user can no longer use the account. */
async function listEnabled(vendor: Vendor, loginId: string): Promise<ReachableAccount[]> {
  const enabled: ReachableAccount[] = [];
  try {
    for await (const { id, isManager, timeZone, status } of listClients(vendor, loginId)) {
      if (status === 'ENABLED') enabled.push({ id, loginId, isManager, timeZone });
    }
  } catch (error) {
    if (!isClosedAccount(error)) throw error;
  }
  return enabled;
}
