import type { Client, CustomerClient, TokenLimits } from '@connector-auth/api/client';
import { LRUCache } from 'lru-cache';

/**
 * LRU cache with one client per customer. Each client renews its own scoped token. After an eviction, the
 * customer's next request needs a new token.
 */
export class CustomerClients {
  readonly #client: Client;
  readonly #limits: TokenLimits;
  readonly #clients: LRUCache<string, CustomerClient>;

  constructor(client: Client, limits: TokenLimits, capacity = 1000) {
    this.#client = client;
    this.#limits = limits;
    this.#clients = new LRUCache({ max: capacity });
  }

  /** Returns a client with the privileges of this customer only. */
  of(customer: string): CustomerClient {
    const cached = this.#clients.get(customer);
    if (cached !== undefined) return cached;
    const client = this.#client.forCustomer(customer, this.#limits);
    this.#clients.set(customer, client);
    return client;
  }
}
