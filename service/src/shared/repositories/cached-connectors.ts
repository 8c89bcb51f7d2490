import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ConnectorChanges } from '../../platform/database/connector-changes.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../auth/caller.ts';
import { findConnector, type StoredConnector } from './connectors.ts';

/** How long a row can be outdated if a notification is lost, and how long its decrypted grant stays in memory. */
const maxAgeMs = 5_000;

/**
 * Finds connectors without a query if they were used shortly before. Rows that this process has changed are read
 * again at once, and those that other processes have changed when their notification arrives; see decision 0046.
 */
export class CachedConnectors {
  readonly #db: Kysely<Tables>;
  /** The rows by connector and tenant. */
  readonly #rows: LRUCache<string, Map<string, StoredConnector>>;
  /** The rows that are being read. They are not in the cache, where unknown ids would remove rows. */
  readonly #reads = new Map<string, Map<string, Promise<StoredConnector | null>>>();

  constructor(db: Kysely<Tables>, changes: ConnectorChanges, maxConnectors = 2_000) {
    this.#db = db;
    this.#rows = new LRUCache({ max: maxConnectors, ttl: maxAgeMs, ttlAutopurge: true });
    changes.listen(id => {
      for (const known of [this.#rows, this.#reads]) {
        if (id === null) known.clear();
        else known.delete(id);
      }
    });
  }

  /** Returns the same object until the row changes. */
  find(tenant: Tenant, id: string): StoredConnector | Promise<StoredConnector | null> {
    const connectorId = id.toLowerCase();
    const scope = Object.values(tenant).join(' ');
    return this.#rows.get(connectorId)?.get(scope) ?? this.#read(tenant, connectorId, scope);
  }

  /** Reads a row, once for all requests that need it at the same time. */
  #read(tenant: Tenant, id: string, scope: string): Promise<StoredConnector | null> {
    const reads = this.#reads.get(id) ?? new Map<string, Promise<StoredConnector | null>>();
    this.#reads.set(id, reads);
    const isUnchanged = (): boolean => this.#reads.get(id) === reads;
    let read = reads.get(scope);
    if (read === undefined) {
      read = findConnector(this.#db, tenant, id)
        .then(row => {
          if (row !== null && isUnchanged()) this.#keep(row, scope);
          return row;
        })
        .finally(() => {
          reads.delete(scope);
          if (reads.size === 0 && isUnchanged()) this.#reads.delete(id);
        });
      reads.set(scope, read);
    }
    return read;
  }

  #keep(row: StoredConnector, scope: string): void {
    const rows = this.#rows.get(row.id) ?? new Map<string, StoredConnector>();
    this.#rows.set(row.id, rows.set(scope, row), { noUpdateTTL: true });
  }
}
