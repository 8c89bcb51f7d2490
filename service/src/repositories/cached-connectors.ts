import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ConnectorChanges } from '../database/connector-changes.ts';
import type { Tables } from '../database/tables.ts';
import { findConnector, type StoredConnector, type Tenant } from './connectors.ts';

const maxConnectors = 2_000;
/** How long a row can be outdated if a notification is lost, and how long its decrypted grant stays in memory. */
const maxAgeMs = 5_000;

/**
 * Finds connectors without a query if they were used shortly before. Rows that this process has changed are read
 * again at once, and those that other processes have changed when their notification arrives; see decision 0046.
 */
export class CachedConnectors {
  readonly #db: Kysely<Tables>;
  /** The rows by connector and tenant, also those that are being read. */
  readonly #rows = new LRUCache<string, Map<string, Promise<StoredConnector | null>>>({
    max: maxConnectors,
    ttl: maxAgeMs,
    ttlAutopurge: true,
  });

  constructor(db: Kysely<Tables>, changes: ConnectorChanges) {
    this.#db = db;
    changes.listen(id => {
      if (id === null) this.#rows.clear();
      else this.#rows.delete(id);
    });
  }

  /** Returns the same object until the row changes. */
  find(tenant: Tenant, id: string): Promise<StoredConnector | null> {
    const connectorId = id.toLowerCase();
    let ofConnector = this.#rows.get(connectorId);
    if (ofConnector === undefined) {
      ofConnector = new Map();
      this.#rows.set(connectorId, ofConnector);
    }
    const scope = Object.values(tenant).join(' ');
    let row = ofConnector.get(scope);
    if (row === undefined) {
      row = this.#read(tenant, connectorId, () => ofConnector.delete(scope));
      ofConnector.set(scope, row);
    }
    return row;
  }

  /** @param forget called if there is no row to keep. */
  async #read(tenant: Tenant, id: string, forget: () => void): Promise<StoredConnector | null> {
    try {
      const row = await findConnector(this.#db, tenant, id);
      if (row === null) forget();
      return row;
    } catch (error) {
      forget();
      throw error;
    }
  }
}
