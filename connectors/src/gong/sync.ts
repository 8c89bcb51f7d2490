import { ConnectorAuthError } from '@connector-auth/api';
import type { SearchType, WalkPage, WalkStart } from '../kind/kind.ts';
import type { Vendor, VendorAnswer, VendorRequest } from '../kind/vendor.ts';
import type { Call } from './calls.ts';
import { get, readPage } from './wire.ts';

/** Calls are added late, and their time is the scheduled one: an incremental walk starts a day before the last call seen. */
const lookBackMs = 24 * 60 * 60 * 1000;

type SearchRecord = Readonly<Record<string, unknown>>;

interface Position {
  cursor: string;
  /** The latest `started` seen in this walk, in milliseconds since the epoch. */
  latest: number | null;
}

/** All users, every time: their list has no filter by change. */
export async function* walkUsers(
  vendor: Vendor,
  { position }: WalkStart,
  toSearchRecord: (wire: unknown) => SearchRecord,
): AsyncGenerator<WalkPage, void> {
  // The position is one that this function gave.
  let at = position as Position | null;
  do {
    const asked = await sendOrBegin(vendor, at, cursor => get('/v2/users', { cursor }));
    const { result, connector_metadata } = readPage(asked.answer, 'users', toSearchRecord);
    at = next(connector_metadata.cursor, null);
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
export async function* walkCalls<R>(
  vendor: Vendor,
  { since, position }: WalkStart,
  source: CallSource<R>,
): AsyncGenerator<WalkPage, void> {
  // The position is one that this function gave.
  let at = position as Position | null;
  for (;;) {
    const from = since === null ? {} : { fromDateTime: isoOf(Date.parse(since) - lookBackMs) };
    const asked = await sendOrBegin(vendor, at, cursor =>
      source.request(cursor === undefined ? from : { ...from, cursor }),
    );
    const { result, connector_metadata } = readPage(asked.answer, 'calls', source.read);
    const latest = latestStart(result.map(source.metaDataOf), asked.at?.latest ?? null);
    const records = result
      .filter(record => source.metaDataOf(record).isPrivate !== true)
      .map(source.toSearchRecord);
    at = next(connector_metadata.cursor, latest);
    if (at === null) {
      yield { records, position: null, since: latest === null ? since : isoOf(latest) };
      return;
    }
    yield { records, position: at };
  }
}

/** Asks for the page at a position. How long a cursor lives is not published: one that Gong no longer knows begins the walk again. */
async function sendOrBegin(
  vendor: Vendor,
  at: Position | null,
  request: (cursor: string | undefined) => VendorRequest,
): Promise<{ answer: VendorAnswer; at: Position | null }> {
  try {
    return { answer: await vendor.send(request(at?.cursor)), at };
  } catch (error) {
    if (at === null || !(error instanceof ConnectorAuthError) || error.code !== 'vendor_refused_request')
      throw error;
    return { answer: await vendor.send(request(undefined)), at: null };
  }
}

function next(cursor: string | null, latest: number | null): Position | null {
  return cursor === null ? null : { cursor, latest };
}

function latestStart(calls: readonly Call[], latest: number | null): number | null {
  return calls.reduce<number | null>((latest, { started }) => {
    const at = started === null ? Number.NaN : Date.parse(started);
    return Number.isNaN(at) || (latest !== null && at <= latest) ? latest : at;
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
