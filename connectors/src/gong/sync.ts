import { ConnectorAuthError } from '@connector-auth/api';
import type { SearchType, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import type { Call } from './call.ts';
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
  cursor: string;
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

/** How to request and parse calls, either plain or detailed. */
interface CallSource<R> {
  readonly request: (query: { cursor?: string; fromDateTime?: string }) => VendorRequest;
  readonly read: (wire: unknown) => R;
  readonly metaDataOf: (record: R) => Call;
  readonly toSearchRecord: (record: R) => SearchRecord;
}

/**
 * Reads all calls, or only calls from one day before `since`. Skips private calls, because not every user is
 * allowed to see them.
 */
export async function* syncCalls<R>(
  vendor: Vendor,
  { since, position }: SyncStart,
  source: CallSource<R>,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function yielded.
  let at = position as Position | null;
  for (;;) {
    const from = since === null ? {} : { fromDateTime: isoOf(Date.parse(since) - lookBackMs) };
    const asked = await sendOrRestart(vendor, at, cursor =>
      source.request(cursor === undefined ? from : { ...from, cursor }),
    );
    const { result, connector_metadata } = readPage(asked.response, 'calls', source.read);
    const latest = latestStart(result.map(source.metaDataOf), asked.latest, vendor.now());
    const records = result
      .filter(record => source.metaDataOf(record).isPrivate !== true)
      .map(source.toSearchRecord);
    at = next(connector_metadata.cursor, asked, latest);
    if (at === null) {
      yield { records, position: null, since: latest === null ? since : isoOf(latest) };
      return;
    }
    yield { records, position: at };
  }
}

/**
 * Requests the page at a position. Gong does not document how long cursors are valid, so a rejected cursor
 * restarts the run. The run restarts only once, because it would never end if Gong rejected every cursor.
 */
async function sendOrRestart(
  vendor: Vendor,
  at: Position | null,
  request: (cursor: string | undefined) => VendorRequest,
): Promise<Fetched> {
  const hasRestarted = at?.hasRestarted ?? false;
  try {
    return { response: await vendor.send(request(at?.cursor)), latest: at?.latest ?? null, hasRestarted };
  } catch (error) {
    if (at === null || hasRestarted || !isRejection(error)) throw error;
    return { response: await vendor.send(request(undefined)), latest: null, hasRestarted: true };
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
