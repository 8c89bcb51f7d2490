import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

/** This process, as one of several workers that a primary process has started. */
export interface WorkerProcess {
  readonly id: number;
  /** Whether this worker prepares the database, before the others start. */
  readonly isFirst: boolean;
  reportReady(): void;
  /** Reports these metrics when the primary process asks. Returns a function that reads those of all workers. */
  shareMetrics(registry: Registry): () => Promise<string>;
}

/** Returns this process as a worker, or null if it is the only process of the service. */
export function currentWorker(): WorkerProcess | null {
  if (cluster.worker === undefined) return null;
  const { id } = cluster.worker;
  return {
    id,
    isFirst: id === 1,
    reportReady: () => send({ type: 'ready' }),
    shareMetrics,
  };
}

function shareMetrics(registry: Registry): () => Promise<string> {
  const waiting: PromiseWithResolvers<string>[] = [];
  const report = async (): Promise<void> =>
    send({ type: 'metrics', metrics: await registry.getMetricsAsJSON() });
  process.on('message', (message: PrimaryMessage) => {
    if (message.type === 'report_metrics') return void report();
    for (const { resolve, reject } of waiting.splice(0)) {
      if (message.text === null) reject(new Error('The metrics of the workers cannot be combined'));
      else resolve(message.text);
    }
  });
  return () => {
    const reply = Promise.withResolvers<string>();
    waiting.push(reply);
    if (waiting.length === 1) send({ type: 'all_metrics_wanted' });
    return reply.promise;
  };
}

function send(message: WorkerMessage): void {
  // If the primary process is gone, this process exits as well.
  process.send?.(message, undefined, undefined, () => {});
}
