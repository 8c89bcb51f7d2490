import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log/log.ts';
import type { WorkerMessage } from './messages.ts';
import { Primary, replacementDelayMs } from './primary.ts';

/** A worker process that does what a test says. */
class FakeWorker extends EventEmitter {
  readonly process = { pid: 1, kill: () => true };
  readonly id: number;

  constructor(id: number) {
    super();
    this.id = id;
  }

  becomeReady(): void {
    this.emit('message', { type: 'ready' } satisfies WorkerMessage);
  }
}

const noMemory = new Error('spawn ENOMEM');
const workers: FakeWorker[] = [];
const fork = vi.spyOn(cluster, 'fork');
const log = createLog({ destination: { write: () => {} } });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(cluster, 'setupPrimary').mockReturnValue();
  workers.length = 0;
  fork.mockReset().mockImplementation(() => {
    const worker = new FakeWorker(workers.length + 1);
    workers.push(worker);
    // The primary process uses nothing else of a worker.
    return worker as unknown as Worker;
  });
});
afterEach(() => {
  Object.assign(cluster, { isPrimary: true });
  vi.useRealTimers();
});

test('replaces a worker at once, and waits longer each time if workers keep exiting early', () => {
  const delays = Array.from({ length: 9 }, (_, earlyExits) => replacementDelayMs(earlyExits));
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('does not start in a process of another cluster', () => {
  Object.assign(cluster, { isPrimary: false });
  expect(() => new Primary(2, log)).toThrow('WORKERS cannot be more than 1');
});

test('stops with an error if a worker cannot be created at the start', async () => {
  fork.mockImplementation(() => {
    throw noMemory;
  });
  expect(await new Primary(2, log).ended).toContain('one of its WORKERS cannot start: spawn ENOMEM');
  expect(fork).toHaveBeenCalledTimes(1);
});

test('keeps the other workers and tries again if a worker cannot be replaced', () => {
  void new Primary(2, log);
  workers[0]?.becomeReady();
  workers[1]?.becomeReady();
  expect(fork).toHaveBeenCalledTimes(2);
  fork.mockImplementationOnce(() => {
    throw noMemory;
  });
  workers[0]?.emit('exit', 1, null);
  vi.advanceTimersByTime(0);
  expect(fork).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1000);
  expect(fork).toHaveBeenCalledTimes(4);
  expect(workers).toHaveLength(3);
});
