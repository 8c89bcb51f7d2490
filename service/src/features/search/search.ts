import { ConnectorAuthError, JsonText } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { SignedCursors } from '../../platform/crypto/signed-cursors.ts';
import { StatementTimeoutError } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { searchedTable, type RecordTable } from '../../shared/records/record-table.ts';
import type { ConnectorRef } from '../../shared/repositories/connectors.ts';
import { requireAffordable } from './cost.ts';
import type { Position } from './order.ts';
import { invalidParams, readQuery, type SearchQuery } from './query.ts';
import { selectPage, type Page } from './select.ts';

/**
 * Sync progress of the searched records. None are synced yet (`building`), some are synced (`preview`), or
 * all were synced by the last sync run (`ready`).
 */
export type SyncStatus = 'building' | 'preview' | 'ready';

/** A search response in wire format. */
export interface SearchResponse {
  /** The records, as the database wrote them. */
  readonly data: JsonText;
  readonly meta: {
    readonly has_more: boolean;
    readonly cursor: string | null;
    readonly took_ms: number;
    readonly sync: { readonly status: SyncStatus; readonly last_synced_at: string | null };
  };
}

export interface SearchAccess {
  /** A connection pool that cancels statements that exceed the time limit for searches. */
  readonly db: Kysely<Tables>;
  readonly cursors: SignedCursors<Position>;
  readonly limits: SearchLimits;
}

export interface SearchLimits {
  /** Maximum estimated cost of a search, see {@link requireAffordable}. */
  readonly cost: number;
  /** Time limit that each statement enforces itself, or null if the database cancels slow statements. */
  readonly deadlineMs: number | null;
}

/** The sync progress of the records to search. */
export interface SearchProgress {
  readonly status: SyncStatus;
  /** How many records are stored. */
  readonly records: number;
  /** When the last run ended, or null if none has. */
  readonly lastSyncedAt: Date | null;
  /** Every record has the columns up to this version. */
  readonly columnsVersion: number;
}

/** The table and connector to search. */
export interface SearchSource {
  readonly table: RecordTable;
  readonly connector: ConnectorRef;
  readonly readProgress: () => Promise<SearchProgress>;
}

const emptyPage: Page = { records: new JsonText('[]', 0), next: null };

/**
 * Searches one entity's synced records in a connector.
 * @param params unvalidated params from the caller: `{query: {filter, sort}, limit, cursor, fields}`.
 * @throws ConnectorAuthError `invalid_params` with the path of every issue, `query_too_expensive` if the
 * estimated cost exceeds the limit, or `query_too_slow` if the search times out.
 */
export async function searchRecords(
  { db, cursors, limits }: SearchAccess,
  { table: declared, connector, readProgress }: SearchSource,
  params: Readonly<Record<string, unknown>>,
): Promise<SearchResponse> {
  const startedAt = performance.now();
  const progress = await readProgress();
  const table = searchedTable(declared, progress.columnsVersion);
  const query = readQuery(table, params);
  // In the order of another type, a position would be another record. Only the columns of changed types have names with `$`.
  const columns = query.sort.flatMap(({ target: { column } }) => column?.column ?? []);
  const binding = [connector.id, table.name, query.sent, ...columns.filter(name => name.includes('$'))];
  const position = readPosition(cursors, table, query, binding);
  const readPage = async (): Promise<Page> => {
    // Before the first page is stored, records from a replaced account may not be deleted yet.
    if (progress.status === 'building') return emptyPage;
    const checkPlan = requireAffordable(table, query, { records: progress.records, limit: limits.cost });
    const { deadlineMs } = limits;
    const page = selectPage(db, table, connector, { query, position, deadlineMs, checkPlan });
    return await describeTimeout(table, page);
  };
  const { records, next } = await readPage();
  return {
    data: records,
    meta: {
      has_more: next !== null,
      cursor: next === null ? null : cursors.write(next, binding),
      took_ms: Math.round((performance.now() - startedAt) * 100) / 100,
      sync: { status: progress.status, last_synced_at: progress.lastSyncedAt?.toISOString() ?? null },
    },
  };
}

function readPosition(
  cursors: SignedCursors<Position>,
  table: RecordTable,
  { cursor }: SearchQuery,
  binding: unknown,
): Position | null {
  if (cursor === null) return null;
  const read = cursors.read(cursor, binding);
  if ('position' in read) return read.position;
  const message =
    read.error === 'invalid'
      ? 'Invalid cursor: send the meta.cursor of the previous response'
      : 'This cursor belongs to another search: send the same filter and sort as before';
  throw invalidParams(table, [{ path: 'params.cursor', message }]);
}

async function describeTimeout(table: RecordTable, page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof StatementTimeoutError)) throw error;
    const indexed = [...table.fields.values()].filter(field => field.isIndexed).map(({ field }) => field);
    throw new ConnectorAuthError(
      'query_too_slow',
      `The search timed out. Filter by an indexed field to narrow it: ${indexed.join(', ')}; or request fewer fields or a lower limit`,
      { cause: error },
    );
  }
}
