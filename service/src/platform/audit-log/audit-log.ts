import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { DatabaseError } from 'pg';
import { createRateLimit, type RateLimit } from '../concurrency/rate-limit.ts';
import type { Log } from '../log/log.ts';
import type { AuditEntry } from './entry.ts';
import type { Batch, WaitingEntry } from './store.ts';

export interface AuditLogOptions {
  /** Writes a batch. Must do nothing if it wrote the batch before. */
  readonly write: (batch: Batch) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** How long entries wait for others that are written with them. */
  readonly writeIntervalMs: number;
}

/** Whether entries can be written, what waits in this process, and what it has lost. */
export interface AuditLogState {
  readonly isWritable: boolean;
  readonly waitingEntries: number;
  /** When the oldest waiting entry was recorded. Null if none waits. */
  readonly oldestAt: Date | null;
  /** Entries that were lost because they could not be written. */
  readonly droppedEntries: number;
  /** Rejected requests without an entry, because their caller had too many in a minute. */
  readonly omittedRejections: number;
}

const maxBatch = 500;
const firstPauseMs = 250;
const maxWaiting = 50_000;
const rejectionsPerMinute = 60;
const maxPauseMs = 5_000;
/** After this time without a successful write, administrative changes are rejected. */
const maxFailureMs = 30_000;
/** How long a stop waits for a database that does not respond. */
const maxCloseMs = 5_000;

