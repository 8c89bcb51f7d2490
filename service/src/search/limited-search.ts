import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { defaultLimits, type Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { RecordTables } from '../records/record-table.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import { readProgress } from '../repositories/sync-state.ts';
import { Cursors } from './cursor.ts';
import { searchRecords, type SearchResponse, type SyncStatus } from './search.ts';

/**
 * Searches an entity of a connector. Returns null if the entity is not searchable.
 * @param signal aborts when the caller disconnects.
 * @throws ConnectorAuthError `invalid_params`, `query_too_slow`, or `rate_limited` if the customer's queue is
 * full.
 */
export type LimitedSearch = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<SearchResponse> | null;

/**
 * Maximum number of concurrent searches per customer. On PostgreSQL, it is below the number of search
 * connections, so that one customer cannot block the others. PGlite supports only one connection.
 */
const maxConcurrentSearches = { postgres: defaultLimits.maxSearchConnections - 1, pglite: 1 } as const;
const maxQueuedSearches = 16;
const retryAfterSeconds = 5;

/**
 * Creates a search function with a concurrency limit per customer. Cursors are signed with keys derived from
 * `signingKeys`.
 */
export function createLimitedSearch(
  database: Database,
  tables: RecordTables,
  signingKeys: KeyRing,
): LimitedSearch {
  const access = { db: database.search, cursors: new Cursors(signingKeys) };
  const semaphore = new Semaphore(
    { maxConcurrent: maxConcurrentSearches[database.engine], maxQueued: maxQueuedSearches },
    () =>
      new ConnectorAuthError(
        'rate_limited',
        `Too many concurrent searches: ${maxQueuedSearches} are already queued for this customer. Retry in ${retryAfterSeconds} seconds, or run searches one at a time`,
        { retryAfterSeconds },
      ),
  );
  return (connector, entity, params, signal) => {
    const table = tables.find(connector.kind, entity);
    if (table === null) return null;
    const run = (): Promise<SearchResponse> =>
      searchRecords(
        access,
        {
          table,
          connectorId: connector.id,
          readStatus: () => readStatus(database.kysely, connector, entity),
        },
        params,
      );
    return semaphore.run(connector.customerId, run, signal);
  };
}

async function readStatus(
  db: Kysely<Tables>,
  { organizationId, id }: StoredConnector,
  entity: string,
): Promise<SyncStatus> {
  const progress = (await readProgress(db, organizationId, [id])).find(entry => entry.entity === entity);
  if (progress === undefined) return 'building';
  if (progress.lastSyncedAt !== null) return 'ready';
  return progress.records > 0 ? 'preview' : 'building';
}
