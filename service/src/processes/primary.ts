import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../log/log.ts';
import { workerMark, type PrimaryMessage, type WorkerMessage } from './messages.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** A worker that was ready for at least this time is replaced at once if it exits. */
const stableMs = 60_000;
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;

/** Why a worker exited. */
interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: unknown;
}

const notStarted: Exit = { code: null, signal: null };

/**
 * Runs the service in worker processes that share its addresses. This process only starts, replaces and stops them,
 * hands connections to them in turn, and adds up their metrics.
 *
 * | state | if a worker exits |
 * |---|---|
 * | starting: the first worker prepares the database, then the others start | the service stops with an error |
 * | running: each worker has been ready | another one replaces it; the service stops with an error if no worker is ready and the new one cannot start either |
 * | stopping | the service ends when no worker is left |
 */
export class Primary {
  readonly #count: number;
  readonly #log: Log;
  readonly #metrics = new WorkerMetrics();
  /** When each worker became ready. Null before. */
  readonly #workers = new Map<Worker, number | null>();
  readonly #ended = Promise.withResolvers<string | null>();
  #state: 'starting' | 'running' | 'stopping' = 'starting';
  /** The workers in succession that could not be created, or exited less than a minute after they were ready. */
  #earlyExits = 0;
  /** What went wrong. Null if nothing did. */
  #problem: string | null = null;

  /**
   * Starts the workers.
   * @throws Error if this process is itself one of a cluster.
   */
  constructor(count: number, log: Log) {
    if (!cluster.isPrimary) {
      throw new Error(
        'WORKERS cannot be more than 1 in a process of another Node.js cluster: unset WORKERS, or start the service as a single process',
      );
    }
    this.#count = count;
    this.#log = log;
    cluster.setupPrimary({ serialization: 'advanced' });
    this.#fork();
  }

  /** Resolves when no worker is left, with what went wrong or null. */
  get ended(): Promise<string | null> {
    return this.#ended.promise;
  }

  /** Stops all workers gracefully. */
  stop(): void {
    this.#state = 'stopping';
    for (const worker of this.#workers.keys()) worker.process.kill('SIGTERM');
    this.#endIfDone();
  }

  #fork(): void {
    if (this.#state === 'stopping') return;
    let worker: Worker;
    try {
      worker = cluster.fork({ [workerMark]: '1' });
    } catch (error) {
      // For example, there is no memory for another process.
      const exit = { ...notStarted, error };
      this.#log.error('worker_exited', { was_ready: false, reason: describe(exit) });
      return this.#handleFailure(exit, null);
    }
    this.#workers.set(worker, null);
    worker.on('message', (message: WorkerMessage) => this.#handleMessage(worker, message));
    worker.on('exit', (code: number | null, signal: string | null) =>
      this.#handleExit(worker, { code, signal }),
    );
    worker.on('error', error => {
      // A process that could not be created does not exit.
      if (worker.process.pid === undefined) this.#handleExit(worker, { ...notStarted, error });
    });
  }

  #handleMessage(worker: Worker, message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        return this.#handleReady(worker);
      case 'metrics':
        // The report of a worker that has exited can arrive late.
        if (this.#workers.has(worker)) this.#metrics.handleReport(worker.id, message.metrics);
        return;
      case 'metrics_failed':
        this.#log.error('metrics_failed', { worker: worker.id, reason: message.reason });
        return this.#metrics.handleFailedReport(worker.id);
      case 'all_metrics_wanted':
        return void this.#sendMetrics(worker);
    }
  }

  #handleReady(worker: Worker): void {
    this.#workers.set(worker, performance.now());
    this.#log.info('worker_ready', { worker: worker.id, pid: worker.process.pid });
    if (this.#state !== 'starting') return;
    for (let missing = this.#count - this.#workers.size; missing > 0; missing -= 1) this.#fork();
    if (this.#readyWorkers().length < this.#count) return;
    this.#state = 'running';
    this.#log.info('workers_ready', { workers: this.#count });
  }

  #handleExit(worker: Worker, exit: Exit): void {
    const readyAt = this.#workers.get(worker) ?? null;
    this.#workers.delete(worker);
    this.#metrics.handleExit(worker.id);
    if (this.#state === 'stopping') {
      // Before it is ready, a worker may not handle the signal.
      if (readyAt !== null && exit.code !== 0) {
        this.#problem ??= `A worker did not stop gracefully: ${describe(exit)}`;
      }
      return this.#endIfDone();
    }
    this.#log.error('worker_exited', {
      worker: worker.id,
      was_ready: readyAt !== null,
      reason: describe(exit),
    });
    this.#handleFailure(exit, readyAt);
  }

  /**
   * Replaces a worker that exited or could not be created, or stops the service.
   * @param readyAt when the worker became ready. Null if it never was.
   */
  #handleFailure(exit: Exit, readyAt: number | null): void {
    const isLast = readyAt === null && this.#readyWorkers().length === 0;
    if (this.#state === 'starting' || isLast) {
      this.#problem = `The service stops, because one of its WORKERS cannot start: ${describe(exit)}`;
      return this.stop();
    }
    const isStable = readyAt !== null && performance.now() - readyAt >= stableMs;
    this.#earlyExits = isStable ? 0 : this.#earlyExits + 1;
    setTimeout(() => this.#fork(), replacementDelayMs(this.#earlyExits));
  }

  #endIfDone(): void {
    if (this.#workers.size === 0) this.#ended.resolve(this.#problem);
  }

  #readyWorkers(): Worker[] {
    return [...this.#workers].flatMap(([worker, readyAt]) => (readyAt === null ? [] : [worker]));
  }

  async #sendMetrics(worker: Worker): Promise<void> {
    const workers = this.#readyWorkers().map(each => ({
      id: each.id,
      send: (message: PrimaryMessage) => send(each, message),
    }));
    const text = await this.#metrics.read(workers).catch((error: unknown) => {
      this.#log.error('metrics_failed', { error });
      return null;
    });
    send(worker, { type: 'all_metrics', text });
  }
}

function describe({ code, signal, error }: Exit): string {
  if (error instanceof Error) return error.message;
  return signal ?? `exit code ${code}`;
}

/** Returns how long to wait before a worker is replaced, after a number of early exits in succession. */
export function replacementDelayMs(earlyExits: number): number {
  return earlyExits <= 1 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (earlyExits - 2));
}

function send(worker: Worker, message: PrimaryMessage): void {
  // A worker that has just exited cannot be reached.
  worker.send(message, () => {});
}