/**
 * Records who did what. Entries are written in the background, in batches and in order; see decision 0028.
 *
 * | writing | state | effect |
 * |---|---|---|
 * | succeeds | writable | |
 * | fails for less than 30 s | writable | entries wait in memory |
 * | fails for 30 s or longer | not writable | administrative changes are rejected, unless they revoke something |
 * | fails until 50,000 entries wait | not writable | the oldest waiting entries are dropped and counted |
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  #dropped = 0;
  #omitted = 0;
  readonly #rejections: RateLimit;
  readonly #closing = new AbortController();
  /** The entries after those of the batch that is being written. */
  #waiting: WaitingEntry[] = [];
  #batch: Batch | null = null;
  /** When the first failed attempt after the last success began. Null if none has failed. */
  #failingSince: number | null = null;
  /** Whether the log says that the entries cannot be written. */
  #isFailureLogged = false;
  /** The entries that were dropped since the log last said that entries can be written. */
  #lost = 0;
  /** Whether a stop no longer waits for the database. */
  #isGivenUp = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#rejections = createRateLimit(
      {
        name: 'rejections',
        events: 'rejections',
        burst: rejectionsPerMinute,
        perMinute: rejectionsPerMinute,
      },
      options.clock,
    );
  }

  /** Records an entry without waiting until it is written. Never throws. */
  record(entry: AuditEntry): void {
    if (this.#closing.signal.aborted) return this.#drop(1, 'stopped');
    this.#waiting.push({ entry, recordedAt: performance.now() });
    if (this.#waiting.length > maxWaiting) {
      // Dropping several at once keeps `record` cheap.
      this.#waiting.splice(0, maxBatch);
      this.#drop(maxBatch, 'too_many');
    }
    this.#schedule();
  }

  /** Records a change and logs it too, because a restored backup contains neither it nor its entry. */
  recordChange(entry: AuditEntry): void {
    const { actor, organizationId, customer, connectorId, kind, applicationId, targetId } = entry;
    this.#options.log.info('change_recorded', {
      request_id: entry.requestId,
      action: entry.action,
      actor_type: actor.type,
      actor_id: actor.id,
      organization_id: organizationId,
      customer_id: customer?.id ?? null,
      connector_id: connectorId,
      kind,
      application_id: applicationId,
      target_id: targetId,
    });
    this.record(entry);
  }

  /**
   * Records a rejected request. Counts those above 60 per minute and caller instead, because rejections cost the
   * caller nothing and would fill the table.
   */
  recordRejection(caller: string, entry: AuditEntry): void {
    try {
      this.#rejections.take(caller);
    } catch {
      this.#omitted += 1;
      return;
    }
    this.record(entry);
  }

  state(): AuditLogState {
    const oldest = this.#batch?.entries[0] ?? this.#waiting[0];
    const { clock } = this.#options;
    return {
      isWritable: this.#failingSince === null || clock.now() - this.#failingSince < maxFailureMs,
      waitingEntries: (this.#batch?.entries.length ?? 0) + this.#waiting.length,
      oldestAt: oldest === undefined ? null : new Date(clock.now() - (performance.now() - oldest.recordedAt)),
      droppedEntries: this.#dropped,
      omittedRejections: this.#omitted,
    };
  }

  /** @throws ConnectorAuthError `audit_unavailable` if entries could not be written for 30 s. */
  requireWritable(): void {
    this.#logState();
    if (this.state().isWritable) return;
    throw new ConnectorAuthError(
      'audit_unavailable',
      'Nothing was changed, because the audit log cannot be written. Check the database. Disabling, deleting and incidents still work',
      { retryAfterSeconds: 5 },
    );
  }

  /** Writes all waiting entries. Gives up after 5 s if the database does not respond. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const writing = (this.#writing ?? Promise.resolve()).then(() => this.#write());
    const tooLate = new AbortController();
    const { signal } = tooLate;
    await Promise.race([writing, delay(maxCloseMs, undefined, { signal }).catch(() => {})]);
    tooLate.abort();
    this.#isGivenUp = true;
    const { waitingEntries } = this.state();
    if (waitingEntries > 0) this.#drop(waitingEntries, 'stopped');
  }

  #schedule(): void {
    if (this.#writing !== null) return;
    if (this.#waiting.length >= maxBatch) return this.#start();
    this.#timer ??= setTimeout(() => this.#start(), this.#options.writeIntervalMs);
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0 && !this.#closing.signal.aborted) this.#schedule();
    });
  }

  /** Writes full batches, and at first also one that is not full. While stopping, writes everything. */
  async #write(): Promise<void> {
    do {
      const entries = this.#waiting.splice(0, maxBatch);
      if (entries.length === 0) return;
      await this.#writeBatch({ id: randomUUID(), entries });
    } while (this.#waiting.length >= maxBatch || (this.#closing.signal.aborted && !this.#isGivenUp));
  }

  /** Writes a batch, and retries until it is written or the service has stopped. */
  async #writeBatch(batch: Batch): Promise<void> {
    const { write, clock, log } = this.#options;
    const { signal } = this.#closing;
    this.#batch = batch;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = clock.now();
      try {
        await write(batch);
        break;
      } catch (error) {
        if (isRejected(error)) return this.#writeOneByOne(batch, error);
        this.#failingSince ??= startedAt;
        if (attempt === 1) log.warn('audit_write_failed', { error });
        this.#logState();
      }
      if (signal.aborted) await delay(firstPauseMs);
      else await delay(pauseAfter(attempt), undefined, { signal }).catch(() => {});
      if (this.#isGivenUp) return;
    }
    this.#batch = null;
    this.#failingSince = null;
    this.#logState();
  }

  /** Drops an entry that the database rejects, because it would block all others. */
  async #writeOneByOne(batch: Batch, error: unknown): Promise<void> {
    if (batch.entries.length === 1) {
      this.#options.log.error('audit_entry_rejected', { error });
      this.#batch = null;
      return this.#drop(1, 'rejected');
    }
    for (const entry of batch.entries) await this.#writeBatch({ id: randomUUID(), entries: [entry] });
  }

  #drop(count: number, reason: 'too_many' | 'stopped' | 'rejected'): void {
    this.#dropped += count;
    this.#lost += count;
    // While the database is away, the oldest entries are dropped repeatedly.
    if (reason !== 'too_many' || this.#lost === count) {
      this.#options.log.error('audit_entries_lost', { entries: count, reason });
    }
  }

  /** Logs when the state changes. */
  #logState(): void {
    const { isWritable, waitingEntries } = this.state();
    if (isWritable === !this.#isFailureLogged) return;
    this.#isFailureLogged = !isWritable;
    if (!isWritable) return this.#options.log.error('audit_unavailable', { waiting_entries: waitingEntries });
    this.#options.log.info('audit_available', { waiting_entries: waitingEntries, lost_entries: this.#lost });
    this.#lost = 0;
  }
}

function pauseAfter(attempt: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Whether the data is invalid (class 22) or violates a constraint (class 23), which no retry can change. */
function isRejected(error: unknown): boolean {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');
}
