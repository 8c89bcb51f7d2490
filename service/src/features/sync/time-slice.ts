import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
import { syncPages, type Kind, type Sync, type SyncPage } from '@connector-auth/connectors/kind';
import type { Kysely, Transaction } from 'kysely';
import type { Counter } from 'prom-client';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Credentials } from '../../shared/credentials/credentials.ts';
import { logBreak, logRecovery } from '../../shared/credentials/log-break.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { RecordTable, RecordTables } from '../../shared/records/record-table.ts';
import {
  analyzeRecords,
  countRecords,
  deleteByKeys,
  deleteRecords,
  findNewColumns,
  prepareKeys,
  preparePage,
  removeVanished,
  vacuumRecords,
  writePage,
  type PreparedKeys,
  type PreparedPage,
} from '../../shared/records/store.ts';
import { canSyncConnector, findConnector } from '../../shared/repositories/connectors.ts';
import { failuresUntilFailing } from '../../shared/repositories/overview.ts';
import {
  extendLease,
  failRun,
  finishRun,
  forgetSeenRecords,
  hasSeenAllBatches,
  limitRun,
  pauseRun,
  saveDeletion,
  savePage,
} from '../../shared/repositories/sync-state.ts';
import type { MemoryScope, VendorResponses } from '../../shared/vendor-limits/response-memory.ts';
import type { EntityLease } from './sync-queue.ts';

export interface TimeSliceContext {
  readonly database: Pick<Database, 'kysely' | 'canDelayCommits' | 'maintenance'>;
  readonly credentials: Credentials;
  readonly responses: VendorResponses;
  readonly kinds: KindRegistry;
  readonly tables: RecordTables;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly log: Log;
  /** Counts the runs that have ended, by kind and outcome. */
  readonly runs: Counter<'kind' | 'outcome'>;
  readonly sliceMs: number;
  readonly leaseSeconds: number;
}

/**
 * How a time slice ended.
 *
 * | end | what happens to the run |
 * |---|---|
 * | `finished` | It has processed its last page. |
 * | `over` | The time slice is used up. The run resumes in the next slice. |
 * | `limited` | It resumes when the vendor's rate limit allows. |
 * | `failed` | It is retried later from the last saved page, or from the first page after repeated failures. |
 * | `stopped` | This process is shutting down. Another process can resume the run immediately. |
 * | `lost` | Another worker took over the run, or the connector was restarted, deleted, disabled (also with its organization) or frozen. |
 */
export type TimeSliceEnd = 'finished' | 'over' | 'limited' | 'failed' | 'stopped' | 'lost';

/** What a time slice did with the connector's credentials, for the audit log. */
interface CredentialUse {
  /** Null until the connector was read. */
  customerName: string | null;
  records: number;
  /** Requests to the vendor that are not saved yet. */
  calls: number;
  outcome: 'ok' | ProblemCode;
}

interface Slice {
  readonly lease: EntityLease;
  readonly kind: Kind;
  readonly sync: Sync;
  readonly table: RecordTable;
  readonly newColumns: readonly string[];
  readonly use: CredentialUse;
  readonly signal: AbortSignal;
}

/** Thrown to end a time slice after its worker has lost the lease. */
class LeaseLost extends Error {}

/** The maximum time to wait because of a vendor's rate limit. A longer wait ends the time slice. */
const maxWaitMs = 5_000;
/** How often a slice checks whether its connector can still be synced, because a page can take minutes. */
const checkMs = 500;
const firstRetrySeconds = 30;
const maxRetrySeconds = 3_600;
/** Every third consecutive failure restarts the run, because the vendor may no longer accept its position. */
const failuresBeforeRestart = 3;

/**
 * Continues the run of a leased entity for one time slice. Saves each page and the position after it.
 * Fetches the next two pages in the meantime, so up to three pages are in memory. Vendor errors end the
 * slice; only database errors are thrown.
 */
