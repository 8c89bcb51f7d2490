import { PassThrough } from 'node:stream';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client as Database } from 'pg';
import { Client, type Dispatcher } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase } from './engines.ts';
import { goodKey } from './example-requests.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

/** A service with two workers, which both serve requests at the start of each test. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const path = '/api/v1/integrations/connectors';
const listNotes = { entity: 'notes', action: 'list', params: { page_size: 1 } };
/** The minimum for two workers. */
const maxConnections = 10;

/** A connection to the service. One worker serves all requests on it. */
interface Connection {
  readonly worker: number;
  readonly client: Client;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape that it reads
  readonly body: any;
}

interface LogLine {
  readonly event: string;
  readonly worker?: number;
  readonly pid?: number;
  readonly request_id?: string;
  readonly listening?: string;
}

let sandbox: RunningSandbox;
let place: TestDatabase;
let service: ServiceProcess;
let url: string;
let database: Database;
let token: string;
const clients: Client[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  place = await makeDatabase('postgres');
  if (!('databaseUrl' in place.location)) throw new Error('A server has a URL');
  database = new Database({ connectionString: place.location.databaseUrl });
  await database.connect();
  service = startServiceProcess({
    ...environmentOf(place.location),
    ...application,
    WORKERS: '2',
    DATABASE_CONNECTIONS: String(maxConnections),
    METRICS_PORT: '0',
    SANDBOX_URL: sandbox.url,
    VENDOR_RATE_LIMITS: 'off',
  });
  const allReady = service.logged('workers_ready');
  url = await service.url;
  await allReady;
  const body = {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  };
  token = (await send(connect(), 'POST', '/api/v1/account/applications/token', { body })).body.access_token;
});
afterAll(async () => {
  await Promise.all(clients.map(client => client.destroy()));
  service.child.kill('SIGTERM');
  await service.ended;
  await database.end();
  await place.remove();
  await sandbox.close();
});

/** Returns the lines with this event, in the order in which they were logged. */
function linesOf(event: string): LogLine[] {
  const lines = service.stdout().split('\n');
  // The service writes only JSON lines, each from one worker.
  return lines.map(line => JSON.parse(line) as LogLine).filter(line => line.event === event);
}

function connect(): Client {
  const client = new Client(url);
  clients.push(client);
  return client;
}

async function send(
  client: Dispatcher,
  method: Dispatcher.HttpMethod,
  address: string,
  { body, bearer = token }: { body?: object; bearer?: string | undefined } = {},
): Promise<Reply> {
  const response = await client.request({
    method,
    path: address,
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: body instanceof PassThrough || body === undefined ? (body ?? null) : JSON.stringify(body),
  });
  const text = await response.body.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  const { statusCode: status, headers } = response;
  return { status, headers, requestId: String(headers['x-request-id']), body: parsed };
}

/** Opens one connection to each worker. */
async function connectToEach(): Promise<readonly [Connection, Connection]> {
  const found = new Map<number, Client>();
  while (found.size < 2) {
    const client = connect();
    const { requestId } = await send(client, 'GET', '/unknown');
    const line = await until(() => {
      const logged = linesOf('request').find(({ request_id }) => request_id === requestId);
      expect(logged).toBeDefined();
      return logged;
    });
    found.set(line?.worker ?? NaN, client);
  }
  const [one, other] = [...found].map(([worker, client]) => ({ worker, client }));
  if (one === undefined || other === undefined) throw new Error('There are two workers');
  return [one, other];
}

