import { asObject, asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { callerOf, readSearch, requestSearch, throughManager } from './wire.ts';

/** An account in the hierarchy of an account that the user can access directly. */
export interface Client {
  readonly id: string;
  /** Null if the account has no name. */
  readonly name: string | null;
  readonly currency: string | null;
  readonly isManager: boolean;
  readonly isTest: boolean;
  /** IANA time zone; null if unknown. */
  readonly timeZone: string | null;
  /** `ENABLED`, `CANCELED`, `SUSPENDED` or `CLOSED`; null if unknown. */
  readonly status: string | null;
}

/** How many accounts are read at once. */
export const parallelRequests = 5;

const query =
  'SELECT customer_client.client_customer, customer_client.level, customer_client.id, customer_client.manager, customer_client.time_zone, customer_client.status, customer_client.descriptive_name, customer_client.currency_code, customer_client.test_account FROM customer_client';

/**
 * Lists an account that the user can access directly and all accounts below it.
 * @throws ConnectorAuthError an error for which `isClosedAccount` is true if the user can no longer use the
 * account.
 */
export async function* listClients(vendor: Vendor, loginId: string): AsyncGenerator<Client> {
  let pageToken: string | null = null;
  do {
    const request = requestSearch(callerOf(vendor), loginId, { query, pageToken });
    const { rows, nextPageToken } = readSearch(await vendor.send(throughManager(request, loginId)));
    for (const row of rows) {
      const client = asObject(row['customerClient']);
      const id = asString(client['id']);
      if (id === null) continue;
      yield {
        id,
        name: asString(client['descriptiveName']),
        currency: asString(client['currencyCode']),
        isManager: client['manager'] === true,
        isTest: client['testAccount'] === true,
        timeZone: asString(client['timeZone']),
        status: asString(client['status']),
      };
    }
    pageToken = nextPageToken;
  } while (pageToken !== null);
}