export async function runTimeSlice(
  context: TimeSliceContext,
  lease: EntityLease,
  stop: AbortSignal,
): Promise<TimeSliceEnd> {
  const { kysely: db } = context.database;
  const use: CredentialUse = { customerName: null, records: 0, calls: 0, outcome: 'ok' };
  const held = holdLease(context, lease, stop);
  const memory = context.responses.open(lease, 'background');
  let isBroken = lease.failures >= failuresUntilFailing;
  const noteSuccess = (): void => {
    if (isBroken) logRecovery(context.log, lease);
    isBroken = false;
  };
  try {
    const source = sourceOf(context, lease);
    const connector = { organizationId: lease.organizationId, id: lease.connectorId };
    const newColumns = await findNewColumns(db, source.table, connector);
    const slice = { lease, ...source, newColumns, use, signal: held.signal };
    let { since } = lease.run;
    for await (const page of ahead(ahead(readPages(context, slice, memory)))) {
      use.records += await storePage(context, slice, page);
      page.free();
      noteSuccess();
      if (page.since !== undefined) since = page.since;
      if (page.endsSlice) {
        await pauseRun(db, lease);
        return 'over';
      }
      // The pages that were read ahead are not stored.
      held.signal.throwIfAborted();
    }
    await finish(context, slice, since);
    context.runs.inc({ kind: lease.kind, outcome: 'ok' });
    noteSuccess();
    return 'finished';
  } catch (error) {
    if (!stop.aborted)
      return await endWithError(context, lease, use, held.isLost() ? new LeaseLost() : error);
    await pauseRun(db, lease);
    return 'stopped';
  } finally {
    held.release();
    memory.release();
    recordUse(context, lease, use);
  }
}

async function endWithError(
  { database, log, runs }: TimeSliceContext,
  lease: EntityLease,
  use: CredentialUse,
  error: unknown,
): Promise<TimeSliceEnd> {
  const db = database.kysely;
  const problem = error instanceof ConnectorAuthError ? error : null;
  const code = problem?.code ?? 'internal_error';
  const isLost = error instanceof LeaseLost;
  use.outcome = isLost ? 'aborted' : code;
  const isStopped = ['connector_not_found', 'connector_disabled', 'connector_frozen'].includes(code);
  if (isLost || isStopped) {
    // The lease of a disabled connector is still this worker's.
    await pauseRun(db, lease);
    return 'lost';
  }
  const fields = { connector_id: lease.connectorId, entity: lease.entity };
  if (code === 'vendor_rate_limited' || code === 'rate_limited') {
    const seconds = Math.max(1, problem?.retryAfterSeconds ?? firstRetrySeconds);
    log.info('sync_limited', { ...fields, seconds });
    await limitRun(db, lease, seconds);
    return 'limited';
  }
  if (problem === null) log.error('sync_failed', { ...fields, error });
  else log.info('sync_failed', { ...fields, problem: code });
  const failures = await failRun(db, lease, {
    code,
    error: problem?.message ?? 'Something went wrong on our side. The sync is retried automatically.',
    // A connector that needs new credentials is not leased until it has them, and is then due immediately.
    retrySeconds: code === 'reauthentication_required' ? 0 : retrySecondsAfter(lease.failures),
    startsOver: (lease.failures + 1) % failuresBeforeRestart === 0,
  });
  runs.inc({ kind: lease.kind, outcome: code });
  if (failures === failuresUntilFailing) logBreak(log, lease, code);
  return 'failed';
}

/** Returns the retry delay, which grows exponentially and includes up to 25% jitter. */
function retrySecondsAfter(failures: number): number {
  const seconds = Math.min(maxRetrySeconds, firstRetrySeconds * 2 ** failures);
  return seconds * (1 - Math.random() / 4);
}

function recordUse(
  { audit }: TimeSliceContext,
  { organizationId, customerId, connectorId, kind, entity }: EntityLease,
  { customerName: name, records, outcome }: CredentialUse,
): void {
  if (name === null) return;
  const about = { organizationId, customer: { id: customerId, name }, connectorId, kind };
  audit.record(entryOfService('sync', about, { action: 'sync', entity, outcome, records }));
}