async function createConnector(client: Client, customer: string): Promise<string> {
  const body = {
    customer_name: customer,
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: goodKey },
  };
  const created = await send(client, 'POST', path, { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.id;
}

async function readMetric(name: string): Promise<number> {
  const [line] = linesOf('metrics_ready');
  const text = await (await fetch(`${line?.listening}/metrics`)).text();
  const value = text.split('\n').find(each => each.startsWith(`${name} `));
  return Number(value?.slice(name.length));
}

test('each line of the log says which worker wrote it', () => {
  expect(linesOf('service_ready').map(({ worker }) => worker)).toEqual([1, 2]);
  expect(linesOf('workers_ready')[0]?.worker).toBeUndefined();
  expect(service.stderr()).toBe('');
});

test('both workers serve requests, and share the limits and the database connections', async () => {
  const [one, other] = await connectToEach();
  const scoped = await send(one.client, 'POST', '/api/v1/account/applications/scoped-token', {
    body: { customer_name: 'limits' },
  });
  for (const { client } of [one, other]) {
    // Enough to open as many connections as the worker may.
    const bearer = scoped.body.token as string;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => {
        const parallel = connect();
        return send(parallel, 'GET', path, { bearer });
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { headers } = await send(client, 'GET', path, { bearer });
    expect(headers['ratelimit-policy']).toContain('"customer";q=10');
  }
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like 'connector-auth%'`,
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(maxConnections);
});

test('tokens that one worker revokes are rejected by the other', async () => {
  const [one, other] = await connectToEach();
  await createConnector(one.client, 'leaving');
  const { body } = await send(one.client, 'POST', '/api/v1/account/applications/scoped-token', {
    body: { customer_name: 'leaving' },
  });
  const bearer: string = body.token;
  for (const { client } of [one, other])
    expect((await send(client, 'GET', path, { bearer })).status).toBe(200);
  expect((await send(one.client, 'DELETE', '/api/v1/customers/leaving')).status).toBe(204);
  expect((await send(one.client, 'GET', path, { bearer })).status).toBe(401);
  await until(async () => expect((await send(other.client, 'GET', path, { bearer })).status).toBe(401));
});

test('a connector that one worker deletes can no longer be executed in the other, which had it in memory', async () => {
  const [one, other] = await connectToEach();
  const id = await createConnector(one.client, 'acme');
  const execute = async ({ client }: Connection): Promise<number> =>
    (await send(client, 'POST', `${path}/${id}/execute`, { body: listNotes })).status;
  expect([await execute(one), await execute(other)]).toEqual([200, 200]);
  expect((await send(one.client, 'DELETE', `${path}/${id}`)).status).toBe(204);
  expect(await execute(one)).toBe(404);
  await until(async () => expect(await execute(other)).toBe(404));
});

test('the metrics of any worker are those of all, also after one was killed and replaced', async () => {
  const counted = (): Promise<number> =>
    readMetric('connector_auth_request_duration_seconds_count{method="GET",route="none",status="404"}');
  const [one, other] = await connectToEach();
  const before = await counted();
  for (const { client } of [one, one, other]) await send(client, 'GET', '/unknown');
  // Each request is counted when its response has been sent.
  await until(async () => expect(await counted()).toBe(before + 3));
  expect(await Promise.all([counted(), counted()])).toEqual([before + 3, before + 3]);
  expect(await readMetric('connector_auth_audit_writable')).toBe(1);

  const killed = linesOf('worker_ready').find(({ worker }) => worker === one.worker);
  const replaced = service.logged('worker_ready');
  process.kill(killed?.pid ?? NaN, 'SIGKILL');
  await replaced;
  expect(linesOf('worker_exited')).toMatchObject([
    { worker: one.worker, was_ready: true, reason: 'SIGKILL' },
  ]);
  const total = await counted();
  expect(total).toBe(before + 3);
  // The connections of the other worker were not interrupted.
  expect((await send(other.client, 'GET', path)).status).toBe(200);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await send(connect(), 'GET', path)).status),
  );
  expect(statuses).toEqual(Array(20).fill(200));
  const workers = (await connectToEach()).map(({ worker }) => worker);
  expect(workers).not.toContain(one.worker);
});

test('a stop finishes the running requests of all workers, and loses no log line and no audit entry', async () => {
  const both = await connectToEach();
  const running = both.map(({ client }, index) => {
    const body = new PassThrough();
    body.write('{"customer_name": "last", ');
    const reply = send(client, 'POST', path, { body });
    return { body, reply, name: `Notes ${index}` };
  });
  // When the workers have responded on other connections, they have received the requests from before.
  await connectToEach();
  service.child.kill('SIGTERM');
  await until(() => {
    const stopping = linesOf('service_stopping').flatMap(({ worker }) => worker ?? []);
    expect(new Set(stopping)).toEqual(new Set(both.map(({ worker }) => worker)));
  });
  for (const { body, name } of running) {
    body.end(`"connector_type": "granola", "name": "${name}", "credentials": {"api_key": "${goodKey}"}}`);
  }
  const replies = await Promise.all(running.map(({ reply }) => reply));
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  expect(await service.ended).toBe(0);
  const requestIds = replies.map(({ requestId }) => requestId);
  expect(linesOf('request').map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(requestIds));
  const { rows } = await database.query<{ request_id: string }>(
    `select request_id from audit_entries where action = 'connector.created' and request_id = any($1)`,
    [requestIds],
  );
  expect(rows).toHaveLength(2);
  expect(linesOf('service_stopped')).toHaveLength(2);
  expect(service.stderr()).toBe('');
});

test('the service does not start if a worker cannot, and says why', async () => {
  const failed = startServiceProcess({
    ...environmentOf({ databaseUrl: 'postgres://me:hush@127.0.0.1:1/agent' }),
    WORKERS: '2',
  });
  expect(await failed.ended).toBe(1);
  const [reason, consequence] = failed
    .stderr()
    .split('\n')
    .filter(line => !line.startsWith('  '));
  expect(reason).toContain('Cannot start the service: Cannot connect to the database');
  expect(consequence).toBe('The service stops, because one of its WORKERS cannot start: exit code 1');
  expect(failed.stderr() + failed.stdout()).not.toContain('hush');
});
