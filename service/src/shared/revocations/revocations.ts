import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Listener, Notifications } from '../../platform/notifications/notifications.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { Denylist, type TokenFilter } from '../auth/denylist.ts';
import { deleteOldRevocations, insertRevocation, listRevocations } from '../repositories/revocations.ts';

/** How often each process reads new revocations, in case a notification is lost. */
const pollMs = 1_000;
/** A revocation is visible when its transaction commits, up to this time after newer ones. */
const overlapUs = 60_000_000;
/** How often each process reads all revocations, to forget old ones and find what a longer transaction has committed. */
const completeReadMs = 60_000;
/** The pause after each read, as a multiple of the time that the read took. */
const pauseFactor = 3;
const maxPauseMs = 500;

/** Ends the matching tokens when the transaction commits. */
export type Revoke = (filter: TokenFilter) => Promise<void>;

/** Revokes tokens in all processes, and keeps the denylist of this process up to date. */
export class Revocations {
  readonly denylist: Denylist;
  readonly #db: Kysely<Tables>;
  readonly #control: Kysely<Tables>;
  readonly #notifications: Notifications;
  readonly #log: Log;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  /** The time of the newest revocation that was read. */
  #newestUs = 0;
  /** When the complete list was read. */
  #completeAt = -Infinity;
  #reading: Promise<void> | null = null;
  /** The read after the one that is running. Everyone who asks meanwhile shares it. */
  #nextRead: Promise<void> | null = null;
  #polling: Promise<void> = Promise.resolve();

  private constructor(database: Database, notifications: Notifications, log: Log) {
    // A process whose last reading failed accepts no token, unless only its own revocations count: it reads after each.
    this.denylist = new Denylist(database.isShared ? pollMs + database.controlTimeoutMs : Infinity);
    this.#db = database.kysely;
    this.#control = database.control;
    this.#notifications = notifications;
    this.#log = log;
    this.#listener = notifications.listen(topics.tokensRevoked);
  }

  /** Reads the revocations, and starts to read them again when they change. */
  static async open(database: Database, notifications: Notifications, log: Log): Promise<Revocations> {
    const revocations = new Revocations(database, notifications, log);
    await revocations.#refresh();
    revocations.#polling = revocations.#poll();
    return revocations;
  }

  /**
   * Runs a change in a transaction, and revokes tokens with it. When this method returns, this process rejects
   * the tokens; the others do so when they receive the notification, or within a second.
   */
  async run<Result>(
    change: (transaction: Transaction<Tables>, revoke: Revoke) => Promise<Result>,
  ): Promise<Result> {
    const filters: TokenFilter[] = [];
    const result = await this.#db.transaction().execute(transaction =>
      change(transaction, async filter => {
        await insertRevocation(transaction, filter);
        filters.push(filter);
      }),
    );
    if (filters.length === 0) return result;
    // Token requests that began before the commit have read the old state. These statements end their tokens.
    for (const filter of filters) await retryWrite(() => insertRevocation(this.#db, filter));
    await retryWrite(() => deleteOldRevocations(this.#db));
    await this.#notifications.notify(topics.tokensRevoked);
    await retryWrite(() => this.#refresh());
    return result;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#polling;
    this.#listener.close();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    let isFailing = false;
    for (;;) {
      await this.#listener.next(pollMs, signal);
      if (signal.aborted) return;
      try {
        await this.#refresh();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#log.warn('token_revocations_not_read', { error });
        isFailing = true;
      }
    }
  }

  /**
   * Reads what is new, beginning after this call. Each read takes time in proportion to the number of new revocations,
   * so there is never more than one, with a pause after it.
   */
  #refresh(): Promise<void> {
    if (this.#reading === null) return this.#startReading();
    return (this.#nextRead ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#nextRead = null;
        return this.#startReading();
      }));
  }

  #startReading(): Promise<void> {
    const startedAt = performance.now();
    const done = this.#read();
    const reading = done
      .then(() =>
        delay(Math.min(maxPauseMs, pauseFactor * (performance.now() - startedAt)), undefined, { ref: false }),
      )
      .finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
    reading.catch(() => {});
    this.#reading = reading;
    return done;
  }

  async #read(): Promise<void> {
    const readAt = this.denylist.now();
    const isComplete = readAt - this.#completeAt >= completeReadMs;
    const revocations = await listRevocations(this.#control, isComplete ? 0 : this.#newestUs - overlapUs);
    for (const { notBeforeUs } of revocations) this.#newestUs = Math.max(this.#newestUs, notBeforeUs);
    if (!isComplete) return this.denylist.add(revocations, readAt);
    this.denylist.replace(revocations, readAt);
    this.#completeAt = readAt;
  }
}
