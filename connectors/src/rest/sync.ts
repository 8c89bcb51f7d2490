import { ConnectorAuthError } from '@connector-auth/api';
import { brokenPage, repeatedPage } from '../kind/failure.ts';
import type { Sync, SyncPage, SyncStart } from '../kind/kind.ts';
import { asObject } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { valueAt, type Values } from './api.ts';
import { fetchPage, readerOf, type FetchedPage, type Resource } from './resource.ts';

export interface SyncOptions {
  /**
   * Returns the params of each list to read, such as `[{ owner: 'acme', repo: 'web' }]` for `/repos/{owner}/{repo}/issues`.
   * Default: one list without params.
   */
  readonly within?: (vendor: Vendor) => Promise<readonly Values[]>;
  /**
   * Returns whether a list that cannot be read is skipped, such as one that is no longer shared. A full run deletes its records.
   * Default: the run fails.
   */
  readonly skips?: (error: ConnectorAuthError) => boolean;
  /** Returns whether a listed record, as the vendor sent it, is deleted. Default: no listed record is. */
  readonly isDeleted?: (wire: Values) => boolean;
}

/** Reads all records in every run, for vendors that cannot filter by change. */
export function syncAll(resource: Resource, options: SyncOptions = {}): Sync {
  return {
    incremental: false,
    run: (vendor, start) => readLists(vendor, start, { ...options, changed: resource, resource }),
  };
}

export interface TimeSyncOptions extends SyncOptions {
  /** Where a record as the vendor sends it has the time of its last change, such as `updated_at`. */
  readonly field: string;
  /**
   * The list param that filters by that time. Null if there is none, and the list has the latest changes first: a run then ends with
   * the first page on which everything is older.
   */
  readonly param: string | null;
  /** How the param is written, and a `field` that is a number is read. Default: `iso`, such as `2026-02-17T10:30:00.000Z`. */
  readonly format?: TimeFormat;
  /**
   * How far before the last change the next run starts, for changes that become visible late. Default: 5 minutes. A run also starts
   * before the previous one began, because it can have missed what changed meanwhile.
   */
  readonly overlapMs?: number;
  /** The resource to read changed records from, if that is not the list itself. */
  readonly changed?: Resource;
  /** The resource that lists deleted records by their keys, filtered by the same param. Default: only full runs find deletions. */
  readonly deleted?: Resource;
  /** What only full runs find. Default: `deletions`, unless `deleted` or `isDeleted` finds them. */
  readonly onlyFullRunsFind?: string;
}

export type TimeFormat = 'iso' | 'seconds' | 'milliseconds';

const defaultOverlapMs = 5 * 60_000;

/** Reads the records that changed since the previous run, by the time of their last change. */
export function syncByTime(resource: Resource, options: TimeSyncOptions): Sync {
  const { param, format = 'iso', changed = resource } = options;
  return {
    incremental: true,
    onlyFullRunsFind: missedBy(options),
    run: (vendor, start) =>
      readLists(vendor, start, {
        ...options,
        resource,
        changed,
        time: options,
        ...(param !== null && { filter: since => ({ [param]: writeTime(Date.parse(since), format) }) }),
      }),
  };
}

export interface CursorSyncOptions extends Pick<SyncOptions, 'isDeleted'> {
  /** The list param that continues after the last page of the previous run. */
  readonly param: string;
  /** Where the body of the last page has its value for the next run, such as `next_sync_token`. */
  readonly next: string;
  /**
   * Returns whether the vendor no longer accepts the value, so that all records are read again. Default: any rejection of the
   * request.
   */
  readonly isExpired?: (error: ConnectorAuthError) => boolean;
  readonly onlyFullRunsFind?: string;
}

