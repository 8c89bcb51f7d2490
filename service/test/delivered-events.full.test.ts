import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { hashOf, type ConsumerOptions } from './consumer.ts';
import { makeEmptyDatabase, type TestDatabase } from './engines.ts';
import { goodKey } from './example-requests.ts';
import { freePort, startPostgres, type PostgresServer } from './postgres.ts';
import { application, inherited, startKillableService } from './service-process.ts';
import { until } from './until.ts';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 240_000 });

const notesPerConnector = 5_000;
const wantedEvents = 1_000;

let sandbox: RunningSandbox;
let server: PostgresServer;
let ownDatabase: TestDatabase;
beforeAll(async () => {
  [sandbox, server, ownDatabase] = await Promise.all([
    startSandbox(),
    startPostgres(),
    makeEmptyDatabase('postgres'),
  ]);
});
afterAll(async () => {
  await Promise.all([sandbox.close(), server.stop(), ownDatabase.remove()]);
});

/** A consumer that can be killed and started again. */
function startConsumer(options: ConsumerOptions) {
  const start = (): ChildProcess => {
    const script = fileURLToPath(new URL('consumer.ts', import.meta.url));
    return spawn(process.execPath, ['--conditions=source', script, JSON.stringify(options)], {
      env: inherited,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  };
  let child = start();
  const end = async (): Promise<void> => {
    // Otherwise, it has ended by itself, because its cursor has expired.
    expect(child.exitCode).toBeNull();
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    kill: async () => {
      await end();
      child = start();
    },
    stop: end,
  };
}

test('a consumer misses nothing, although service, database and consumer are killed in turns', async () => {
  if (!('databaseUrl' in ownDatabase.location)) throw new Error('A PostgreSQL server has a URL');
  const databaseUrl = `${server.url}/postgres`;
  const [servicePort, consumerPort] = [await freePort(), await freePort()];
  const service = await startKillableService({ databaseUrl }, sandbox.url, { PORT: String(servicePort) });
  const webhook = await service.client.call('createWebhook', {
    body: { url: `http://127.0.0.1:${consumerPort}/events` },
  });
  const options: ConsumerOptions = {
    databaseUrl: ownDatabase.location.databaseUrl,
    port: consumerPort,
    webhookSecret: webhook.secret,
    service: {
      baseUrl: `http://127.0.0.1:${servicePort}`,
      clientId: application.BOOTSTRAP_CLIENT_ID,
      clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    },
  };
  const consumer = startConsumer(options);
  const stored = new Pool({ connectionString: options.databaseUrl });
  onTestFinished(async () => {
    await consumer.stop();
    await service.stop();
    await stored.end();
  });
  const inConsumer = async (query: string): Promise<readonly Record<string, unknown>[]> =>
    (await stored.query<Record<string, unknown>>(query)).rows;
  await until(async () => expect(await inConsumer('select from cursors')).toHaveLength(1));

  const connect = async (name: string, api_key: string): Promise<string> => {
    const body = { customer_name: name, connector_type: 'granola', name, credentials: { api_key } };
    return (await service.client.connectors.create(body)).id;
  };
  // One transaction stays open, so that nothing can be read meanwhile.
  const open = new Client({ connectionString: databaseUrl });
  await open.connect();
  await open.query('begin');
  await open.query('select pg_current_xact_id()');
  const openedAt = performance.now();
  const ids = [];
  for (const name of ['one', 'two', 'three', 'four']) ids.push(await connect(name, 'grn_sandbox_large'));
  const toggled = await connect('five', goodKey);
  const [disconnected, ...mirrored] = [...ids, toggled];

  /** Runs a statement of the service's database again until it succeeds. */
  const inService = (query: string, values: readonly unknown[] = []) =>
    until(async () => {
      const client = new Client({ connectionString: databaseUrl });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(query, [...values])).rows;
      } finally {
        await client.end();
      }
    });
  const countEvents = async () =>
    Number((await inService('select count(*) from webhook_events'))[0]?.['count']);
  const over = new AbortController();
  const changing = (async () => {
    while (!over.signal.aborted || (await countEvents()) < wantedEvents) {
      for (const value of ['now()', 'null']) {
        await inService(`update connectors set disabled_at = ${value} where id = $1`, [toggled]);
        await delay(20);
      }
    }
  })();

  const kills = { service: 0, consumer: 0, database: 0 };
  const killSoon = async (what: keyof typeof kills): Promise<void> => {
    // Kills after some progress, whatever is running at that time.
    const before = await countEvents();
    await until(async () => expect(await countEvents()).toBeGreaterThan(before + 15));
    if (what === 'service') await service.kill();
    else if (what === 'consumer') await consumer.kill();
    else await server.crash('SIGKILL');
    kills[what] += 1;
  };
  while (performance.now() - openedAt < 60_000) {
    await killSoon('service');
    await killSoon('consumer');
  }
  await open.query('commit');
  await open.end();
  for (let round = 0; round < 4; round += 1) {
    if (round === 2) await until(() => service.client.connectors.delete(disconnected));
    await killSoon('database');
    await killSoon('service');
    await killSoon('consumer');
  }
  over.abort();
  await changing;
  expect(Math.min(...Object.values(kills))).toBeGreaterThanOrEqual(4);

  await until(async () => {
    for (const id of mirrored) {
      expect((await service.client.connectors.get(id)).sync.status).toBe('ready');
    }
  });
  const expected = new Map<string, string>();
  for (const connectorId of mirrored) {
    for (let cursor: string | null = null, hasMore = true; hasMore;) {
      const { result } = await service.client.execute(connectorId, {
        entity: 'notes',
        action: 'search',
        params: { query: {}, limit: 1000, ...(cursor === null ? {} : { cursor }) },
      });
      const { data, meta } = result as {
        data: { id: string }[];
        meta: { cursor: string | null; has_more: boolean };
      };
      for (const record of data) expected.set(`${connectorId} ${record.id}`, hashOf(record));
      ({ cursor, has_more: hasMore } = meta);
    }
  }
  expect(expected.size).toBeGreaterThan(notesPerConnector * (ids.length - 1));
  await until(async () => {
    const rows = await inConsumer(`select connector || ' ' || id as key, hash from mirror`);
    expect(rows).toHaveLength(expected.size);
    expect(new Map(rows.map(({ key, hash }) => [key, hash]))).toEqual(expected);
  });
  await until(async () => {
    // Repeats at once what would be repeated in minutes or hours.
    await inService(`update webhook_deliveries set due_at = now() where due_at > now() and attempts > 0`);
    const received = (await inConsumer('select id from events')).map(({ id }) => String(id));
    const inserted = (await inService('select id::text from webhook_events')).map(({ id }) => String(id));
    expect(inserted.length).toBeGreaterThanOrEqual(wantedEvents);
    expect(inserted.filter(id => !received.includes(id))).toEqual([]);
  });
});