/** Extends the lease until it is released. The signal aborts if it is lost, or if the connector can no longer be synced. */
function holdLease({ database, log, leaseSeconds }: TimeSliceContext, lease: EntityLease, stop: AbortSignal) {
  const lost = new AbortController();
  const row = { organizationId: lease.organizationId, id: lease.connectorId };
  const extend = async (): Promise<void> => {
    try {
      if (!(await extendLease(database.kysely, lease, leaseSeconds))) lost.abort();
    } catch (error) {
      // The next attempt to extend the lease may succeed. If the lease was lost, saving the next page fails.
      log.warn('sync_lease_not_extended', { error });
    }
  };
  const check = async (): Promise<void> => {
    // Saving a page repeats the check, so a failed check needs no attention.
    if (!(await canSyncConnector(database.kysely, row).catch(() => true))) lost.abort();
  };
  const timers = [
    setInterval(() => void extend(), (leaseSeconds * 1000) / 4),
    setInterval(() => void check(), checkMs),
  ];
  return {
    signal: AbortSignal.any([stop, lost.signal]),
    isLost: () => lost.signal.aborted,
    release: () => {
      for (const timer of timers) clearInterval(timer);
      lost.abort();
    },
  };
}

function sourceOf({ kinds, tables }: TimeSliceContext, lease: EntityLease) {
  const kind = kinds.byKey(lease.kind);
  const sync = kind?.entities[lease.entity]?.search?.sync;
  const table = tables.find(lease.kind, lease.entity);
  // Workers lease only entities that their own version can sync.
  if (!kind || !sync || !table) throw new Error(`This version cannot sync ${lease.kind}.${lease.entity}`);
  return { kind, sync, table };
}

/** Reads the pages of one time slice. */
async function* readPages(
  context: TimeSliceContext,
  slice: Slice,
  memory: MemoryScope,
): AsyncGenerator<SlicePage> {
  const { lease, table, signal } = slice;
  const pages = await openRun(context, slice, memory);
  try {
    const endsAt = performance.now() + context.sliceMs;
    let { position: previous } = lease.run;
    for (let endsSlice = false; !endsSlice;) {
      // The connector kind's code may ignore the signal.
      const page = await orAborted(readPage(pages, table), signal);
      if (page === null) return;
      // A page without a position is the last one, and ending the slice here would make the next slice
      // restart the run.
      endsSlice = performance.now() >= endsAt && page.position !== null;
      // The next page is counted separately.
      yield { ...page, previous, endsSlice, free: memory.takeOver() };
      previous = page.position;
    }
  } finally {
    // Not awaited, because a page that is still being fetched ends only when the signal aborts.
    pages.return?.().catch(() => {});
  }
}

/** Requests each item once the one before it has arrived, while the caller uses an earlier one. */
async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // It can fail before it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited, for the same reason.
    items.return(null).catch(() => {});
  }
}

async function openRun(
  { database, credentials, log }: TimeSliceContext,
  { lease, kind, sync, table, use, signal }: Slice,
  memory: MemoryScope,
): Promise<AsyncIterator<SyncPage>> {
  const { organizationId, customerId, connectorId, run, isSynced, records } = lease;
  const db = database.kysely;
  if (run.position === null) await forgetSeenRecords(db, lease);
  // The records of an account that was replaced are not counted.
  if (!isSynced && records === 0) {
    await deleteRecords(db, [table], { organizationId, id: connectorId }, subtractFrom(lease));
  }
  const stored = await findConnector(db, { organizationId, customerId }, connectorId);
  if (stored === null) throw new LeaseLost();
  use.customerName = stored.customerName;
  log.info('credential_used', {
    organization_id: organizationId,
    customer_id: customerId,
    connector_id: connectorId,
    kind: kind.key,
  });
  const vendor = await credentials.connect(kind, stored, memory).vendorFor({
    repeatable: true,
    priority: 'background',
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    maxWaitMs,
  });
  const send = vendor.send.bind(vendor);
  vendor.send = (request, options) => {
    use.calls++;
    return send(request, options);
  };
  return syncPages(sync, kind.name, vendor, { since: run.since, position: run.position });
}

/** A fetched page that is already prepared for writing while the previous page is being written. */
interface ReadPage extends Pick<SyncPage, 'position' | 'since'> {
  /** The prepared records, in at least one batch. */
  readonly batches: readonly PreparedPage[];
  readonly deleted: PreparedKeys;
}

interface SlicePage extends ReadPage {
  /** The position before the page. */
  readonly previous: unknown;
  readonly endsSlice: boolean;
  /** Frees the memory of the responses. */
  readonly free: () => void;
}

/**
 * The maximum number of records per statement. Vendors' pages have at most a thousand, but a vendor may ignore the
 * page size, and PGlite can do nothing else during a statement.
 */
