import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { workerMark, type PrimaryMessage, type WorkerMessage } from './messages.ts';

/** This process, as one of several workers that a primary process has started. */
export interface WorkerProcess {
  readonly id: number;
  /** Whether this worker prepares the database, before the others start. */
  readonly isFirst: boolean;
  reportReady(): void;
  /** Reports these metrics when the primary process asks. Returns a function that reads those of all workers. */
  shareMetrics(registry: Registry): () => Promise<string>;
}

/** The connection to the primary process. */
interface PrimaryConnection {
  on(event: 'message', listener: (message: PrimaryMessage) => void): unknown;
  send?(message: WorkerMessage, handle: undefined, options: undefined, callback: () => void): unknown;
}

/** Returns this process as a worker, or null if it is the only process of the service. */
export function currentWorker(): WorkerProcess | null {
  // A process manager can start the service as a process of its own cluster.
  if (cluster.worker === undefined || process.env[workerMark] === undefined) return null;
  const { id } = cluster.worker;
  return {
    id,
    isFirst: id === 1,
    reportReady: () => send(process, { type: 'ready' }),
    shareMetrics,
  };
}

/**
 * Reports these metrics when the primary process asks. Returns a function that reads those of all workers, which
 * rejects if the primary process fails.
 * @param options.maxWaitMs how long to wait for the primary process, which itself waits 2 s for busy workers.
 */
export function shareMetrics(
  registry: Registry,
  { primary = process, maxWaitMs = 5_000 }: { primary?: PrimaryConnection; maxWaitMs?: number } = {},
): () => Promise<string> {
  let reply = Promise.withResolvers<string>();
  let reading: Promise<string> | null = null;

  async function report(): Promise<void> {
    try {
      send(primary, { type: 'metrics', metrics: await registry.getMetricsAsJSON() });
    } catch (error) {
      send(primary, { type: 'metrics_failed', reason: String(error) });
    }
  }

  async function read(): Promise<string> {
    reply = Promise.withResolvers();
    const late = setTimeout(() => reply.reject(new Error('The primary process did not reply')), maxWaitMs);
    send(primary, { type: 'all_metrics_wanted' });
    try {
      return await reply.promise;
    } finally {
      clearTimeout(late);
      reading = null;
    }
  }

  primary.on('message', message => {
    if (message.type === 'report_metrics') return void report();
    if (message.text !== null) reply.resolve(message.text);
    else reply.reject(new Error('The metrics of the workers cannot be combined'));
  });
  return () => (reading ??= read());
}

function send(primary: PrimaryConnection, message: WorkerMessage): void {
  // If the primary process is gone, this process exits as well.
  primary.send?.(message, undefined, undefined, () => {});
}
