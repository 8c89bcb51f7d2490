import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import type { Log } from '../log/log.ts';
import { PgliteSession, type SessionLimits } from './pglite-session.ts';
import { startPgliteThread } from './pglite-thread.ts';
import type { FromWorker, ToWorker } from './pglite-worker.ts';
import { overloaded, StatementTimeoutError } from './pool.ts';

/**
 * Runs PGlite in a worker thread. The pg client connects through {@link PgliteSession} instead of a socket,
 * so both engines share the same client, protocol, values and errors.
 *
 * PGlite cannot cancel a statement, so a batch that exceeds its time limit terminates the worker. The batch
 * fails with `overloaded`, and the next session reopens the database. Committed data is safe; open
 * transactions are rolled back.
 */
export class PgliteServer {
  readonly #folder: string;
  readonly #log: Log;
  /** A thread that has not opened a folder yet. */
  #thread: Worker | null;
  /** Null before the first batch and after the worker has exited. */
  #worker: Worker | null = null;
  /**
   * Settles when all queued work has finished. Work is queued because PGlite executes one batch at a time.
   */
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /**
   * @param folder the folder for the database files. It is created on first use.
   * @param thread the first thread to use. By default, the server starts it on first use.
   */
  constructor(folder: string, log: Log, thread: Worker | null = null) {
    this.#folder = folder;
    this.#log = log;
    this.#thread = thread;
  }

  /**
   * Returns a connection for pg's `stream` option. Only one connection can be open at a time, so the pool
   * must have `max: 1`.
   */
  connect(limits: SessionLimits | null = null): PgliteSession {
    // A session ends when its worker exits, because a new worker cannot continue the open transaction.
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

  /**
   * Runs work while no statement does. PGlite has no processes that write in the background, so the files of the database do not
   * change meanwhile, and are those of a database that has crashed at this moment.
   */
  pause<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work);
  }

  /** Shuts down the database after all queued work has finished. */
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
      // The message is never 'ready' or 'closed', which the worker sends only at startup and on 'close'.
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
   * Creates the database files if they do not exist. Uses a temporary name at first, so that a killed process
   * leaves no incomplete database. Uses a separate worker, because creating a database retains 100 to 300 MB
   * more memory than opening one.
   */
  async #createFolder(): Promise<void> {
    if (existsSync(this.#folder)) return;
    const draft = `${this.#folder}.draft`;
    await rm(draft, { recursive: true, force: true });
    await shutDown(await this.#run(draft));
    await rename(draft, this.#folder);
  }

  /** Lets a worker open a folder. */
  async #run(folder: string): Promise<Worker> {
    const worker = this.#thread ?? startPgliteThread();
    this.#thread = null;
    // Without a listener, an error in the idle worker would terminate the process. Errors during `send` also
    // reject the promise that it returns.
    worker.on('error', error => this.#log.error('database_worker_failed', { engine: 'pglite', error }));
    await send(worker, { folder });
    return worker;
  }
}

async function shutDown(worker: Worker): Promise<void> {
  const ended = new Promise(resolve => worker.once('exit', resolve));
  await send(worker, 'close');
  await ended;
}

/**
 * Sends a message to the worker, and returns the next message from the worker.
 * @throws Error if the worker exits instead, with the reason as its cause.
 */
function send(worker: Worker, message: ToWorker): Promise<FromWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
  let cause: unknown;
  const onError = (error: unknown): void => {
    cause = error;
  };
  const onExit = (): void => reject(new Error('PGlite stopped before it responded', { cause }));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  worker.postMessage(message, []);
  return promise.finally(() => worker.off('message', resolve).off('error', onError).off('exit', onExit));
}
