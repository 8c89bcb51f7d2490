import type { Client, CustomerClient, TokenLimits } from '@connector-auth/api/client';
import { LRUCache } from 'lru-cache';

/**
 * LRU cache with one client per customer. Each client renews its own scoped token. After an eviction, the
 * customer's next request needs a new token.
 */
export class CustomerClients {
  readonly #clients: LRUCache<string, CustomerClient>;

  constructor(client: Client, limits: TokenLimits, capacity = 1000) {
    this.#clients = new LRUCache({
      max: capacity,
      memoMethod: customer => client.forCustomer(customer, limits),
    });
  }

  /** Returns a client with the privileges of this customer only. */
  of(customer: string): CustomerClient {
    return this.#clients.memo(customer);
  }
}
