/**
 * Something fails while a backend creates connectors. Prometheus sees it, with the alerts of `deploy/prometheus`. When the cause has
 * gone, the service recovers without a restart, and has lost nothing that it acknowledged. docs/what-to-watch.md lists all drills.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@connector-auth/api/client';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makeFolder } from '../engines.ts';
import { goodKey } from '../example-requests.ts';
import { freePort, startPostgres, type PostgresServer } from '../postgres.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from '../service-process.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 240_000 });

const run = promisify(execFile);

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of afterwards.splice(0).toReversed()) await stop();
});

/** An alert fires at most 50 s after its cause. A busy machine can delay what the test observes. */
const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 240_000, interval: 250 });

/** Starts services on a database, Prometheus, and a backend that creates connectors until the end of the test. */
async function startInstallation(databaseUrl: string, processes = 1) {
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const start = (port: number): ServiceProcess => {
    const service = startServiceProcess({
      ...environmentOf({ databaseUrl }),
      ...application,
      SANDBOX_URL: sandbox.url,
      VENDOR_RATE_LIMITS: 'off',
      PORT: String(port),
    });
    afterwards.push(async () => {
      service.child.kill('SIGKILL');
      await service.ended;
    });
    return service;
  };
  const services = ports.map(start);
  // The backend uses the last one.
  let baseUrl = '';
  for (const { url } of services) baseUrl = await url;
  const readFiring = await startPrometheus(ports);

  const client = createClient({
    baseUrl,
    clientId: application.BOOTSTRAP_CLIENT_ID,
    clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    timeoutMs: 5_000,
  });
  const acknowledged: string[] = [];
  let failures = 0;
  const over = new AbortController();
  const writing = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const credentials = { api_key: goodKey };
      await client.connectors
        .create({ customer_name: `Customer ${count}`, connector_type: 'granola', name: 'Notes', credentials })
        .then(
          ({ id }) => acknowledged.push(id),
          () => (failures += 1),
        );
      await delay(100);
    }
  })();
  afterwards.push(async () => {
    over.abort();
    await writing;
  });
  const statusOf = async (path: string): Promise<number> => (await fetch(baseUrl + path)).status;
  const untilMoreAreAcknowledged = async (): Promise<void> => {
    const before = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 10));
  };
  await untilMoreAreAcknowledged();
  return {
    services,
    restart: (index: number) => start(ports[index] ?? 0),
    instanceOf: (index: number) => `127.0.0.1:${ports[index]}`,
    statusOf,
    readFiring,
    failures: () => failures,
    untilMoreAreAcknowledged,
    /** Returns when an alert fires for a process. */
    untilFiring: (alert: string, index = 0) =>
      eventually(async () => expect(await readFiring()).toContain(`${alert} 127.0.0.1:${ports[index]}`)),
    /** Expects that the service works again, and that everything it acknowledged is there and is synced. */
    expectRecovery: async (alert: string): Promise<void> => {
      await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
      await untilMoreAreAcknowledged();
      await eventually(async () => expect((await readFiring()).join()).not.toContain(alert));
      over.abort();
      await writing;
      const database = new Client({ connectionString: databaseUrl });
      await database.connect();
      const unsynced = `select connectors.id from connectors left join synced_entities on connector_id = connectors.id
        where last_synced_at is null`;
      // What failed to be synced is due again after some minutes.
      await database.query('update synced_entities set due_at = now() where last_synced_at is null');
      await eventually(async () => expect((await database.query(unsynced)).rows).toEqual([]));
      const { rows } = await database.query<{ id: string }>('select id from connectors');
      const stored = new Set(rows.map(({ id }) => id));
      expect(acknowledged.filter(id => !stored.has(id))).toEqual([]);
      await database.end();
    },
  };
}