/** Reads the records that changed since the previous run, by a value that the vendor returned with its last page. */
export function syncByCursor(resource: Resource, options: CursorSyncOptions): Sync {
  const { param, next, isExpired = error => error.code === 'vendor_refused_request' } = options;
  const source = { ...options, resource, changed: resource, token: next };
  return {
    incremental: true,
    onlyFullRunsFind: missedBy(options),
    run: async function* (vendor, start) {
      // The position is one that this run yielded.
      const resumed = start.position as Position | null;
      if (resumed?.isWhole) return yield* readLists(vendor, start, { ...source, isWhole: true });
      try {
        yield* readLists(vendor, start, { ...source, filter: since => ({ [param]: since }) });
      } catch (error) {
        const isFirst = start.since !== null && resumed === null;
        if (!isFirst || !(error instanceof ConnectorAuthError) || !isExpired(error)) throw error;
        yield* readLists(vendor, start, { ...source, isWhole: true });
      }
    },
  };
}

function missedBy(
  options: Pick<TimeSyncOptions, 'isDeleted' | 'deleted' | 'onlyFullRunsFind'>,
): string | null {
  const findsDeletions = options.isDeleted !== undefined || options.deleted !== undefined;
  return options.onlyFullRunsFind ?? (findsDeletions ? null : 'deletions');
}

/** What a run reads. */
interface Source extends SyncOptions {
  readonly resource: Resource;
  /** Read instead of `resource` by incremental runs. */
  readonly changed: Resource;
  readonly deleted?: Resource;
  readonly filter?: (since: string) => Values;
  readonly time?: Pick<TimeSyncOptions, 'field' | 'format' | 'overlapMs' | 'param'>;
  readonly token?: string;
  /** Whether an incremental run reads all records, because the vendor no longer accepts where it should start. */
  readonly isWhole?: boolean;
}

/** One of the lists that a run reads in the order of their keys. */
interface Listing {
  readonly key: string;
  readonly resource: Resource;
  readonly params: Values;
  readonly isOfDeleted: boolean;
}

/** The page that is read next. */
interface Position {
  /** The key of its list. */
  readonly list: string;
  readonly cursor: string | null;
  /** The number of pages of the list that were read. */
  readonly pages: number;
  /** The cursor after a power of two of pages. A later page with the same one would lead back to it (Brent's algorithm). */
  readonly mark: string | null;
  /** When the run began, in milliseconds since the epoch. */
  readonly began: number;
  /** The time of the latest change so far, in milliseconds since the epoch. */
  readonly newest: number | null;
  readonly isWhole?: boolean;
}

async function* readLists(
  vendor: Vendor,
  { since, position }: SyncStart,
  source: Source,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this function yielded.
  const resumed = position as Position | null;
  const began = resumed?.began ?? vendor.now();
  let newest = resumed?.newest ?? null;
  const isWhole = source.isWhole ? { isWhole: true } : {};
  let token: string | null = null;
  let isComplete = false;
  const toRecord = readerOf(source.resource);
  const all = await listingsOf(vendor, since, source);
  const listings = all.filter(({ key }) => resumed === null || key >= resumed.list);
  for (const [index, listing] of listings.entries()) {
    const { key, resource, isOfDeleted } = listing;
    const following = listings[index + 1]?.key;
    let { cursor, pages, mark }: Start = resumed?.list === key ? resumed : firstPage;
    do {
      const page = await fetchUnlessSkipped(vendor, listing, cursor, source);
      if (page === null) break;
      if (page.next !== null && (page.next === cursor || page.next === mark))
        throw repeatedPage(resource.api.name, page.response);
      cursor = since !== null && isOlder(page.records, since, source.time) ? null : page.next;
      pages += 1;
      if (isPowerOfTwo(pages)) mark = cursor;
      newest = newestOf(page.records, newest, vendor.now(), source.time);
      if (cursor === null && source.token !== undefined) token = tokenIn(page, source.token, resource);
      const sorted = sortOut(page.records, isOfDeleted, source.isDeleted);
      const content = {
        records: sorted.existing.map(toRecord),
        ...(since !== null && sorted.deleted.length > 0 && { deleted: sorted.deleted }),
      };
      isComplete = cursor === null && following === undefined;
      if (isComplete)
        yield { ...content, position: null, since: token ?? nextSince(since, began, newest, source) };
      else {
        const at =
          cursor === null ? { ...firstPage, list: following ?? key } : { list: key, cursor, pages, mark };
        yield { ...content, position: { ...at, began, newest, ...isWhole } satisfies Position };
      }
    } while (cursor !== null);
  }
  // There is no list, or the last one was skipped.
  if (!isComplete) yield { records: [], position: null, since: nextSince(since, began, newest, source) };
}

