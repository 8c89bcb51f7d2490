/** On whose behalf work is done. Work is shared between organizations first, then between customers. */
export interface Requester {
  readonly organizationId: string;
  readonly customerId: string;
}

/**
 * A queue that serves organizations in turn, and the customers of an organization in turn. The items of one
 * customer keep their order.
 */
export class FairQueue<Item extends { readonly requester: Requester }> {
  /** Items by organization and customer. The next one to serve is first in each map. */
  readonly #organizations = new Map<string, Map<string, Set<Item>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    const { organizationId, customerId } = item.requester;
    const customers = this.#organizations.get(organizationId) ?? new Map<string, Set<Item>>();
    const items = customers.get(customerId) ?? new Set();
    this.#organizations.set(organizationId, customers.set(customerId, items.add(item)));
    this.#size++;
  }

  /** Removes an item. Returns false if the item is not queued. */
  remove(item: Item): boolean {
    const { organizationId, customerId } = item.requester;
    const customers = this.#organizations.get(organizationId);
    const items = customers?.get(customerId);
    if (!customers || !items?.delete(item)) return false;
    this.#size--;
    if (items.size === 0) customers.delete(customerId);
    if (customers.size === 0) this.#organizations.delete(organizationId);
    return true;
  }

  /** Removes and returns the next item that is accepted. */
  next(accepts: (item: Item) => boolean = () => true): Item | null {
    for (const [organizationId, customers] of this.#organizations) {
      for (const [customerId, items] of customers) {
        const item = findFirst(items, accepts);
        if (item === undefined) continue;
        this.remove(item);
        moveToEnd(customers, customerId);
        moveToEnd(this.#organizations, organizationId);
        return item;
      }
    }
    return null;
  }

  /** Returns how many items are served until the last item of this customer, if no other items arrive. */
  positionOfLast({ organizationId, customerId }: Requester): number {
    const customers = this.#organizations.get(organizationId);
    const own = customers?.get(customerId)?.size ?? 0;
    return Math.min(this.#size, own * (customers?.size ?? 0) * this.#organizations.size);
  }

  *[Symbol.iterator](): Generator<Item, void> {
    for (const customers of this.#organizations.values()) {
      for (const items of customers.values()) yield* items;
    }
  }
}

function findFirst<Item>(items: Iterable<Item>, accepts: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (accepts(item)) return item;
  return undefined;
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
