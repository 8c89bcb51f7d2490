import { ConnectorAuthError, unknownField, type ListChangesResponse } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { overloaded } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { longPoll, type LongPollContext } from '../../platform/notifications/long-poll.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { Caller, Tenant } from '../../shared/auth/caller.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { Call } from '../../shared/http/handler.ts';
import {
  endOf,
  expiryOf,
  type ChangeCursors,
  type FeedPosition,
} from '../../shared/records/change-cursors.ts';
import type { Horizon } from '../../shared/records/horizon.ts';
import { searchedTable, type RecordTable, type RecordTables } from '../../shared/records/record-table.ts';
import { findConnector } from '../../shared/repositories/connectors.ts';
import { findCustomer } from '../../shared/repositories/customers.ts';
import {
  endEpoch,
  noteSkipped,
  readFeedState,
  type FeedState,
  type SkippedChanges,
} from '../../shared/repositories/record-changes.ts';
import { customerNameOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import {
  entriesPerRead,
  entriesQuery,
  hasEntries,
  readRecords,
  type KeyRange,
  type LogEntry,
} from './entries.ts';

export interface ChangesContext extends LongPollContext {
  /** The database for searches, which reads the records. */
  readonly search: Kysely<Tables>;
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly tables: RecordTables;
  readonly cursors: ChangeCursors;
  readonly horizon: Horizon;
  /** Limits the concurrent reads. */
  readonly reads: Semaphore;
}

/** What a request reads. */
interface Selection extends Tenant {
  readonly connectorId: string | null;
  /** The keys of the kinds, or null for all. */
  readonly kinds: readonly string[] | null;
  readonly entity: string | null;
  readonly limit: number;
}

const defaultLimit = 1000;

/** Limits the concurrent reads, which applications and the customers with a token of their own share fairly. */
export function limitReads(maxConcurrent: number): Semaphore {
  const maxQueued = 16;
  return new Semaphore(
    { maxConcurrent, shared: { reserved: maxConcurrent > 1 ? 1 : 0 }, maxQueued, maxWaitMs: 10_000 },
    () =>
      new LimitError(
        { name: 'changes', quota: maxConcurrent, windowSeconds: null },
        `Too many concurrent requests for changes: ${maxQueued} are already queued. Read one page after the other`,
        5,
      ),
    () => overloaded('Too many requests for changes are waiting for the database'),
  );
}

/**
 * Returns the next changes after a cursor, and waits for one if there is none.
 * @throws ConnectorAuthError `action_not_allowed`; `source_not_allowed`; `customer_not_allowed`; `connector_not_found`;
 * `unknown_connector_type`; `unknown_entity`; `malformed_request` if the cursor is invalid; `cursor_expired`; `rate_limited`.
 */
export async function listChanges(
  context: ChangesContext,
  { caller, query, signal }: Pick<Call<'listChanges'>, 'caller' | 'query' | 'signal'>,
): Promise<ListChangesResponse> {
  const { db, cursors, horizon, reads } = context;
  const { organizationId, customerId } = caller.tenant;
  const selection = await selectionOf(context, caller, query);
  const respond = ({ changes, state, position, hasMore }: Page): ListChangesResponse => ({
    changes: [...changes],
    cursor: cursors.write(organizationId, position),
    has_more: hasMore,
    horizon_age_seconds: Math.round(state.horizonAgeSeconds),
  });
  if (query.cursor === 'now') {
    await requireExistingCustomer(db, caller.tenant);
    const state = await horizon.advance();
    return respond({ changes: [], state, position: endOf(state), hasMore: false });
  }
  const start = cursors.read(organizationId, query.cursor);
  if (start === null) {
    const message = 'Invalid cursor: send `now`, or the cursor of a previous response to this organization';
    throw ConnectorAuthError.invalid('malformed_request', [{ path: 'cursor', message }]);
  }
  let position = start;
  const reader = customerId ?? caller.applicationId;
  const page = await longPoll(context, topics.changesOf(organizationId), {
    read: async () => {
      const found = await reads.run(reader, () => readPage(context, selection, position), signal);
      ({ position } = found);
      return found;
    },
    isSettled: ({ changes, hasMore }) => changes.length > 0 || hasMore,
    waiterOf: () => reader,
    waitSeconds: query.wait_seconds ?? 0,
    signal,
  });
  if (page.changes.length === 0) await requireExistingCustomer(db, caller.tenant);
  return respond(page);
}

async function selectionOf(
  { db, kinds, tables }: ChangesContext,
  caller: Caller,
  query: Call<'listChanges'>['query'],
): Promise<Selection> {
  const { rights, tenant } = caller;
  rights.requireAction('search');
  const kind = resolveKind(kinds, { connector_type: query.connector_type });
  if (kind !== null) rights.requireSource(kind);
  const { entity = null, connector_id: connectorId = null, limit = defaultLimit } = query;
  const entities = new Set((kind === null ? tables.all : tables.ofKind(kind.key)).map(table => table.entity));
  if (entity !== null && !entities.has(entity)) {
    throw ConnectorAuthError.invalid('unknown_entity', [
      { path: 'entity', message: unknownField([...entities], 'Searchable entities') },
    ]);
  }
  const customerName = customerNameOf(caller, query.customer_name);
  const customerId =
    tenant.customerId ??
    (customerName === undefined ? null : await requireCustomer(db, tenant.organizationId, customerName));
  const selection = { ...tenant, customerId, connectorId, entity, limit };
  if (connectorId !== null) await requireKnownConnector(db, selection);
  return { ...selection, kinds: kind === null ? rights.granted.allowedSources : [kind.key] };
}

async function requireCustomer(db: Kysely<Tables>, organizationId: string, name: string): Promise<string> {
  const id = await findCustomer(db, organizationId, name);
  if (id !== null) return id;
  throw new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
}

/** A connector that was disconnected is known as long as the log reports it. */
async function requireKnownConnector(
  db: Kysely<Tables>,
  selection: Tenant & { readonly connectorId: string | null },
): Promise<void> {
  const id = selection.connectorId ?? '';
  const isKnown =
    (await hasEntries(db, selection, { xid: 0n, sequence: 0 })) ||
    (await findConnector(db, selection, id, 'present_or_restorable')) !== null;
  if (!isKnown) throw new ConnectorAuthError('connector_not_found', 'No connector has this id');
}

interface Page {
  readonly changes: readonly ListChangesResponse['changes'][number][];
  readonly state: FeedState;
  /** Where the next page begins. */
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

/**
 * Reads a page from a position. Returns when what it contains is on disk.
 * @throws ConnectorAuthError `cursor_expired`.
 */
async function readPage(context: ChangesContext, selection: Selection, from: FeedPosition): Promise<Page> {
  const { db, search, horizon } = context;
  const readFrom = async ({ horizon }: FeedState) =>
    (await entriesQuery(selection, { from, horizon }).execute(search)).rows;
  let before = await requireReadable(context, from, await readFeedState(db));
  let entries = await readFrom(before);
  if (entries.length === 0 && (await hasEntries(search, selection, from))) {
    before = await requireReadable(context, from, await horizon.advance());
    entries = await readFrom(before);
  }
  if (entries.length === 0) return { changes: [], state: before, position: endOf(before), hasMore: false };
  const { ranges, skipped, position, hasMore } = selectRanges(context, entries, selection, from, before);
  await noteSkipped(db, selection.organizationId, skipped);
  const changes = await readChanges(context, selection.organizationId, ranges);
  // The records can be newer than the entries. What was deleted meanwhile is known only now.
  const state = await requireReadable(context, from, await horizon.advance());
  return {
    changes,
    state,
    position,
    hasMore: hasMore || (await hasEntries(search, selection, position, state.horizon)),
  };
}

/** A range of an entry, with the table of its records. */
interface TableRange extends KeyRange {
  /** Null if the entry reports that a connector was disconnected. */
  readonly table: RecordTable | null;
}

interface SelectedRanges extends Pick<Page, 'position' | 'hasMore'> {
  readonly ranges: readonly TableRange[];
  /** What is left out although the caller may see it, because this process has not loaded it. */
  readonly skipped: readonly SkippedChanges[];
}

/** Chooses what to return of entries, up to the limit. */
function selectRanges(
  { tables }: Pick<ChangesContext, 'tables'>,
  entries: readonly LogEntry[],
  selection: Selection,
  from: FeedPosition,
  state: FeedState,
): SelectedRanges {
  const { epoch } = from;
  const ranges: TableRange[] = [];
  const skipped: SkippedChanges[] = [];
  let left = selection.limit;
  for (const entry of entries) {
    const [xid, timeMs] = [BigInt(entry.xid), entry.changedAt.getTime()];
    const isContinued = xid === from.xid && entry.sequence === from.sequence;
    const first = isContinued ? from.keys : 0;
    if (left === 0) {
      return {
        ranges,
        skipped,
        position: { epoch, xid, sequence: entry.sequence, keys: first, timeMs },
        hasMore: true,
      };
    }
    if (!isSelected(entry, selection)) continue;
    const { kind, entity, columnsVersion } = entry;
    const declared = entity === null ? null : tables.find(kind, entity);
    if (entity !== null && declared === null) {
      skipped.push({ kind, entity, since: entry.xid });
      continue;
    }
    const table = declared && searchedTable(declared, columnsVersion);
    const end = entry.entity === null ? first + 1 : Math.min(entry.keyCount, first + left);
    ranges.push({ entry, table, first, end });
    left -= end - first;
    if (entry.entity !== null && end < entry.keyCount) {
      return {
        ranges,
        skipped,
        position: { epoch, xid, sequence: entry.sequence, keys: end, timeMs },
        hasMore: true,
      };
    }
  }
  const last = entries.at(-1);
  if (last === undefined || entries.length < entriesPerRead) {
    return { ranges, skipped, position: endOf(state), hasMore: false };
  }
  const position = {
    epoch,
    xid: BigInt(last.xid),
    sequence: last.sequence + 1,
    keys: 0,
    timeMs: last.changedAt.getTime(),
  };
  return { ranges, skipped, position, hasMore: true };
}

/** Returns whether a caller sees an entry: what search does not find is skipped. */
function isSelected(entry: LogEntry, { kinds, entity }: Selection): boolean {
  if (kinds !== null && !kinds.includes(entry.kind)) return false;
  if (entry.entity === null) return !entry.isConnected;
  return entry.isSearchable && (entity === null || entry.entity === entity);
}

async function readChanges(
  { search }: ChangesContext,
  organizationId: string,
  ranges: readonly TableRange[],
): Promise<Page['changes']> {
  const changes = ranges.map((): Page['changes'] => []);
  const byTable = Map.groupBy(
    ranges.map((range, index) => ({ ...range, index })),
    ({ table }) => table,
  );
  for (const [table, ofTable] of byTable) {
    if (table === null) continue;
    const records = await readRecords(search, table, organizationId, ofTable);
    for (const [position, { entry, index }] of ofTable.entries()) {
      changes[index] = (records[position] ?? []).map(({ id, record }) => ({
        ...describe(entry),
        entity: entry.entity,
        id,
        operation: record === null ? 'delete' : 'upsert',
        record,
      }));
    }
  }
  for (const [index, { entry }] of ranges.entries()) {
    if (entry.entity !== null) continue;
    changes[index] = [{ ...describe(entry), entity: null, id: null, operation: 'disconnect', record: null }];
  }
  return changes.flat();
}

function describe({ connectorId, customerName, kind, changedAt }: LogEntry) {
  return {
    connector_id: connectorId,
    customer_name: customerName,
    connector_type: kind,
    changed_at: changedAt.toISOString(),
  };
}

/**
 * Returns the state if the changes after a position are complete.
 * @throws ConnectorAuthError `cursor_expired`.
 */
async function requireReadable(
  { db, horizon }: ChangesContext,
  position: FeedPosition,
  read: FeedState,
): Promise<FeedState> {
  // Begins a new epoch.
  const state = read.fits ? read : await horizon.advance();
  const reason = expiryOf(position, state);
  if (reason === null) return state;
  // The database is a copy from before the cursor. Its transaction ids will mean something else.
  if (reason === 'restored') await endEpoch(db);
  throw expired(expiryReasons[reason]);
}

const expiryReasons = {
  restored_or_moved: 'The database was restored or moved since this cursor was returned',
  restored: 'The database was restored since this cursor was returned',
  deleted: 'The changes after this cursor have been deleted',
} as const;

function expired(reason: string): ConnectorAuthError {
  return new ConnectorAuthError(
    'cursor_expired',
    `${reason}. Start again: request cursor=now, read all records with search, then follow the changes`,
  );
}