type Start = Pick<Position, 'cursor' | 'pages' | 'mark'>;
const firstPage: Start = { cursor: null, pages: 0, mark: null };

/** Returns the lists of a run. Deleted records come first, because a record can be created again with the same key. */
async function listingsOf(
  vendor: Vendor,
  since: string | null,
  { resource, changed, deleted, filter, within }: Source,
): Promise<Listing[]> {
  const filters = since === null ? {} : (filter?.(since) ?? {});
  const lists = within ? await within(vendor) : [{}];
  const listings = (isOfDeleted: boolean, resource: Resource): Listing[] =>
    lists.map(params => ({
      key: `${isOfDeleted ? 'deleted' : 'listed'} ${JSON.stringify(params)}`,
      resource,
      params: { ...params, ...filters },
      isOfDeleted,
    }));
  const read = listings(false, since === null ? resource : changed);
  const all = since === null || !deleted ? read : [...listings(true, deleted), ...read];
  return all.sort((one, other) => (one.key < other.key ? -1 : 1));
}

async function fetchUnlessSkipped(
  vendor: Vendor,
  { resource, params }: Listing,
  cursor: string | null,
  { skips }: Source,
): Promise<FetchedPage | null> {
  try {
    return await fetchPage(resource, vendor, params, cursor);
  } catch (error) {
    if (error instanceof ConnectorAuthError && skips?.(error)) return null;
    throw error;
  }
}

function sortOut(
  records: readonly unknown[],
  isOfDeleted: boolean,
  isDeleted: SyncOptions['isDeleted'],
): { readonly existing: readonly unknown[]; readonly deleted: readonly Values[] } {
  if (isOfDeleted) return { existing: [], deleted: records.map(asObject) };
  if (!isDeleted) return { existing: records, deleted: [] };
  const objects = records.map(asObject);
  return { existing: objects.filter(wire => !isDeleted(wire)), deleted: objects.filter(isDeleted) };
}

/**
 * Returns whether a page of a list that has the latest changes first ends an incremental run. A single older record does not: some
 * vendors pin records to the top.
 */
function isOlder(records: readonly unknown[], since: string, time: Source['time']): boolean {
  if (time === undefined || time.param !== null) return false;
  return records.every(record => readTime(valueAt(record, time.field), time.format) < Date.parse(since));
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}

/**
 * Returns the time of the latest change so far. Ignores changes with a future date, because an incremental run would otherwise skip
 * all changes before them.
 */
function newestOf(
  records: readonly unknown[],
  newest: number | null,
  nowMs: number,
  time: Source['time'],
): number | null {
  if (time === undefined) return null;
  let latest = newest;
  for (const record of records) {
    const at = readTime(valueAt(record, time.field), time.format);
    if (at <= nowMs && (latest === null || at > latest)) latest = at;
  }
  return latest;
}

/**
 * Returns where the next run starts: before the latest change, and before this run began, because a page that it had already
 * read can have changed since. It never moves back.
 */
function nextSince(
  since: string | null,
  began: number,
  newest: number | null,
  { time }: Source,
): string | null {
  if (newest === null || time === undefined) return since;
  const next = Math.min(newest, began) - (time.overlapMs ?? defaultOverlapMs);
  return new Date(since === null ? next : Math.max(next, Date.parse(since))).toISOString();
}

function tokenIn({ response }: FetchedPage, path: string, { api }: Resource): string {
  const token = valueAt(response.body, path);
  if (typeof token === 'string' && token !== '') return token;
  throw brokenPage(api.name, response);
}

/** Returns a time in milliseconds since the epoch; NaN if the value is not a time. */
function readTime(value: unknown, format: TimeFormat = 'iso'): number {
  if (typeof value === 'number') return format === 'seconds' ? value * 1000 : value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function writeTime(ms: number, format: TimeFormat): string | number {
  if (format === 'iso') return new Date(ms).toISOString();
  return format === 'seconds' ? Math.floor(ms / 1000) : ms;
}
