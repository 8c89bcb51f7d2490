import { createClient, type Client } from '@connector-auth/api/client';
import { startSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { Client as PostgresClient } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { openNotifications } from '../src/platform/notifications/notifications.ts';
import { makeDatabase, openTestDatabase } from './engines.ts';
import { startPgBouncer, type PgBouncer } from './pgbouncer.ts';
import { application, environmentOf, startServiceHere, type ServiceHere } from './service-process.ts';
import { until } from './until.ts';

/** Runs the service behind PgBouncer in transaction mode, as Debian packages it. */

const adminToken = 'admin-token-behind-a-pooler-0123456789';
const afterwards: (() => Promise<unknown>)[] = [];
let directUrl: string;
beforeEach(async () => {
  const place = await makeDatabase('postgres');
  afterwards.push(place.remove);
  if (!('databaseUrl' in place.location)) throw new Error('PostgreSQL has a URL');
  directUrl = place.location.databaseUrl;
});
afterEach(async () => {
  for (const stop of afterwards.splice(0).toReversed()) await stop();
});

async function startPooler(settings: readonly string[] = []): Promise<PgBouncer> {
  const pooler = await startPgBouncer(settings);
  afterwards.push(pooler.stop);
  return pooler;
}

async function connect(url: string): Promise<PostgresClient> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  afterwards.push(() => client.end());
  return client;
}

describe.each([
  ['defaults', []],
  ['a single connection', ['default_pool_size = 1']],
  ['connections in turn', ['server_round_robin = 1', 'min_pool_size = 3']],
  ['ignored startup parameters', ['ignore_startup_parameters = options,extra_float_digits']],
])('behind a pooler with %s', (_name, settings) => {
  test('the service does not start without the direct URL, and says what to set', async () => {
    const pooler = await startPooler(settings);
    const databaseUrl = pooler.urlOf(directUrl);
    await expect(startServiceHere(environmentOf({ databaseUrl }))).rejects.toThrow(
      /DATABASE_URL leads to a pooler in transaction mode.* set DIRECT_DATABASE_URL/,
    );
    await expect(
      startServiceHere({ ...environmentOf({ databaseUrl }), DIRECT_DATABASE_URL: databaseUrl }),
    ).rejects.toThrow(/DATABASE_URL leads to a pooler in transaction mode/);
  });
});

test('a pooler in session mode needs no direct URL', async () => {
  const pooler = await startPooler(['pool_mode = session', 'default_pool_size = 40']);
  const service = await startServiceHere(environmentOf({ databaseUrl: pooler.urlOf(directUrl) }));
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await service.close();
});

test('the service does not start if the direct URL leads to another database', async () => {
  const pooler = await startPooler();
  const other = await makeDatabase('postgres');
  afterwards.push(other.remove);
  const databaseUrl = pooler.urlOf(directUrl);
  await expect(
    startServiceHere({ ...environmentOf(other.location), DIRECT_DATABASE_URL: directUrl }),
  ).rejects.toThrow('DIRECT_DATABASE_URL leads to another database than DATABASE_URL');
  const service = await startServiceHere({
    ...environmentOf({ databaseUrl }),
    DIRECT_DATABASE_URL: directUrl,
  });
  await service.close();
});

test('two processes connect, sync and notify each other through a pooler, and leave no lock and no setting', async () => {
  const pooler = await startPooler(['default_pool_size = 4']);
  const sandbox = await startSandbox({ rateLimits: false });
  afterwards.push(() => sandbox.close());
  const start = async (): Promise<{ service: ServiceHere; client: Client }> => {
    const service = await startServiceHere({
      ...environmentOf({ databaseUrl: pooler.urlOf(directUrl) }),
      DIRECT_DATABASE_URL: directUrl,
      ...application,
      ADMIN_TOKEN: adminToken,
      SANDBOX_URL: sandbox.url,
      VENDOR_RATE_LIMITS: 'off',
    });
    const client = createClient({
      baseUrl: service.url,
      clientId: application.BOOTSTRAP_CLIENT_ID,
      clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
      timeoutMs: 60_000,
    });
    return { service, client };
  };
  const one = await start();
  const other = await start();

  const { id } = await one.client.connectors.create({
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  const list = () => one.client.execute(id, { entity: 'notes', action: 'list' });
  await list();
  await until(async () => {
    const found = await other.client.execute(id, {
      entity: 'notes',
      action: 'search',
      params: { query: {} },
    });
    expect(found.result).toMatchObject({ data: expect.arrayContaining([expect.anything()]) as unknown });
  });
  await fetch(`${other.service.url}/api/v1/admin/connectors/${id}/disable`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
  });
  await until(() => expect(list()).rejects.toMatchObject({ code: 'connector_disabled' }));

  const direct = await connect(directUrl);
  await Promise.all([one.service.close(), other.service.close()]);
  expect(one.service.logged()).not.toMatch(/"event":"(?:signal|database_connection)/);
  const { rows: pooled } = await direct.query(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(pooled.length).toBeGreaterThan(1);
  const { rows: locks } = await direct.query(
    `select pid, objid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(locks).toEqual([]);
  // All connections of the pooler at the same time, in transactions that keep them.
  const clients = await Promise.all(pooled.map(() => connect(pooler.urlOf(directUrl))));
  for (const client of clients) await client.query('begin');
  const settingsOf = async (client: PostgresClient): Promise<unknown> =>
    (
      await client.query(`select array(select name || '=' || setting from pg_settings where name in
        ('jit', 'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'search_path')) as all`)
    ).rows;
  const fresh = await settingsOf(await connect(directUrl));
  for (const client of clients) expect(await settingsOf(client)).toEqual(fresh);
  for (const client of clients) await client.query('rollback');
});

describe('a database behind a pooler', () => {
  let database: Database;
  beforeEach(async () => {
    const pooler = await startPooler();
    database = await openTestDatabase(
      { databaseUrl: pooler.urlOf(directUrl), directUrl },
      { statementTimeoutMs: 7_000 },
    );
    afterwards.push(() => database.close());
  });
  const current = sql<{ value: string }>`
    select concat_ws(' ', current_setting('statement_timeout'), current_setting('jit'), current_setting('timezone')) as value`;

  test('limits each statement, in and outside of transactions, and commits', async () => {
    const { kysely } = database;
    expect((await current.execute(kysely)).rows).toEqual([{ value: '7s off UTC' }]);
    const changes = await kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async transaction => {
        await sql`set local enable_nestloop = off`.execute(transaction);
        return await current.execute(transaction);
      });
    expect(changes.rows).toEqual([{ value: '7s off UTC' }]);
    await sql`create table kept (id int primary key)`.execute(kysely);
    await sql`insert into kept values (${1}::int)`.execute(kysely);
    await expect(sql`insert into kept values (${1}::int)`.execute(kysely)).rejects.toThrow('kept_pkey');
    await expect(
      kysely.transaction().execute(async transaction => {
        await sql`insert into kept values (${2}::int)`.execute(transaction);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await sql`select id from kept`.execute(kysely)).rows).toEqual([{ id: 1 }]);
  });

  test('delivers a notification to another process', async () => {
    const [sender, receiver] = [1, 2].map(() => openNotifications(database, directUrl, silentLog));
    if (sender === undefined || receiver === undefined) throw new Error('There are two');
    afterwards.push(
      () => sender.close(),
      () => receiver.close(),
    );
    await until(() => expect(receiver.livenessId()).not.toBeNull());
    const listener = receiver.listen('topic');
    // The connection wakes all listeners when it is open.
    await listener.next(1);
    const woken = listener.next(2_000_000);
    await sender.notify('topic');
    await woken;
  });
});
