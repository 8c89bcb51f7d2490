import { Client } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { makeDatabase } from './engines.ts';
import { environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

vi.setConfig({ testTimeout: 240_000 });

const afterwards: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

async function startTwoWorkers(): Promise<{ service: ServiceProcess; databaseUrl: string; pids: number[] }> {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('A server has a URL');
  const service = startServiceProcess({ ...environmentOf(location), WORKERS: '2' });
  afterwards.push(async () => {
    service.child.kill('SIGKILL');
    await service.ended;
  });
  await service.logged('workers_ready');
  return { service, databaseUrl: location.databaseUrl, pids: pidsOf(service) };
}

function pidsOf(service: ServiceProcess): number[] {
  const lines = service.stdout().split('\n');
  // The service writes only JSON lines.
  const events = lines.map(line => JSON.parse(line) as { event: string; pid?: number });
  return events.flatMap(({ event, pid }) => (event === 'worker_ready' && pid !== undefined ? [pid] : []));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('prepares the database once, before the second worker starts', async () => {
  const { service } = await startTwoWorkers();
  const codes = service.stderr().match(/(?:[0-9A-Z]{4}-){6}[0-9A-Z]{2}/g);
  expect(codes).toHaveLength(1);
});

test('the service stops with an error when all workers have exited and no new one can start', async () => {
  const { service, databaseUrl, pids } = await startTwoWorkers();
  const { pathname } = new URL(databaseUrl);
  const client = new Client({ connectionString: databaseUrl.replace(pathname, '/postgres') });
  await client.connect();
  afterwards.push(() => client.end());
  await client.query(`alter database ${pathname.slice(1)} allow_connections false`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toContain('The service stops, because one of its WORKERS cannot start');
});

test('a second signal ends the service and its workers immediately', async () => {
  const { service, pids } = await startTwoWorkers();
  // A worker that is stopped does not respond to the first signal.
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  service.child.kill('SIGINT');
  await service.logged('service_stopping');
  service.child.kill('SIGINT');
  await until(() => expect(service.child.exitCode).toBe(130));
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  await until(() => expect(pids.filter(isRunning)).toEqual([]));
});

test('the workers exit when the primary process is killed', async () => {
  const { service, pids } = await startTwoWorkers();
  service.child.kill('SIGKILL');
  await until(() => expect(pids.filter(isRunning)).toEqual([]));
});