/** Starts Prometheus with the alerts of the project, and returns a function that reads which ones fire, as `alert instance`. */
async function startPrometheus(ports: readonly number[]): Promise<() => Promise<readonly string[]>> {
  const { folder, remove } = await makeFolder();
  const rules = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url));
  const file = join(folder, 'prometheus.yml');
  await writeFile(
    file,
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [
        { job_name: 'connector-auth', static_configs: [{ targets: ports.map(port => `127.0.0.1:${port}`) }] },
      ],
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    '/usr/bin/prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'close');
  afterwards.push(async () => {
    child.kill('SIGKILL');
    await ended;
    await remove();
  });
  const readFiring = async (): Promise<readonly string[]> => {
    const response = await fetch(`http://${address}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { state: string; labels: { alertname: string; instance?: string } }[] };
    };
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => `${labels.alertname} ${labels.instance}`);
  };
  await eventually(readFiring);
  return readFiring;
}

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  afterwards.push(() => server.stop());
  return server;
}

test('the database server is killed, is away for a minute and starts again', async () => {
  const server = await startServer();
  const installation = await startInstallation(`${server.url}/postgres`);
  const [service] = installation.services;
  const failuresBefore = installation.failures();
  await server.crash('SIGQUIT', async () => {
    await eventually(async () => expect(await installation.statusOf('/readyz')).toBe(503));
    await installation.untilFiring('ConnectorAuthDatabaseUnreachable');
    expect(await installation.statusOf('/healthz')).toBe(200);
    expect(installation.failures()).toBeGreaterThan(failuresBefore);
    expect(service?.stdout().includes('"event":"installation_not_measured"')).toBe(true);
  });
  await installation.expectRecovery('ConnectorAuthDatabaseUnreachable');
  expect(service?.child.exitCode).toBeNull();
});

test('the database server is frozen for a minute, with its connections open', async () => {
  const server = await startServer();
  const installation = await startInstallation(`${server.url}/postgres`);
  const [service] = installation.services;
  const thaw = server.freeze();
  try {
    await eventually(async () => expect(await installation.statusOf('/readyz')).toBe(503));
    await installation.untilFiring('ConnectorAuthDatabaseUnreachable');
    expect(await installation.statusOf('/healthz')).toBe(200);
  } finally {
    thaw();
  }
  await installation.expectRecovery('ConnectorAuthDatabaseUnreachable');
  expect(service?.child.exitCode).toBeNull();
});

test('the disk of the database server is full', async () => {
  const disk = await mkdtemp('/tmp/connector-auth-disk-');
  const asRoot = (...command: string[]) => {
    const [program = '', ...rest] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
    return run(program, rest);
  };
  afterwards.push(async () => {
    await asRoot('umount', disk);
    await rm(disk, { recursive: true });
  });
  const server = await startServer();
  const { uid, gid } = await stat(join(server.folder, 'data'));
  await asRoot('mount', '-t', 'tmpfs', '-o', `size=128m,uid=${uid},gid=${gid},mode=0700`, 'tmpfs', disk);
  const owner = new Client({ connectionString: `${server.url}/postgres` });
  await owner.connect();
  await owner.query(`create tablespace disk location '${disk}'`);
  await owner.query('create database service tablespace disk');
  await owner.end();
  const installation = await startInstallation(`${server.url}/service`);
  const [service] = installation.services;

  const ballast = join(disk, 'ballast');
  const file = await open(ballast, 'w');
  const fill = async (): Promise<never> => {
    for (;;) await file.write(Buffer.alloc(4096, 1));
  };
  await expect(fill()).rejects.toMatchObject({ code: 'ENOSPC' });
  await file.close();
  await installation.untilFiring('ConnectorAuthAuditNotWritten');
  for (const path of ['/healthz', '/readyz']) expect(await installation.statusOf(path)).toBe(200);
  await eventually(() => expect(service?.stdout().includes('"event":"audit_unavailable"')).toBe(true));
  // Callers can retry.
  expect(new Set(service?.stdout().match(/"status":5../g))).toEqual(new Set(['"status":503']));

  await rm(ballast);
  await installation.expectRecovery('ConnectorAuthAuditNotWritten');
  expect(service?.child.exitCode).toBeNull();
});

test('one of two processes is killed, and is started again a minute later', async () => {
  const server = await startServer();
  const installation = await startInstallation(`${server.url}/postgres`, 2);
  const [first] = installation.services;
  const failuresBefore = installation.failures();
  first?.child.kill('SIGKILL');
  expect(await first?.ended).toBe('SIGKILL');
  await installation.untilFiring('ConnectorAuthDown');
  // The other process has served all requests meanwhile.
  await installation.untilMoreAreAcknowledged();
  expect(installation.failures()).toBe(failuresBefore);
  await installation.restart(0).url;
  await installation.expectRecovery('ConnectorAuthDown');
});
