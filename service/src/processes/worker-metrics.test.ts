import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { WorkerMetrics, type ReportingWorker } from './worker-metrics.ts';

/** A worker that has counted this number of requests, and runs as many now. */
function workerWith(metrics: WorkerMetrics, id: number, requests: number): ReportingWorker {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests', help: 'Requests', registers }).inc(requests);
  new Gauge({ name: 'running', help: 'Running requests', registers }).set(requests);
  const seconds = new Histogram({ name: 'seconds', help: 'Durations', buckets: [1], registers });
  for (let count = 0; count < requests; count += 1) seconds.observe(0.5);
  return {
    id,
    send: () => void registry.getMetricsAsJSON().then(report => metrics.handleReport(id, report)),
  };
}

async function valuesOf(
  metrics: WorkerMetrics,
  workers: readonly ReportingWorker[],
): Promise<Record<string, number>> {
  const lines = (await metrics.read(workers))
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map(line => {
      const [name = '', value] = line.split(' ');
      return [name, Number(value)];
    }),
  );
}

const valuesFor = (counted: number, running: number) => ({
  requests: counted,
  running,
  'seconds_bucket{le="1"}': counted,
  'seconds_bucket{le="+Inf"}': counted,
  seconds_sum: counted * 0.5,
  seconds_count: counted,
});

test('adds up the metrics of all workers', async () => {
  const metrics = new WorkerMetrics();
  const workers = [workerWith(metrics, 1, 3), workerWith(metrics, 2, 4)];
  expect(await valuesOf(metrics, workers)).toEqual(valuesFor(7, 7));
});

test('keeps what workers have counted when they exit', async () => {
  const metrics = new WorkerMetrics();
  const workers = [1, 2, 3, 4].map(id => workerWith(metrics, id, id));
  await metrics.read(workers);
  for (const id of [1, 2, 3]) metrics.handleExit(id);
  // The first reading combines the three, the second one uses the result.
  for (let reading = 0; reading < 2; reading += 1) {
    expect(await valuesOf(metrics, workers.slice(3))).toEqual(valuesFor(10, 4));
  }
});

test('does not wait for a worker that exits before it reports', async () => {
  const metrics = new WorkerMetrics();
  const exiting: ReportingWorker = { id: 1, send: () => metrics.handleExit(1) };
  expect(await valuesOf(metrics, [exiting, workerWith(metrics, 2, 5)])).toEqual(valuesFor(5, 5));
});

test('counts a worker that is too busy to report, or cannot, with what it last reported', async () => {
  const metrics = new WorkerMetrics(5);
  const [busy, other] = [workerWith(metrics, 1, 2), workerWith(metrics, 2, 3)];
  await metrics.read([busy, other]);
  const silent: ReportingWorker = { id: 1, send: () => {} };
  expect(await valuesOf(metrics, [silent, other])).toEqual(valuesFor(5, 5));
  const failing: ReportingWorker = { id: 1, send: () => metrics.handleFailedReport(1) };
  expect(await valuesOf(metrics, [failing, other])).toEqual(valuesFor(5, 5));
});
