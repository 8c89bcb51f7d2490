import { ConnectorAuthError } from '@connector-auth/api';
import type { Kind, Sync, SyncPage } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Credentials } from '../credentials/credentials.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Log } from '../log/log.ts';
import type { RecordTable, RecordTables } from '../records/record-table.ts';
import {
  analyzeRecords,
  countRecords,
  preparePage,
  removeVanished,
  vacuumRecords,
  writePage,
  type PreparedPage,
} from '../records/store.ts';
import { findConnector } from '../repositories/connectors.ts';
import { extendLease, finishRun, pauseRun, savePosition, type EntityLease } from './entity-lease.ts';

export interface TimeSliceContext {
  readonly database: Pick<Database, 'kysely' | 'engine' | 'maintenance'>;
  readonly credentials: Credentials;
  readonly kinds: KindRegistry;
  readonly tables: RecordTables;
  readonly log: Log;
  /** How long a turn takes its next page, in milliseconds. */
  readonly sliceMs: number;
  readonly leaseSeconds: number;
}

/**
 * How a turn ended.
 *
 * | end | the walk |
 * |---|---|
 * | `finished` | saw its last page |
 * | `over` | goes on in the next turn: the time was up |
 * | `limited` | goes on when the vendor's limit allows |
 * | `failed` | goes on later, from where it stopped; after several failures from its beginning |
 * | `stopped` | goes on as soon as somebody takes it: this process ends |
 * | `lost` | is no longer this turn's: the connector was deleted, or another process has it |
 */
export type TimeSliceEnd = 'finished' | 'over' | 'limited' | 'failed' | 'stopped' | 'lost';

/** What keeps a turn from going on although nothing failed: the lease is somebody else's, or nobody's. */
class LeaseLost extends Error {}

/** How long a turn may sleep for a vendor's limit; a longer wait is left to a later turn. */
const longestWaitMs = 5_000;
const firstRetrySeconds = 30;
const longestRetrySeconds = 3_600;
/** A walk that fails so often at the same place begins anew: its position may be one that the vendor no longer knows. */
const failuresBeforeRestart = 3;

/**
 * Walks a claimed entity for one turn: every page is written together with the position after it, in one transaction, while the next
 * page is on its way. Two pages are in memory at most. Never throws for what the vendor does.
 */
export async function runTimeSlice(
  context: TimeSliceContext,
  lease: EntityLease,
  stop: AbortSignal,
): Promise<TimeSliceEnd> {
  const { database, log, leaseSeconds } = context;
  const lost = new AbortController();
  const keeping = setInterval(() => void keep(), (leaseSeconds * 1000) / 4);
  const keep = async (): Promise<void> => {
    try {
      if (!(await extendLease(database.kysely, lease, leaseSeconds))) lost.abort();
    } catch (error) {
      // The database is away: the next page will tell, or the next attempt succeed.
      log.warn('sync_lease_not_kept', { error });
    }
  };
  try {
    return await walkOn(context, lease, AbortSignal.any([stop, lost.signal]));
  } catch (error) {
    if (stop.aborted) {
      await pauseRun(database.kysely, lease, { seconds: 0, error: null });
      return 'stopped';
    }
    if (error instanceof LeaseLost || lost.signal.aborted) return 'lost';
    return await endWithError(context, lease, error);
  } finally {
    clearInterval(keeping);
    lost.abort();
  }
}

async function walkOn(
  context: TimeSliceContext,
  lease: EntityLease,
  signal: AbortSignal,
): Promise<TimeSliceEnd> {
  const { database, sliceMs } = context;
  const { kind, sync, table } = subjectOf(context, lease);
  // Records of before, if there are any, are of an account that the connector stands for no more.
  if (!lease.isSynced && lease.walk.position === null) {
    await removeVanished(database.kysely, table, lease.connectorId, lease.walk.generation);
  }
  const pages = await openWalk(context, lease, kind, sync, signal);
  const endsAt = performance.now() + sliceMs;
  let { since } = lease.walk;
  let written = 0;
  let next = ahead(readPage(pages, table));
  try {
    for (;;) {
      // What the walk waits for may not hear the signal.
      const page = await orAborted(next, signal);
      if (page === null) break;
      // A page without a position is the last one: going on costs nothing, stopping would begin the walk again.
      const isOver = performance.now() >= endsAt && page.position !== null;
      if (!isOver) next = ahead(readPage(pages, table));
      written += await storePage(context, table, lease, page);
      if (page.since !== undefined) since = page.since;
      if (isOver) {
        await pauseRun(database.kysely, lease, { seconds: 0, error: null });
        return 'over';
      }
    }
  } finally {
    // Not awaited: a page that is still on its way ends when the signal aborts.
    pages.return?.().catch(() => {});
  }
  await finish(database.kysely, table, lease, since, written);
  const { maintenance } = database;
  if (maintenance !== null && lease.walk.since === null) await vacuumRecords(maintenance, table);
  return 'finished';
}

