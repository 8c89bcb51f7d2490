import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { PrimaryMessage, ProcessMetrics } from './messages.ts';

/** A worker that can be asked for its metrics. */
export interface ReportingWorker {
  readonly id: number;
  send(message: PrimaryMessage): void;
}

/**
 * Adds up the metrics of all workers. A worker that does not report in time counts with what it last reported.
 * The counters of workers that have exited remain, because Prometheus takes a sum that falls for a restart.
 */
export class WorkerMetrics {
  /** What each worker last reported; only counters and histograms if it has exited. */
  readonly #reported = new Map<number, ProcessMetrics>();
  readonly #exited = new Set<number>();
  readonly #awaited = new Map<number, PromiseWithResolvers<void>>();
  readonly #maxWaitMs: number;
  #reading: Promise<string> | null = null;

  /** @param maxWaitMs how long a scrape waits for workers that are busy. */
  constructor(maxWaitMs = 2_000) {
    this.#maxWaitMs = maxWaitMs;
  }

  handleReport(workerId: number, metrics: ProcessMetrics): void {
    this.#reported.set(workerId, metrics);
    this.#awaited.get(workerId)?.resolve();
  }

  /** Lets the worker count with what it last reported. */
  handleFailedReport(workerId: number): void {
    this.#awaited.get(workerId)?.resolve();
  }

  handleExit(workerId: number): void {
    this.#awaited.get(workerId)?.resolve();
    const last = this.#reported.get(workerId);
    if (last === undefined) return;
    this.#reported.set(workerId, last.filter(isCumulative));
    this.#exited.add(workerId);
  }

  /** Returns the metrics in Prometheus's text format. Concurrent calls share the result. */
  read(workers: readonly ReportingWorker[]): Promise<string> {
    this.#reading ??= this.#read(workers).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(workers: readonly ReportingWorker[]): Promise<string> {
    const reports = workers.map(({ id }) => {
      const report = Promise.withResolvers<void>();
      this.#awaited.set(id, report);
      return report.promise;
    });
    for (const worker of workers) worker.send({ type: 'report_metrics' });
    const done = new AbortController();
    const late = delay(this.#maxWaitMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([Promise.all(reports), late]);
    done.abort();
    this.#awaited.clear();
    await this.#combineExited();
    return await AggregatorRegistry.aggregate([...this.#reported.values()]).metrics();
  }

  /** Combines the counters of all workers that have exited, so that they do not accumulate. */
  async #combineExited(): Promise<void> {
    const [first, ...others] = this.#exited;
    if (first === undefined || others.length === 0) return;
    const reports = [first, ...others].flatMap(id => [this.#reported.get(id) ?? []]);
    this.#reported.set(first, await AggregatorRegistry.aggregate(reports).getMetricsAsJSON());
    for (const id of others) {
      this.#reported.delete(id);
      this.#exited.delete(id);
    }
  }
}

/** Returns whether a metric only grows, so that it remains true when its process has exited. */
function isCumulative(metric: object): boolean {
  return 'type' in metric && (metric.type === 'counter' || metric.type === 'histogram');
}