const maxBatchSize = 2_000;

/** Fetches and prepares the next page. Returns null after the last page. */
async function readPage(pages: AsyncIterator<SyncPage>, table: RecordTable): Promise<ReadPage | null> {
  const { done, value } = await pages.next();
  if (done === true) return null;
  const { records, deleted = [], ...page } = value;
  const batches = [preparePage(table, records.slice(0, maxBatchSize))];
  for (let start = maxBatchSize; start < records.length; start += maxBatchSize) {
    await nextTurn();
    batches.push(preparePage(table, records.slice(start, start + maxBatchSize)));
  }
  return { ...page, batches, deleted: prepareKeys(table, deleted) };
}

/**
 * Returns the page, or rejects when the signal aborts. Creates a new promise for each page, because racing
 * all pages against a single promise would retain every page until the slice ends.
 */
async function orAborted<T>(page: Promise<T>, signal: AbortSignal): Promise<T> {
  // A page can fail after the signal has aborted.
  page.catch(() => {});
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

/**
 * Saves a page and the position after it, in one statement unless the page is unusually large. In that case, each
 * batch has its own, and the position stays at the previous page until the last batch.
 *
 * If the server crashes, the last half second of commits can be lost. A page and the position after it are lost together,
 * so the page is fetched again. Finishing the run commits synchronously, which also makes all earlier commits durable.
 */
async function storePage(
  { database }: TimeSliceContext,
  { lease, table, newColumns, use }: Slice,
  { batches, deleted, position, previous }: SlicePage,
): Promise<number> {
  const { calls } = use;
  use.calls = 0;
  const { organizationId, connectorId: id, run } = lease;
  const connector = { organizationId, id };
  const target = {
    connector,
    seenRun: run.seenRun,
    newColumns,
    isFirst: !lease.isSynced || lease.records === 0,
    delaysCommit: database.canDelayCommits,
  };
  let written = 0;
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1;
    const saving = isLast ? savePage(lease, position, calls) : savePage(lease, previous, 0);
    const store = async (db: Kysely<Tables>): Promise<void> => {
      if (!(await writePage(db, table, target, batch, saving))) throw new LeaseLost();
      written += batch.count;
    };
    if (!isLast || deleted.length === 0) await store(database.kysely);
    else
      await database.kysely.transaction().execute(async transaction => {
        await store(transaction);
        const removed = await deleteByKeys(transaction, table, connector, deleted);
        if (removed > 0) await subtractFrom(lease)(transaction, removed);
        written += removed;
      });
  }
  return written;
}

async function finish(
  { database }: TimeSliceContext,
  { lease, table, use }: Slice,
  since: string | null,
): Promise<void> {
  const { kysely: db, maintenance } = database;
  const { organizationId, connectorId: id, run, isSynced } = lease;
  const isFull = run.since === null;
  const vanished = isFull ? await removeOld(db, lease, table) : 0;
  const isChanged = !isSynced || use.records > 0 || vanished > 0;
  const records = isChanged ? await countRecords(db, table, { organizationId, id }) : null;
  if (!isSynced) await analyzeRecords(db, table);
  await finishRun(db, lease, { since, records, calls: isFull ? use.calls : null });
  if (!isFull) return;
  await forgetSeenRecords(db, lease);
  if (maintenance === null) return;
  for (const name of [table.name, 'seen_records']) await vacuumRecords(maintenance, name);
}

/** Deletes the records that this full run has not seen. Returns their number. */
async function removeOld(db: Kysely<Tables>, lease: EntityLease, table: RecordTable): Promise<number> {
  const { organizationId, connectorId: id, run } = lease;
  if (run.seenRun === null || !(await hasSeenAllBatches(db, lease))) {
    throw new Error('The records that the run has seen are incomplete');
  }
  const seen = { connector: { organizationId, id }, seenRun: run.seenRun };
  return removeVanished(db, table, seen, subtractFrom(lease));
}

/** Subtracts deleted records in the transaction that deletes them, which is rolled back if the lease was lost. */
function subtractFrom(lease: EntityLease) {
  return async (transaction: Transaction<Tables>, count: number): Promise<void> => {
    if (!(await saveDeletion(transaction, lease, count))) throw new LeaseLost();
  };
}
