import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log/log.ts';
import { PgliteSession, type SessionLimits } from './pglite-session.ts';
import type { FromWorker, ToWorker } from './pglite-worker.ts';
import { overloaded, StatementTimeoutError } from './pool.ts';

/**
 * Runs PGlite in a worker thread. pg's client connects through {@link PgliteSession} instead of a socket, so that both
 * engines share one client, one protocol, and the same values and errors.
 *
 * PGlite cannot cancel a statement, so a batch that exceeds its time limit terminates the worker: the batch fails with
 * `overloaded`, and the next session reopens the database. Committed data is safe; open transactions are rolled back.
 */
export class PgliteServer {
  readonly #folder: string;
  readonly #log: Log;
  /** Null before the first batch and after the worker ended. */
  #worker: Worker | null = null;
  /** Settles after the last queued work: PGlite does one thing at a time. */
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param folder the database's files; created on first use. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Returns a connection for pg's `stream` option. Supports one at a time: the pool must have `max: 1`. */
  connect(limits: SessionLimits | null = null): PgliteSession {
    // A session ends with its worker: a new worker does not have its transaction.
    let worker: Worker | null = null;
    return new PgliteSession(limits, {
      execute: batch =>
        this.#enqueue(async () => {
          worker ??= this.#worker ?? (await this.#start());
          if (worker !== this.#worker) throw overloaded('The database was restarted');
          return await this.#execute(worker, batch, limits);
        }),
      discard: batch =>
        this.#enqueue(async () => {
          if (worker !== null && worker === this.#worker) await this.#execute(worker, batch, limits);
        }),
    });
  }

  /** Shuts the database down after the queued work. */
  async close(): Promise<void> {
    await this.#enqueue(async () => {
      this.#isClosed = true;
      if (this.#worker !== null) await shutDown(this.#worker);
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  async #execute(worker: Worker, batch: Uint8Array, limits: SessionLimits | null): Promise<Uint8Array> {
    let isTooSlow = false;
    const watchdog =
      limits &&
      setTimeout(() => {
        isTooSlow = true;
        this.#log.warn('database_statement_stopped', {
          engine: 'pglite',
          limit_ms: limits.statementTimeoutMs,
        });
        void worker.terminate();
      }, limits.statementTimeoutMs);
    try {
      // Never 'ready' or 'closed', which are sent only after the start and 'close'.
      return (await send(worker, batch)) as Uint8Array;
    } catch (error) {
      throw isTooSlow
        ? new StatementTimeoutError(error)
        : overloaded('The database is not responding', error);
    } finally {
      if (watchdog) clearTimeout(watchdog);
    }
  }

  async #start(): Promise<Worker> {
    if (this.#isClosed) throw overloaded('The database is closed');
    await this.#createFolder();
    const startedAt = performance.now();
    const worker = await this.#run(this.#folder);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    this.#log.info('database_opened', {
      engine: 'pglite',
      took_ms: Math.round(performance.now() - startedAt),
    });
    return worker;
  }

  /**
   * Creates the database's files if there are none. Uses a temporary name first, so that a killed process leaves no
   * incomplete database, and a separate worker, because creating a database keeps 100 to 300 MB more than opening one.
   */
  async #createFolder(): Promise<void> {
    if (existsSync(this.#folder)) return;
    const draft = `${this.#folder}.draft`;
    await rm(draft, { recursive: true, force: true });
    await shutDown(await this.#run(draft));
    await rename(draft, this.#folder);
  }

  /** Starts a worker that opens a folder. */
  async #run(folder: string): Promise<Worker> {
    const worker = new Worker(new URL(`./pglite-worker${extname(import.meta.url)}`, import.meta.url), {
      name: 'pglite',
      workerData: { folder },
    });
    // Without a listener an error of the idle worker would end the process; `send` rejects for its caller.
    worker.on('error', error => this.#log.error('database_worker_failed', { engine: 'pglite', error }));
    await send(worker, null);
    return worker;
  }
}

async function shutDown(worker: Worker): Promise<void> {
  const ended = new Promise(resolve => worker.once('exit', resolve));
  await send(worker, 'close');
  await ended;
}

/**
 * Sends one message (none if null) and returns the worker's next message.
 * @throws Error if the worker ends instead, with the reason as its cause.
 */
function send(worker: Worker, message: ToWorker | null): Promise<FromWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
  let cause: unknown;
  const onError = (error: unknown): void => {
    cause = error;
  };
  const onExit = (): void => reject(new Error('PGlite stopped before it responded', { cause }));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  if (message !== null) worker.postMessage(message, []);
  return promise.finally(() => worker.off('message', resolve).off('error', onError).off('exit', onExit));
}
