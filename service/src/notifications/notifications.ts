import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../database/database.ts';
import type { Log } from '../log/log.ts';
import { chooseLivenessId, holdLivenessId } from '../processes/liveness.ts';

/**
 * Wakes whoever waits for what another request or another process does. A signal says no more than that it may be worth to look
 * again, and may get lost: whoever waits for one also looks by themselves now and then.
 */
export interface Notifications {
  /** Wakes everyone who waits for the topic. */
  notify(topic: string): Promise<void>;
  /** Listens to the topic from now on: a signal between a look and the wait is not missed. */
  listen(topic: string): Listener;
  /** A number that is present in the database (`processes/liveness.ts`) while this process is connected to it; null while it is not. */
  livenessId(): number | null;
  close(): Promise<void>;
}

export interface Listener {
  /** Resolves at the first signal since it resolved last; else after the time, or when the signal aborts. */
  next(maxMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const channel = 'connector_auth';
const firstReconnectMs = 250;
const maxReconnectMs = 10_000;

/**
 * Notifications among the processes of a database: by LISTEN/NOTIFY of a PostgreSQL server, over a connection of their own; within this
 * process, when the database is the embedded one.
 */
export function openNotifications(database: Database, databaseUrl: string | null, log: Log): Notifications {
  const subscriptions = new Subscriptions();
  if (databaseUrl === null) {
    return {
      notify: topic => Promise.resolve(subscriptions.notify(topic)),
      listen: topic => subscriptions.listen(topic),
      livenessId: () => null,
      close: () => Promise.resolve(),
    };
  }
  const connection = new NotificationConnection(databaseUrl, subscriptions, log);
  return {
    notify: async topic => {
      subscriptions.notify(topic);
      try {
        await sql`select pg_notify(${channel}, ${topic})`.execute(database.kysely);
      } catch (error) {
        log.warn('signal_lost', { error });
      }
    },
    listen: topic => subscriptions.listen(topic),
    livenessId: () => connection.livenessId,
    close: () => connection.close(),
  };
}

/** Who listens to what in this process. */
class Subscriptions {
  readonly #listeners = new Map<string, Set<() => void>>();

  notify(topic: string): void {
    for (const notify of this.#listeners.get(topic) ?? []) notify();
  }

  notifyAll(): void {
    for (const topic of this.#listeners.keys()) this.notify(topic);
  }

  listen(topic: string): Listener {
    let notified = Promise.withResolvers<void>();
    const notify = (): void => notified.resolve();
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(notify));
    return {
      next: async (maxMs, signal) => {
        await untilAny(notified.promise, maxMs, signal);
        notified = Promise.withResolvers();
      },
      close: () => {
        listeners.delete(notify);
        if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
      },
    };
  }
}

async function untilAny(
  notified: Promise<void>,
  maxMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return;
  const over = Promise.withResolvers<void>();
  const end = (): void => over.resolve();
  const timer = setTimeout(end, maxMs);
  signal?.addEventListener('abort', end, { once: true });
  await Promise.race([notified, over.promise]);
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
}

/** A connection that hears notifications, and is made anew when it is lost. */
class NotificationConnection {
  readonly #databaseUrl: string;
  readonly #subscriptions: Subscriptions;
  readonly #log: Log;
  #client: Client | null = null;
  #reconnect: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #livenessId = chooseLivenessId();
  #isAlive = false;

  constructor(databaseUrl: string, subscriptions: Subscriptions, log: Log) {
    this.#databaseUrl = databaseUrl;
    this.#subscriptions = subscriptions;
    this.#log = log;
    void this.#connect(firstReconnectMs);
  }

  get livenessId(): number | null {
    return this.#isAlive ? this.#livenessId : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isAlive = false;
    clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }

  async #connect(reconnectMs: number): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'connector-auth notifications',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    this.#client = client;
    let isLost = false;
    const lose = (error?: unknown): void => {
      if (isLost || this.#isClosed) return;
      isLost = true;
      this.#isAlive = false;
      this.#log.warn('signals_interrupted', { error });
      client.end().catch(() => {});
      const nextMs = Math.min(maxReconnectMs, reconnectMs * 2);
      this.#reconnect = setTimeout(() => void this.#connect(nextMs), reconnectMs);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }) => this.#subscriptions.notify(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await client.query(holdLivenessId(this.#livenessId));
      this.#isAlive = true;
      // What was signalled while nobody heard.
      this.#subscriptions.notifyAll();
      reconnectMs = firstReconnectMs;
    } catch (error) {
      lose(error);
    }
    // Closed while it was connecting.
    if (this.#isClosed) await client.end().catch(() => {});
  }
}
