import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import type { KeyRing } from '../../platform/crypto/key-ring.ts';
import { SignedCursors } from '../../platform/crypto/signed-cursors.ts';
import type { Database } from '../../platform/database/database.ts';
import { overloaded } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { RecordTables } from '../../shared/records/record-table.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';
import { readSync } from '../../shared/repositories/sync-state.ts';
import type { Position } from './order.ts';
import { searchRecords, type SearchProgress, type SearchResponse } from './search.ts';
import { SlowSearchBackoff } from './slow-search-backoff.ts';

/**
 * Searches an entity of a connector. Returns null if the entity is not searchable.
 * @param signal aborts when the caller disconnects.
 * @throws ConnectorAuthError `invalid_params`, `query_too_expensive`, `query_too_slow`, `rate_limited` if the
 * customer's queue is full or its searches are paused, or `overloaded` if the search waited too long.
 */
export type LimitedSearch = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<SearchResponse> | null;

export interface LimitedSearchOptions {
  /** The first key signs new cursors. */
  readonly signingKeys: KeyRing;
  readonly clock: Pick<Clock, 'now'>;
  /** Overrides the database's `searchCostLimit` unless it is null. */
  readonly costLimit: number | null;
}

const maxQueuedSearches = 16;
const retryAfterSeconds = 5;

/**
 * Creates a search function that limits cost, concurrency and repeated timeouts, so that one customer's
 * searches do not slow down others.
 */
export function createLimitedSearch(
  database: Database,
  tables: RecordTables,
  { signingKeys, clock, costLimit }: LimitedSearchOptions,
): LimitedSearch {
  const context = {
    db: database.search,
    cursors: new SignedCursors<Position>(signingKeys, 'search cursor'),
    limits: { cost: costLimit ?? database.searchCostLimit, deadlineMs: database.searchDeadlineMs },
  };
  const { searchConnections: maxConcurrent, acquireTimeoutMs: maxWaitMs } = database;
  // If there are several search connections, one is reserved for customers that are not searching.
  const reserved = maxConcurrent > 1 ? 1 : 0;
  const semaphore = new Semaphore(
    { maxConcurrent, shared: { reserved }, maxQueued: maxQueuedSearches, maxWaitMs },
    () =>
      new LimitError(
        { name: 'searches', quota: maxConcurrent - reserved, windowSeconds: null },
        `Too many concurrent searches: ${maxQueuedSearches} are already queued for this customer. Retry in ${retryAfterSeconds} seconds, or run searches one at a time`,
        retryAfterSeconds,
      ),
    () => overloaded('Too many searches are waiting for the database'),
  );
  const backoff = new SlowSearchBackoff(clock);
  return (connector, entity, params, signal) => {
    const table = tables.find(connector.kind, entity);
    if (table === null) return null;
    const { customerId } = connector;
    const source = {
      table,
      connector,
      readProgress: () => readSearchProgress(database.kysely, connector, entity),
    };
    const search = async (): Promise<SearchResponse> => {
      backoff.requireNoPause(customerId);
      try {
        const response = await searchRecords(context, source, params);
        backoff.recordSuccess(customerId);
        return response;
      } catch (error) {
        if (error instanceof ConnectorAuthError && error.code === 'query_too_slow') {
          backoff.recordTimeout(customerId);
        }
        throw error;
      }
    };
    return semaphore.run(customerId, search, signal);
  };
}

async function readSearchProgress(
  db: Kysely<Tables>,
  connector: StoredConnector,
  entity: string,
): Promise<SearchProgress> {
  const sync = (await readSync(db, [connector])).get(connector.id);
  const found = sync?.entities.find(entry => entry.entity === entity);
  const { records = 0, lastSyncedAt = null, columnsVersion = 0 } = found ?? {};
  const status = lastSyncedAt !== null ? 'ready' : records > 0 ? 'preview' : 'building';
  return { status, records, lastSyncedAt, columnsVersion };
}
