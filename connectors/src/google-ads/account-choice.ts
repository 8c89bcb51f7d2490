import { ConnectorAuthError, maxAccounts, type Account } from '@connector-auth/api';
import { accountDetail, listOfAccounts } from '../kind/accounts.ts';
import type { AccountList, Accounts } from '../kind/kind.ts';
import type { Vendor } from '../kind/vendor.ts';
import { listClients, parallelRequests, type Client } from './clients.ts';
import { isClosedAccount } from './login.ts';
import { en } from './messages/en.ts';
import { callerOf, idOfCustomer, readAccessibleCustomers, requestAccessibleCustomers } from './wire.ts';

/** The accounts that a Google user can access, directly or through a manager. */
export const accountChoice: Accounts = {
  setting: 'customer_id',
  methods: ['oauth', 'credentials'],
  // A sync takes one query for each of the 7 synced entities, 2 more for each of the 4
  // with daily metrics (16 days in windows of 14), and one for each entity to find the account. The daily
  // full sync reads the metrics of two years, which are 53 windows.
  dailyRequestsPerAccount: syncsPerDay => syncsPerDay * (7 + 2 * 4 + 7) + 53 * 4,
  list: listAccounts,
};

const words = en.account;

/** Time after which no further accounts are read, because a person is waiting. */
const budgetMs = 15_000;

/**
 * Lists the accounts at and below those that the user can access directly. If Google takes too long, the
 * remaining accounts are listed by their id only.
 */
async function listAccounts(vendor: Vendor): Promise<AccountList> {
  const endsAt = vendor.now() + budgetMs;
  const names = readAccessibleCustomers(await vendor.send(requestAccessibleCustomers(callerOf(vendor))));
  let unread = names.map(idOfCustomer);
  const direct: Account[] = [];
  const found = new Map<string, Account>();
  while (unread.length > 0 && vendor.now() < endsAt && found.size <= maxAccounts) {
    const batch = unread.slice(0, parallelRequests);
    direct.push(...(await Promise.all(batch.map(id => readHierarchy(vendor, id, found)))).flat());
    // The hierarchy of a manager also contains everything below each of its clients.
    unread = unread.slice(batch.length).filter(id => !found.has(id));
  }
  const undescribed = [...direct, ...unread.map(id => nameless(id, null))].filter(({ id }) => !found.has(id));
  return listOfAccounts([...found.values(), ...undescribed], unread.length === 0);
}

/**
 * Adds the accounts of a hierarchy to `found`. Returns the account itself if the user can no longer use it.
 */
async function readHierarchy(
  vendor: Vendor,
  loginId: string,
  found: Map<string, Account>,
): Promise<readonly Account[]> {
  try {
    for await (const client of listClients(vendor, loginId)) {
      found.set(client.id, describe(client));
      if (found.size > maxAccounts) break;
    }
    return [];
  } catch (error) {
    if (!isClosedAccount(error)) throw error;
    return [nameless(loginId, closedReason(error))];
  }
}

function describe({ id, name, currency, isManager, isTest, status }: Client): Account {
  // Google rejects queries for the campaigns and metrics of a manager.
  const reason = isManager && status === 'ENABLED' ? words.isManager : statusReason(status);
  const role = isManager ? words.manager : words.client;
  return {
    id,
    name: name ?? dashed(id),
    detail: accountDetail(name !== null && dashed(id), currency, role, isTest && words.test),
    selectable: reason === null,
    reason,
  };
}

function nameless(id: string, reason: string | null): Account {
  return { id, name: dashed(id), detail: null, selectable: reason === null, reason };
}

function statusReason(status: string | null): string | null {
  if (status === 'CANCELED') return words.canceled;
  if (status === 'SUSPENDED') return words.suspended;
  return status === 'CLOSED' ? words.closed : null;
}

function closedReason(error: unknown): string {
  const code = error instanceof ConnectorAuthError ? error.vendor?.code : null;
  if (code === 'authorizationError.ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT') {
    return words.suspended;
  }
  return code === 'authorizationError.CUSTOMER_NOT_ENABLED' ? words.notEnabled : words.noAccess;
}

/** Writes an id as Google's pages show it, such as `612-045-9183`. */
function dashed(id: string): string {
  return id.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3');
}
