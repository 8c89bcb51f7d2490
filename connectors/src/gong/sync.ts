import { ConnectorAuthError } from '@connector-auth/api';
import type { SearchType, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import type { Call } from './call-record.ts';
import { settings } from './settings.ts';
import { get, readPage } from './wire.ts';

/**
 * Gong adds calls late and filters them by their scheduled time, so an incremental run starts a day before
 * the last call seen.
 */
const lookBackMs = 24 * 60 * 60 * 1000;

export const onlyFullRunsFind =
  'deletions, and changes (such as a new title) of calls that started more than a day before the newest one';

type SearchRecord = Readonly<Record<string, unknown>>;

interface Position {
  /** The cursor of the next page; null for the first page of a workspace. */
  cursor: string | null;
  /** The workspace whose calls are read; omitted if the calls of all workspaces are read together. */
  workspaceId?: string;
  /** Latest `started` value in this run, in milliseconds since the epoch. */
  latest: number | null;
  /** Whether this run has already restarted. A run can restart only once. */
  hasRestarted?: boolean;
}

/** A fetched page, requested with a cursor or, after a restart, without one. */
interface Fetched {
  readonly response: VendorResponse;
  readonly latest: number | null;
  readonly hasRestarted: boolean;
}

/** Reads all users in every run, because Gong cannot filter them by change. */
export async function* syncUsers(
  vendor: Vendor,
  { position }: SyncStart,
  toSearchRecord: (wire: unknown) => SearchRecord,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function yielded.
  let at = position as Position | null;
  do {
    const asked = await sendOrRestart(vendor, at, cursor => get('/v2/users', { cursor }));
    const { result, connector_metadata } = readPage(asked.response, 'users', toSearchRecord);
    at = next(connector_metadata.cursor, asked, null);
    yield { records: result, position: at };
  } while (at !== null);
}

type CallQuery = Readonly<Partial<Record<'cursor' | 'fromDateTime' | 'workspaceId', string>>>;

/** How to request and parse calls, either plain or detailed. */
interface CallSource<R> {
  readonly request: (query: CallQuery) => VendorRequest;
  readonly read: (wire: unknown) => R;
  readonly metaDataOf: (record: R) => Call;
  readonly toSearchRecord: (record: R) => SearchRecord;
}

/**
 * Reads all calls, or only calls from one day before `since`, of the workspaces in the settings if they list
 * any. Gong filters by one workspace at a time. Skips private calls, because not every user is allowed to see
 * them.
 */
export async function* syncCalls<R>(
  vendor: Vendor,
  { since, position }: SyncStart,
  source: CallSource<R>,
): AsyncGenerator<SyncPage, void> {
  const from = since === null ? {} : { fromDateTime: isoOf(Date.parse(since) - lookBackMs) };
  // The position is one that this function yielded.
  let at = position as Position | null;
  const reached = at?.workspaceId ?? '';
  const workspaces = workspacesOf(vendor).filter(id => id === null || id >= reached);
  for (const [index, id] of workspaces.entries()) {
    const filter = id === null ? from : { ...from, workspaceId: id };
    const following = workspaces[index + 1];
    let cursor: string | null;
    do {
      const asked = await sendOrRestart(vendor, at, cursor =>
        source.request(cursor === undefined ? filter : { ...filter, cursor }),
      );
      const { result, connector_metadata } = readPage(asked.response, 'calls', source.read);
      const latest = latestStart(result.map(source.metaDataOf), asked.latest, vendor.now());
      const records = result
        .filter(record => source.metaDataOf(record).isPrivate !== true)
        .map(source.toSearchRecord);
      cursor = connector_metadata.cursor;
      at = next(cursor, asked, latest);
      if (at !== null && id !== null) at = { ...at, workspaceId: id };
      if (at === null && following) at = { cursor: null, workspaceId: following, latest };
      if (at === null) yield { records, position: null, since: latest === null ? since : isoOf(latest) };
      else yield { records, position: at };
    } while (cursor !== null);
  }
}

/**
 * Returns the ids of the workspaces in the settings in the order in which they are read; null stands for all.
 */
function workspacesOf({ grant }: Vendor): readonly (string | null)[] {
  const { workspace_ids } = settings.parse(grant.settings);
  return workspace_ids === undefined ? [null] : [...new Set(workspace_ids)].sort();
}

/**
 * Requests the page at a position. Gong does not document how long cursors are valid, so a rejected cursor
 * restarts the workspace. It restarts only once, because it would never end if Gong rejected every cursor.
 */
async function sendOrRestart(
  vendor: Vendor,
  at: Position | null,
  request: (cursor: string | undefined) => VendorRequest,
): Promise<Fetched> {
  const hasRestarted = at?.hasRestarted ?? false;
  try {
    const response = await vendor.send(request(at?.cursor ?? undefined));
    return { response, latest: at?.latest ?? null, hasRestarted };
  } catch (error) {
    if (at === null || at.cursor === null || hasRestarted || !isRejection(error)) throw error;
    return { response: await vendor.send(request(undefined)), latest: at.latest, hasRestarted: true };
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof ConnectorAuthError && error.code === 'vendor_refused_request';
}

function next(cursor: string | null, { hasRestarted }: Fetched, latest: number | null): Position | null {
  return cursor === null ? null : { cursor, latest, hasRestarted };
}

/**
 * Returns the latest start of all calls so far. Ignores future calls, because an incremental run would
 * otherwise skip all calls before them.
 */
function latestStart(calls: readonly Call[], latest: number | null, nowMs: number): number | null {
  return calls.reduce<number | null>((latest, { started }) => {
    const at = started === null ? Number.NaN : Date.parse(started);
    return at <= nowMs && (latest === null || at > latest) ? at : latest;
  }, latest);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns a record's searchable fields. */
export function searchRecord(
  record: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, SearchType>>,
): SearchRecord {
  return Object.fromEntries(Object.keys(fields).map(name => [name, record[name] ?? null]));
}
