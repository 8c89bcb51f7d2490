import type { Client, CustomerClient, TokenLimits } from '@connector-auth/api/client';

/**
 * One client per customer, each with a scoped token of its own that it renews itself. Bounded: the customer who was
 * served longest ago makes room, and costs one token request when they come back.
 */
export class CustomerClients {
  readonly #client: Client;
  readonly #limits: TokenLimits;
  readonly #capacity: number;
  /** In the order of their last use: a Map keeps the order of insertion. */
  readonly #clients = new Map<string, CustomerClient>();

  constructor(client: Client, limits: TokenLimits, capacity = 1000) {
    this.#client = client;
    this.#limits = limits;
    this.#capacity = capacity;
  }

  /** The client that can do what this customer may, and nothing else. */
  of(customer: string): CustomerClient {
    const found = this.#clients.get(customer) ?? this.#client.forCustomer(customer, this.#limits);
    this.#clients.delete(customer);
    this.#clients.set(customer, found);
    if (this.#clients.size > this.#capacity) {
      const [longestAgo] = this.#clients.keys();
      if (longestAgo !== undefined) this.#clients.delete(longestAgo);
    }
    return found;
  }
}
