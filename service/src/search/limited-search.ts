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
 * Searches an entity of a connector; null when the entity has no search.
 * @param signal aborted when nobody waits for the answer any more.
 * @throws ConnectorAuthError `invalid_params`, `query_too_slow`; `rate_limited` when too many searches of the customer wait already.
 */
export type LimitedSearch = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<SearchResponse> | null;

/**
 * How many searches of one customer run at once, by engine: fewer than there are connections for searches, so that no customer keeps
 * the others from searching. The embedded engine has one connection for everybody.
 */
const maxConcurrentSearches = { postgres: defaultLimits.maxSearchConnections - 1, pglite: 1 } as const;
const maxQueuedSearches = 16;
const retryAfterSeconds = 5;

/** The search of these tables. Its cursors are signed with a key derived from `signingKeys`. */
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
        `${maxQueuedSearches} searches of this customer are waiting already; search one after the other, or try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      ),
  );
  return (connector, entity, params, signal) => {
    const table = tables.find(connector.kind, entity);
    if (table === null) return null;
    const run = (): Promise<SearchResponse> =>
      searchRecords(access, table, connector.id, params, () =>
        readStatus(database.kysely, connector, entity),
      );
    return semaphore.run(connector.customerId, run, signal);
  };
}

/** What can be searched of an entity: nothing yet, what the first walk has seen so far, or all there is. */
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
