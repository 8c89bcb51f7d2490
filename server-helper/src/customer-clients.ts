import type { Client, CustomerClient, TokenLimits } from '@connector-auth/api/client';

/**
 * LRU cache of clients, one per customer. Each client renews its own scoped token; an evicted customer costs
 * one token request when they return.
 */
export class CustomerClients {
  readonly #client: Client;
  readonly #limits: TokenLimits;
  readonly #capacity: number;
  /** In order of last use, because a Map iterates in insertion order. */
  readonly #clients = new Map<string, CustomerClient>();

  constructor(client: Client, limits: TokenLimits, capacity = 1000) {
    this.#client = client;
    this.#limits = limits;
    this.#capacity = capacity;
  }

  /** Returns a client with the privileges of this customer only. */
  of(customer: string): CustomerClient {
    const found = this.#clients.get(customer) ?? this.#client.forCustomer(customer, this.#limits);
    this.#clients.delete(customer);
    this.#clients.set(customer, found);
    if (this.#clients.size > this.#capacity) {
      const [leastRecentlyUsed] = this.#clients.keys();
      if (leastRecentlyUsed !== undefined) this.#clients.delete(leastRecentlyUsed);
    }
    return found;
  }
}