function subjectOf({ kinds, tables }: TimeSliceContext, lease: EntityLease) {
  const kind = kinds.byKey(lease.kind);
  const sync = kind?.entities[lease.entity]?.search?.sync;
  const table = tables.find(lease.kind, lease.entity);
  // Only entities that this build knows are claimed.
  if (!kind || !sync || !table) throw new Error(`This build cannot walk ${lease.kind}.${lease.entity}`);
  return { kind, sync, table };
}

async function openWalk(
  { database, credentials }: TimeSliceContext,
  lease: EntityLease,
  kind: Kind,
  sync: Sync,
  signal: AbortSignal,
): Promise<AsyncIterator<SyncPage>> {
  const { organizationId, customerId, connectorId, walk } = lease;
  const stored = await findConnector(database.kysely, { organizationId, customerId }, connectorId);
  if (stored === null) throw new LeaseLost();
  const vendor = await credentials.connect(kind, stored).vendorFor({
    repeatable: true,
    priority: 'background',
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    maxWaitMs: longestWaitMs,
  });
  return sync.run(vendor, { since: walk.since, position: walk.position })[Symbol.asyncIterator]();
}

/** A page of a walk, made ready as soon as it is there: the page before is still being written then. */
interface ReadPage extends Pick<SyncPage, 'position' | 'since'> {
  /** Null when there is nothing to write. */
  readonly records: PreparedPage | null;
}

/** The next page; null after the last. */
async function readPage(pages: AsyncIterator<SyncPage>, table: RecordTable): Promise<ReadPage | null> {
  const { done, value: page } = await pages.next();
  if (done === true) return null;
  return { ...page, records: page.records.length === 0 ? null : preparePage(table, page.records) };
}

/** A page that is read ahead of its time; when it fails nobody may be waiting for it yet. */
function ahead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {});
  return page;
}

/** Each page has a promise of its own to race with: one for all pages would keep every page until the turn ends. */
async function orAborted<T>(page: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(new LeaseLost());
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw new LeaseLost();
    return await Promise.race([page, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function storePage(
  { database }: TimeSliceContext,
  table: RecordTable,
  lease: EntityLease,
  page: ReadPage,
): Promise<number> {
  const row = { organizationId: lease.organizationId, id: lease.connectorId };
  return database.kysely.transaction().execute(async transaction => {
    const { generation } = lease.walk;
    // A server that crashes may forget the last half second: the page and the position after it together, so the page comes again.
    // What ends the walk is waited for, and everything before it is safe then. The embedded engine ends with every process.
    if (database.engine === 'postgres') await sql`set local synchronous_commit = off`.execute(transaction);
    // First the records, which hold the connector's row: a deletion takes the locks in the same order.
    const written =
      page.records === null ? 0 : await writePage(transaction, table, row, generation, page.records);
    if (written === null || !(await savePosition(transaction, lease, page.position, written))) {
      throw new LeaseLost();
    }
    return written;
  });
}

async function finish(
  db: Kysely<Tables>,
  table: RecordTable,
  lease: EntityLease,
  since: string | null,
  written: number,
): Promise<void> {
  const { connectorId, walk, isSynced } = lease;
  const vanished = walk.since === null ? await removeVanished(db, table, connectorId, walk.generation) : 0;
  const isChanged = !isSynced || written > 0 || vanished > 0;
  const records = isChanged ? await countRecords(db, table, connectorId) : null;
  if (!isSynced) await analyzeRecords(db, table);
  await finishRun(db, lease, { since, records });
}

async function endWithError(
  context: TimeSliceContext,
  lease: EntityLease,
  error: unknown,
): Promise<TimeSliceEnd> {
  const { database, log } = context;
  const code = error instanceof ConnectorAuthError ? error.code : 'internal_error';
  const fields = { connector_id: lease.connectorId, entity: lease.entity };
  if (code === 'connector_not_found') return 'lost';
  if (code === 'vendor_rate_limited' && error instanceof ConnectorAuthError) {
    const seconds = Math.max(1, error.retryAfterSeconds ?? firstRetrySeconds);
    log.info('sync_limited', { ...fields, seconds });
    await pauseRun(database.kysely, lease, { seconds, error: null });
    return 'limited';
  }
  if (error instanceof ConnectorAuthError) log.info('sync_failed', { ...fields, problem: code });
  else log.error('sync_failed', { ...fields, error });
  await pauseRun(database.kysely, lease, {
    // A connector that needs to be connected again has no turns until then, and its turn at once afterwards.
    seconds: code === 'reauthentication_required' ? 0 : retrySeconds(lease.failures),
    error: error instanceof ConnectorAuthError ? error.message : 'The service failed; its log says why',
    isRestart: (lease.failures + 1) % failuresBeforeRestart === 0,
  });
  return 'failed';
}

/** Half a minute, then twice as long each time, less up to a quarter so that failures do not come back together. */
function retrySeconds(failures: number): number {
  const seconds = Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** failures);
  return seconds * (1 - Math.random() / 4);
}
