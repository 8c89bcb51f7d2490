import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../database/database.ts';
import type { Log } from '../log/log.ts';
import { choosePresence, takePresence } from '../processes/liveness.ts';

/**
 * Wakes whoever waits for what another request or another process does. A signal says no more than that it may be worth to look
 * again, and may get lost: whoever waits for one also looks by themselves now and then.
 */
export interface Signals {
  /** Wakes everyone who waits for the topic. */
  send(topic: string): Promise<void>;
  /** Listens to the topic from now on: a signal between a look and the wait is not missed. */
  listen(topic: string): Listener;
  /** A number that is present in the database (`processes/liveness.ts`) while this process is connected to it; null while it is not. */
  presence(): number | null;
  close(): Promise<void>;
}

export interface Listener {
  /** Resolves at the first signal since it resolved last; else after the time, or when the signal aborts. */
  next(longestMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const channel = 'connector_auth';
const firstReconnectMs = 250;
const longestReconnectMs = 10_000;

/**
 * Signals among the processes of a database: by LISTEN/NOTIFY of a PostgreSQL server, over a connection of their own; within this
 * process, when the database is the embedded one.
 */
export function openSignals(database: Database, databaseUrl: string | null, log: Log): Signals {
  const bells = new Bells();
  if (databaseUrl === null) {
    return {
      send: topic => Promise.resolve(bells.ring(topic)),
      listen: topic => bells.listen(topic),
      presence: () => null,
      close: () => Promise.resolve(),
    };
  }
  const line = new NotificationLine(databaseUrl, bells, log);
  return {
    send: async topic => {
      bells.ring(topic);
      try {
        await sql`select pg_notify(${channel}, ${topic})`.execute(database.kysely);
      } catch (error) {
        log.warn('signal_lost', { error });
      }
    },
    listen: topic => bells.listen(topic),
    presence: () => line.presence,
    close: () => line.close(),
  };
}

/** Who listens to what in this process. */
class Bells {
  readonly #ringers = new Map<string, Set<() => void>>();

  ring(topic: string): void {
    for (const ring of this.#ringers.get(topic) ?? []) ring();
  }

  ringAll(): void {
    for (const topic of this.#ringers.keys()) this.ring(topic);
  }

  listen(topic: string): Listener {
    let rung = Promise.withResolvers<void>();
    const ring = (): void => rung.resolve();
    const ringers = this.#ringers.get(topic) ?? new Set();
    this.#ringers.set(topic, ringers.add(ring));
    return {
      next: async (longestMs, signal) => {
        await untilAny(rung.promise, longestMs, signal);
        rung = Promise.withResolvers();
      },
      close: () => {
        ringers.delete(ring);
        if (ringers.size === 0 && this.#ringers.get(topic) === ringers) this.#ringers.delete(topic);
      },
    };
  }
}

async function untilAny(
  rung: Promise<void>,
  longestMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return;
  const over = Promise.withResolvers<void>();
  const end = (): void => over.resolve();
  const timer = setTimeout(end, longestMs);
  signal?.addEventListener('abort', end, { once: true });
  await Promise.race([rung, over.promise]);
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
}

/** A connection that hears notifications, and is made anew when it is lost. */
class NotificationLine {
  readonly #databaseUrl: string;
  readonly #bells: Bells;
  readonly #log: Log;
  #client: Client | null = null;
  #reconnect: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #presence = choosePresence();
  #isPresent = false;

  constructor(databaseUrl: string, bells: Bells, log: Log) {
    this.#databaseUrl = databaseUrl;
    this.#bells = bells;
    this.#log = log;
    void this.#connect(firstReconnectMs);
  }

  get presence(): number | null {
    return this.#isPresent ? this.#presence : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isPresent = false;
    clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }

  async #connect(reconnectMs: number): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'connector-auth signals',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    this.#client = client;
    let isLost = false;
    const lose = (error?: unknown): void => {
      if (isLost || this.#isClosed) return;
      isLost = true;
      this.#isPresent = false;
      this.#log.warn('signals_interrupted', { error });
      client.end().catch(() => {});
      const nextMs = Math.min(longestReconnectMs, reconnectMs * 2);
      this.#reconnect = setTimeout(() => void this.#connect(nextMs), reconnectMs);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }) => this.#bells.ring(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await client.query(takePresence(this.#presence));
      this.#isPresent = true;
      // What was signalled while nobody heard.
      this.#bells.ringAll();
      reconnectMs = firstReconnectMs;
    } catch (error) {
      lose(error);
    }
    // Closed while it was connecting.
    if (this.#isClosed) await client.end().catch(() => {});
  }
}
