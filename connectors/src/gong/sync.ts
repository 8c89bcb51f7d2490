import { ConnectorAuthError } from '@connector-auth/api';
import type { SearchType, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import type { Call } from './call.ts';
import { get, readPage } from './wire.ts';

/** Calls are added late, and their time is the scheduled one: an incremental walk starts a day before the last call seen. */
const lookBackMs = 24 * 60 * 60 * 1000;

type SearchRecord = Readonly<Record<string, unknown>>;

interface Position {
  cursor: string;
  /** The latest `started` seen in this walk, in milliseconds since the epoch. */
  latest: number | null;
  /** Whether this walk began again: it does so once. */
  hasRestarted?: boolean;
}

/** A page as it was asked for: by the cursor, or without one where the walk began again. */
interface Fetched {
  readonly response: VendorResponse;
  readonly latest: number | null;
  readonly hasRestarted: boolean;
}

/** All users, every time: their list has no filter by change. */
export async function* syncUsers(
  vendor: Vendor,
  { position }: SyncStart,
  toSearchRecord: (wire: unknown) => SearchRecord,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function gave.
  let at = position as Position | null;
  do {
    const asked = await sendOrRestart(vendor, at, cursor => get('/v2/users', { cursor }));
    const { result, connector_metadata } = readPage(asked.response, 'users', toSearchRecord);
    at = next(connector_metadata.cursor, asked, null);
    yield { records: result, position: at };
  } while (at !== null);
}

/** How calls are asked for and read: plainly, or in depth. */
interface CallSource<R> {
  readonly request: (query: { cursor?: string; fromDateTime?: string }) => VendorRequest;
  readonly read: (wire: unknown) => R;
  readonly metaDataOf: (record: R) => Call;
  readonly toSearchRecord: (record: R) => SearchRecord;
}

/** Calls, all of them or those since a day before `since`. Private ones are left out: they are not for everybody's search. */
export async function* syncCalls<R>(
  vendor: Vendor,
  { since, position }: SyncStart,
  source: CallSource<R>,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function gave.
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
 * Asks for the page at a position. How long a cursor lives is not published: one that Gong no longer knows begins the walk
 * again, once. A second refusal is told: a Gong that refuses every cursor would be asked for ever.
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

/** The latest start so far. A call that has not begun yet is none: nothing before it would be walked until its time comes. */
function latestStart(calls: readonly Call[], latest: number | null, nowMs: number): number | null {
  return calls.reduce<number | null>((latest, { started }) => {
    const at = started === null ? Number.NaN : Date.parse(started);
    return at <= nowMs && (latest === null || at > latest) ? at : latest;
  }, latest);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The searchable fields of a record, and no others. */
export function searchRecord(
  record: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, SearchType>>,
): SearchRecord {
  return Object.fromEntries(Object.keys(fields).map(name => [name, record[name] ?? null]));
}
