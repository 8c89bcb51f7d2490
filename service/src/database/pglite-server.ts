import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log/log.ts';
import { PgliteSession, type SessionLimits } from './pglite-session.ts';
import type { FromWorker, ToWorker } from './pglite-worker.ts';
import { overloaded, StatementTimeoutError } from './pool.ts';

/**
 * PGlite in a worker thread, reached by pg's own client through {@link PgliteSession} instead of a socket: so both engines
 * share one client, one protocol, and the same values and errors.
 *
 * A batch that exceeds its time limit ends the worker, for PGlite cannot cancel a statement; the batch is refused with
 * `overloaded`, and the next session finds the database reopened. What was committed is kept; what was not is rolled back.
 */
export class PgliteServer {
  readonly #folder: string;
  readonly #log: Log;
  /** The worker that answers; null before the first batch and after an end. */
  #worker: Worker | null = null;
  /** The last piece of work in line: PGlite does one thing at a time. */
  #line: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param folder the database's files; made on first use. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** A connection for pg's `stream` option. One at a time: a pool over this has `max: 1`. */
  connect(limits: SessionLimits | null = null): PgliteSession {
    // A session lives and dies with its worker: in another one its transaction would be gone.
    let worker: Worker | null = null;
    return new PgliteSession(limits, {
      execute: batch =>
        this.#inLine(async () => {
          worker ??= this.#worker ?? (await this.#start());
          if (worker !== this.#worker) throw overloaded('The database was restarted');
          return await this.#answer(worker, batch, limits);
        }),
      discard: batch =>
        this.#inLine(async () => {
          if (worker !== null && worker === this.#worker) await this.#answer(worker, batch, limits);
        }),
    });
  }

  /** Shuts the database down after what is in line. */
  async close(): Promise<void> {
    await this.#inLine(async () => {
      this.#isClosed = true;
      if (this.#worker !== null) await shutDown(this.#worker);
    });
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {});
    return done;
  }

  async #answer(worker: Worker, batch: Uint8Array, limits: SessionLimits | null): Promise<Uint8Array> {
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
      // Not 'ready' nor 'closed': those answer only the start and 'close'.
      return (await ask(worker, batch)) as Uint8Array;
    } catch (error) {
      throw isTooSlow ? new StatementTimeoutError(error) : overloaded('The database does not answer', error);
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
   * Makes the database's files if there are none. Under another name first, so that a process killed on the way leaves nothing
   * half made; in a worker of its own, because one that made a database keeps 100 to 300 MB more than one that only opens it.
   */
  async #createFolder(): Promise<void> {
    if (existsSync(this.#folder)) return;
    const draft = `${this.#folder}.draft`;
    await rm(draft, { recursive: true, force: true });
    await shutDown(await this.#run(draft));
    await rename(draft, this.#folder);
  }

  /** A worker that has opened a folder. */
  async #run(folder: string): Promise<Worker> {
    const worker = new Worker(new URL(`./pglite-worker${extname(import.meta.url)}`, import.meta.url), {
      name: 'pglite',
      workerData: { folder },
    });
    // Without a listener an error of the idle worker would end the process; whoever waits for an answer hears it from `ask`.
    worker.on('error', error => this.#log.error('database_worker_failed', { engine: 'pglite', error }));
    await ask(worker, null);
    return worker;
  }
}

async function shutDown(worker: Worker): Promise<void> {
  const ended = new Promise(resolve => worker.once('exit', resolve));
  await ask(worker, 'close');
  await ended;
}

/**
 * Sends one message (null: none) and gives the worker's next one.
 * @throws Error when the worker ends instead, with the reason as its cause.
 */
function ask(worker: Worker, message: ToWorker | null): Promise<FromWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
  let cause: unknown;
  const onError = (error: unknown): void => {
    cause = error;
  };
  const onExit = (): void => reject(new Error('PGlite stopped before it answered', { cause }));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  if (message !== null) worker.postMessage(message, []);
  return promise.finally(() => worker.off('message', resolve).off('error', onError).off('exit', onExit));
}
