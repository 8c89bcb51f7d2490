import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { StatementTimeoutError } from '../database/pool.ts';
import type { Tables } from '../database/tables.ts';
import type { RecordTable } from '../records/record-table.ts';
import type { Cursors } from './cursor.ts';
import type { Position } from './order.ts';
import { invalidParams, readQuery, type SearchQuery } from './query.ts';
import { selectPage, type Page, type SearchRecord } from './select.ts';

/** How complete the records are that a search finds. */
export type SyncStatus = 'building' | 'preview' | 'ready';

/** What a search answers, as on the wire. */
export interface SearchResponse {
  readonly data: readonly SearchRecord[];
  readonly meta: {
    readonly has_more: boolean;
    readonly cursor: string | null;
    readonly took_ms: number;
    readonly sync: SyncStatus;
  };
}

/** What searches run on. */
export interface SearchAccess {
  /** Stops statements that take too long. */
  readonly db: Kysely<Tables>;
  readonly cursors: Cursors;
}

const nothingYet: Page = { records: [], next: null };

/**
 * Searches a connector's synchronised records of one entity.
 * @param params as they were sent: `{query: {filter, sort}, limit, cursor, fields}`.
 * @throws ConnectorAuthError `invalid_params` with every fault's path, before anything is searched; `query_too_slow`.
 */
export async function searchRecords(
  { db, cursors }: SearchAccess,
  table: RecordTable,
  connectorId: string,
  params: Readonly<Record<string, unknown>>,
  readStatus: () => Promise<SyncStatus>,
): Promise<SearchResponse> {
  const startedAt = performance.now();
  const query = readQuery(table, params);
  const binding = [connectorId, table.name, query.asked];
  const position = readPosition(cursors, table, query, binding);
  const [page, sync] = await Promise.all([
    inTime(table, selectPage(db, table, connectorId, query, position)),
    readStatus(),
  ]);
  // Before the first page there may still be records of an account that was replaced: they are deleted in the background.
  const { records, next } = sync === 'building' ? nothingYet : page;
  return {
    data: records,
    meta: {
      has_more: next !== null,
      cursor: next === null ? null : cursors.write(next, binding),
      took_ms: Math.round((performance.now() - startedAt) * 100) / 100,
      sync,
    },
  };
}

function readPosition(
  cursors: Cursors,
  table: RecordTable,
  { cursor }: SearchQuery,
  binding: unknown,
): Position | null {
  if (cursor === null) return null;
  const read = cursors.read(cursor, binding);
  if ('position' in read) return read.position;
  const message =
    read.fault === 'damaged'
      ? "This is no cursor: give the previous answer's meta.cursor"
      : 'The cursor belongs to another search: repeat filter and sort as they were';
  throw invalidParams(table, [{ path: 'params.cursor', message }]);
}

async function inTime(table: RecordTable, page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof StatementTimeoutError)) throw error;
    const indexed = [...table.fields.values()].filter(field => field.isIndexed).map(({ field }) => field);
    throw new ConnectorAuthError(
      'query_too_slow',
      `The search took too long and was stopped. Narrow it by an indexed field: ${indexed.join(', ')}`,
      { cause: error },
    );
  }
}
