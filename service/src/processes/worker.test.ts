import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { Gauge, Registry } from 'prom-client';
import { afterEach, expect, test, vi } from 'vitest';
import { workerMark, type PrimaryMessage, type WorkerMessage } from './messages.ts';
import { currentWorker, shareMetrics } from './worker.ts';

afterEach(() => {
  Reflect.deleteProperty(cluster, 'worker');
  vi.unstubAllEnvs();
});

/** A primary process that records what it receives. */
class FakePrimary extends EventEmitter {
  readonly received: WorkerMessage[] = [];

  send(message: WorkerMessage): boolean {
    this.received.push(message);
    return true;
  }

  reply(message: PrimaryMessage): void {
    this.emit('message', message);
  }
}

test('is a worker only if the service itself started the process', () => {
  expect(currentWorker()).toBeNull();
  // Only the id is read.
  Object.assign(cluster, { worker: { id: 2 } });
  expect(currentWorker()).toBeNull();
  vi.stubEnv(workerMark, '1');
  expect(currentWorker()).toMatchObject({ id: 2, isFirst: false });
});

test('asks the primary process once for concurrent scrapes', async () => {
  const primary = new FakePrimary();
  const read = shareMetrics(new Registry(), { primary });
  const both = [read(), read()];
  expect(primary.received).toEqual([{ type: 'all_metrics_wanted' }]);
  primary.reply({ type: 'all_metrics', text: 'requests 7' });
  expect(await Promise.all(both)).toEqual(['requests 7', 'requests 7']);
});

test('fails a scrape if the primary process cannot combine the metrics or does not reply', async () => {
  const primary = new FakePrimary();
  const read = shareMetrics(new Registry(), { primary, maxWaitMs: 5 });
  const failed = read();
  primary.reply({ type: 'all_metrics', text: null });
  await expect(failed).rejects.toThrow('cannot be combined');
  await expect(read()).rejects.toThrow('did not reply');
  const later = read();
  primary.reply({ type: 'all_metrics', text: 'requests 7' });
  expect(await later).toBe('requests 7');
});

test('reports that its metrics cannot be read', async () => {
  const primary = new FakePrimary();
  const registry = new Registry();
  const collect = (): never => {
    throw new Error('No such file');
  };
  registry.registerMetric(new Gauge({ name: 'files', help: 'Open files', registers: [], collect }));
  shareMetrics(registry, { primary });
  primary.reply({ type: 'report_metrics' });
  await vi.waitFor(() =>
    expect(primary.received).toEqual([{ type: 'metrics_failed', reason: 'Error: No such file' }]),
  );
});
