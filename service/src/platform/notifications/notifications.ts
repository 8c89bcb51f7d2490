import { sql } from 'kysely';
import { Client } from 'pg';
import { connectorChannel, type ConnectorChanges } from '../database/connector-changes.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../log/log.ts';
import { chooseLivenessId, holdColumnsVersion, holdLivenessId } from './liveness.ts';

/**
 * Wakes code that is waiting for another request or process to do something. A notification is only a hint
 * that something may have changed, and it can be lost: listeners must also poll.
 */
export interface Notifications {
  /** Wakes all listeners for the topic. */
  notify(topic: string): Promise<void>;
  /**
   * Starts listening to the topic immediately, so that `next` does not miss notifications that are sent
   * before it is called.
   */
  listen(topic: string): Listener;
  /**
   * Returns the liveness id of this process (`processes/liveness.ts`) while it is connected to the database,
   * otherwise null.
   */
  livenessId(): number | null;
  /** Announces up to which version this process knows the columns of the record tables, see `knownByAll`. */
  knowsColumns(version: number): Promise<void>;
  close(): Promise<void>;
}

export interface Listener {
  /**
   * Resolves at the first notification since the previous call resolved, after `maxMs`, or when the signal
   * aborts.
   */
  next(maxMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const channel = 'connector_auth';
const firstReconnectMs = 250;
const maxReconnectMs = 10_000;

/**
 * Creates notifications for all processes on a database. On a PostgreSQL server, they use LISTEN/NOTIFY over
 * a dedicated connection, the only one of this process that listens: it also reports the connectors that other processes
 * change. With the embedded database, notifications stay within this process.
 */
export function openNotifications(database: Database, databaseUrl: string | null, log: Log): Notifications {
  const subscriptions = new Subscriptions();
  if (databaseUrl === null) {
    return {
      notify: topic => Promise.resolve(subscriptions.notify(topic)),
      listen: topic => subscriptions.listen(topic),
      livenessId: () => null,
      knowsColumns: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const connection = new NotificationConnection(
    databaseUrl,
    { subscriptions, changes: database.connectorChanges },
    log,
  );
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
    knowsColumns: version => connection.knowsColumns(version),
    close: () => connection.close(),
  };
}

/** The listeners in this process, grouped by topic. */
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

/** A connection that receives notifications, and reconnects after a connection loss. */
class NotificationConnection {
  readonly #databaseUrl: string;
  readonly #subscriptions: Subscriptions;
  readonly #changes: ConnectorChanges;
  readonly #log: Log;
  #client: Client | null = null;
  #reconnect: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #livenessId = chooseLivenessId();
  #isAlive = false;
  #columnsVersion: number | null = null;

  constructor(
    databaseUrl: string,
    { subscriptions, changes }: { subscriptions: Subscriptions; changes: ConnectorChanges },
    log: Log,
  ) {
    this.#databaseUrl = databaseUrl;
    this.#subscriptions = subscriptions;
    this.#changes = changes;
    this.#log = log;
    void this.#connect(firstReconnectMs);
  }

  get livenessId(): number | null {
    return this.#isAlive ? this.#livenessId : null;
  }

  async knowsColumns(version: number): Promise<void> {
    this.#columnsVersion = version;
    // A connection that is lost or being opened does this when it is open.
    if (this.#isAlive) await this.#client?.query(holdColumnsVersion(version)).catch(() => {});
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
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (from === channel) this.#subscriptions.notify(payload);
      else this.#changes.report(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}; listen ${connectorChannel}`);
      await client.query(holdLivenessId(this.#livenessId));
      this.#isAlive = true;
      if (this.#columnsVersion !== null) await client.query(holdColumnsVersion(this.#columnsVersion));
      // Any notifications sent while this process was disconnected were lost.
      this.#subscriptions.notifyAll();
      this.#changes.report('');
      reconnectMs = firstReconnectMs;
    } catch (error) {
      lose(error);
    }
    // `close` was called while connecting.
    if (this.#isClosed) await client.end().catch(() => {});
  }
}
