/**
 * Makes `../fixtures/earlier-version.json`: a database that an earlier version has filled, and the statements that it sends
 * while it serves requests and syncs. The statements follow on the database, so they can be sent to a copy of it in their order.
 *
 * Usage: node --conditions=source service/test/earlier-version/record.ts FOLDER
 * where FOLDER is a checkout of that version (bac8fb0), whose packages are installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type * as Sandbox from '@connector-auth/sandbox';
import { Client } from 'pg';
import { startPostgres } from '../postgres.ts';
import { application, environmentOf, inherited } from '../service-process.ts';
import { TestBrowser } from '../test-browser.ts';
import { adminToken } from '../test-service.ts';
import type { RecordedStatement, RecordedValue } from './record-statements.ts';

/** What the fixture contains. */
export interface EarlierVersion {
  /** When it was made, in milliseconds since 1970. */
  readonly madeAt: number;
  /** The last migration that the version knows. */
  readonly lastMigration: string;
  /** The statements that create the tables of the database, besides migrations. */
  readonly schema: readonly string[];
  /** The rows of each table, as JSON text, which keeps large integers. */
  readonly rows: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
  /** Transactions in the order in which they were committed. A statement is the position of its text, and its values. */
  readonly transactions: readonly (readonly (readonly [number, ...RecordedValue[]])[])[];
}

/** The number of records of each type of data in the fixture. */
const maxRecords = 3;
/** How often transactions with the same texts are kept. Those that store a page of records or only read are kept once. */
const maxRepetitions = 8;

const api = '/api/v1/integrations';
const allKinds = ['granola', 'gong', 'google-ads', 'tiktok-marketing'];
/** Limits the data of large accounts. */
const settings: Readonly<Record<string, object>> = {
  'tiktok-marketing': { advertiser_ids: ['6998112233445566778'], start_date: '2026-11-25' },
  'google-ads': { start_date: '2026-11-25' },
};

const folder = resolve(process.argv[2] ?? '');
const file = fileURLToPath(new URL('../fixtures/earlier-version.json', import.meta.url));
const temporary = await mkdtemp(join(tmpdir(), 'connector-auth-record-'));
const server = await startPostgres();
// The vendors as that version knows them.
const { startSandbox } = (await import(join(folder, 'sandbox/src/index.ts'))) as typeof Sandbox;
const sandbox = await startSandbox();
try {
  const postgres = await connect('postgres');
  await postgres.query('create database earlier');
  await postgres.end();
  await runService('filled', fill);
  const database = await connect('earlier');
  const rows = await readRows(database);
  await database.end();
  const migrations = await readdir(join(folder, 'service/src/database/migrations'));
  const schema = (await readStatements('filled'))
    .map(({ text }) => text)
    .filter(text => /^\s*create (table "|(unique )?index )|create schema|create_queue/i.test(text));
  await runService('used', use);
  const fixture: EarlierVersion = {
    madeAt: Date.now(),
    lastMigration: migrations.toSorted().at(-1)?.replace('.sql', '') ?? '',
    schema,
    rows,
    ...shorten(transactionsOf(await readStatements('used'))),
  };
  // One line for each statement, table and transaction.
  const members = Object.entries(fixture).map(
    ([name, value]: [string, unknown]) => `${JSON.stringify(name)}: ${inLines(value)}`,
  );
  await writeFile(file, `{\n${members.join(',\n')}\n}\n`);
} finally {
  await sandbox.close();
  await server.stop();
  await rm(temporary, { recursive: true });
}

function inLines(value: unknown): string {
  return Array.isArray(value)
    ? `[\n${value.map(element => JSON.stringify(element)).join(',\n')}\n]`
    : JSON.stringify(value);
}

async function connect(name: string): Promise<Client> {
  const client = new Client({ connectionString: `${server.url}/${name}` });
  await client.connect();
  return client;
}

/** Runs the earlier version while the work sends requests to it, and records its statements. */
async function runService(name: string, work: (service: Service) => Promise<void>): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      `--import=${new URL('record-statements.ts', import.meta.url).href}`,
      join(folder, 'service/src/main.ts'),
    ],
    {
      env: {
        ...inherited,
        ...environmentOf({ databaseUrl: `${server.url}/earlier` }),
        ...application,
        ADMIN_TOKEN: adminToken,
        OAUTH_GONG_CLIENT_ID: 'gong_sandbox_client',
        OAUTH_GONG_CLIENT_SECRET: 'gong_sandbox_client_secret',
        SANDBOX_URL: sandbox.url,
        PORT: '0',
        STATEMENTS_FILE: join(temporary, name),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const closed = once(child, 'close');
  const url = await new Promise<string>((found, reject) => {
    child.once('exit', () => reject(new Error('The service exited before it was ready')));
    createInterface({ input: child.stdout }).on('line', line => {
      // The service writes only JSON lines to standard output.
      const entry = JSON.parse(line) as { event: string; level?: string; url?: string };
      if (entry.event === 'service_ready') found(entry.url ?? '');
      if (entry.level === 'error') process.stderr.write(`${line}\n`);
    });
  });
  try {
    await work(serviceAt(url));
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

async function readStatements(name: string): Promise<RecordedStatement[]> {
  const lines = (await readFile(join(temporary, name), 'utf8')).trimEnd().split('\n');
  // Written by `record-statements.ts`.
  return lines.map(line => JSON.parse(line) as RecordedStatement);
}

/** Reads the rows of all tables of the service and of pg-boss. */
async function readRows(client: Client): Promise<Record<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relname <> 'migrations'
       and relnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
     order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const limit = name.startsWith('records_') ? `limit ${maxRecords}` : '';
    const { rows } = await client.query<{ rows: string | null }>(
      `select json_agg(to_json(t))::text as rows from (select * from ${name} ${limit}) t`,
    );
    if (rows[0]?.rows) found[name] = rows[0].rows.replaceAll('\n', '');
  }
  return found;
}

/** Puts the statements of each connection together that belong to a transaction. Drops what was rolled back. */
function transactionsOf(statements: readonly RecordedStatement[]): RecordedStatement[][] {
  const open = new Map<number, RecordedStatement[]>();
  const transactions: RecordedStatement[][] = [];
  for (const statement of statements) {
    const { connection, text } = statement;
    const transaction = open.get(connection);
    if (/^(begin|start transaction)/i.test(text)) open.set(connection, [statement]);
    else if (transaction === undefined) transactions.push([statement]);
    else {
      transaction.push(statement);
      if (!/^(commit|rollback)$/i.test(text)) continue;
      open.delete(connection);
      if (/^commit$/i.test(text)) transactions.push(transaction);
    }
  }
  return transactions;
}

/** Drops transactions that repeat others. */
function shorten(
  transactions: readonly RecordedStatement[][],
): Pick<EarlierVersion, 'texts' | 'transactions'> {
  const texts = new Map<string, number>();
  const repetitions = new Map<string, number>();
  const kept: EarlierVersion['transactions'][number][] = [];
  for (const transaction of transactions) {
    const key = transaction.map(({ text }) => text).join('\n');
    const repeated = repetitions.get(key) ?? 0;
    repetitions.set(key, repeated + 1);
    const isRead = transaction.every(({ text }) => /^(begin|commit|set|select)/i.test(text));
    const isPage = key.includes('insert into "records_');
    if (repeated >= (isRead || isPage ? 1 : maxRepetitions)) continue;
    kept.push(
      transaction.map(({ text, values }) => {
        const position = texts.get(text) ?? texts.size;
        texts.set(text, position);
        return [position, ...values] as const;
      }),
    );
  }
  return { texts: [...texts.keys()], transactions: kept };
}

type Service = ReturnType<typeof serviceAt>;

/** Returns functions that send requests to the service, as backends and operators do. */
function serviceAt(url: string) {
  // oxlint-disable-next-line typescript/no-explicit-any -- the scenario reads a few members
  const ask = async (method: string, path: string, token?: string, body?: object): Promise<any> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  };
  const admin = (method: string, path: string, body?: object) =>
    ask(method, `/api/v1/admin${path}`, adminToken, body);
  const tokenOf = async (id: string, secret: string): Promise<string> => {
    const body = { client_id: id, client_secret: secret };
    return (await ask('POST', '/api/v1/account/applications/token', undefined, body)).access_token;
  };
  return { url, ask, admin, tokenOf };
}

/** Creates connectors of these kinds for a customer, and waits until everything is synced. */
async function connectAll(service: Service, token: string, customer: string, kinds: readonly string[]) {
  const ids = new Map<string, string>();
  for (const kind of kinds) {
    const { id } = await service.ask('POST', `${api}/connectors`, token, {
      customer_name: customer,
      connector_type: kind,
      name: `${kind} of ${customer}`,
      credentials: goodCredentials(kind),
      replication_config: settings[kind],
    });
    ids.set(kind, id);
  }
  await untilSynced(service, token, [...ids.values()]);
  return ids;
}

async function untilSynced(service: Service, token: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (;;) {
      const { sync } = await service.ask('GET', `${api}/connectors/${id}`, token);
      if (sync.status === 'ready') break;
      await delay(200);
    }
  }
}

function goodCredentials(kind: string): object {
  const vendor = sandbox.control.vendors().find(({ key }) => key === kind);
  return vendor?.credentials.find(({ works }) => works)?.values ?? {};
}

/** Adds a connector of each kind, a link, keys and tokens, and a second organization. */
async function fill(service: Service): Promise<void> {
  const { ask, admin, tokenOf } = service;
  const token = await tokenOf(application.BOOTSTRAP_CLIENT_ID, application.BOOTSTRAP_CLIENT_SECRET);
  const ids = await connectAll(service, token, 'first', allKinds);
  await connectAll(service, token, 'second', ['granola']);
  await useConnector(service, token, ids.get('granola') ?? '');
  const organization = { connect_helper_url: 'https://app.example/connector-auth' };
  await ask('PATCH', '/api/v1/organization', token, organization);
  const link = await ask('POST', `${api}/connect-links`, token, { customer_name: 'first' });
  await ask('GET', `${api}/connect-links/${link.id}`, token);
  await ask('POST', '/api/v1/account/applications/scoped-token', token, { customer_name: 'first' });
  const { id: other } = await admin('POST', '/organizations', { name: 'Other' });
  const created = await admin('POST', '/applications', { name: 'Other', organization_ids: [other] });
  await connectAll(service, await tokenOf(created.client_id, created.client_secret), 'first', [
    'granola',
    'gong',
  ]);
  await admin('POST', '/keys', { name: 'Ada', access: 'write' });
  const { data } = await admin('GET', '/customers');
  await admin('POST', `/customers/${data[0].id}/revoke-tokens`);
}

async function useConnector({ ask }: Service, token: string, id: string): Promise<void> {
  const execute = (body: object) => ask('POST', `${api}/connectors/${id}/execute`, token, body);
  await execute({ entity: 'notes', action: 'list', params: { page_size: 2 } });
  await execute({ entity: 'notes', action: 'search', params: { query: {}, limit: 2 } });
}

/** Sends a request to each endpoint whose statements depend on what is stored. */
async function use(service: Service): Promise<void> {
  const { ask, admin, tokenOf, url } = service;
  const token = await tokenOf(application.BOOTSTRAP_CLIENT_ID, application.BOOTSTRAP_CLIENT_SECRET);
  const ids = await connectAll(service, token, 'third', allKinds);
  const [granola = '', gong = ''] = ids.values();
  await useConnector(service, token, granola);
  for (const path of ['organizations', 'organization', 'customers', 'integrations/connectors'])
    await ask('GET', `/api/v1/${path}`, token);
  await ask('PATCH', '/api/v1/organization', token, { sync_interval_minutes: 120 });
  const connector = `${api}/connectors/${granola}`;
  await ask('PATCH', connector, token, { name: 'Renamed' });
  for (const path of ['activity', 'accounts']) await ask('GET', `${connector}/${path}`, token);
  for (const path of ['check', 'sync']) await ask('POST', `${connector}/${path}`, token, {});
  for (const kind of ['scoped', 'widget']) {
    const body = { customer_name: 'third', allowed_origin: kind === 'widget' ? url : undefined };
    await ask('POST', `/api/v1/account/applications/${kind}-token`, token, body);
  }
  const browser = new TestBrowser({ url }, url);
  const started = await ask('POST', `${api}/connectors/oauth/initiate`, token, {
    customer_name: 'third',
    connector_type: 'gong',
    redirect_url: 'http://127.0.0.1/connected',
  });
  const done = await browser.consent(started, 'http://127.0.0.1/connected');
  await ask('POST', `${api}/connectors`, token, {
    customer_name: 'third',
    connector_type: 'gong',
    name: 'By OAuth',
    server_side_oauth_secret_id: new URL(done).searchParams.get('secret_id'),
  });
  await browser.leave();
  const link = await ask('POST', `${api}/connect-links`, token, { customer_name: 'third' });
  await (await fetch(link.url)).text();
  await ask('DELETE', `${api}/connect-links/${link.id}`, token);
  await admin('POST', '/organizations', { name: 'Third' });
  for (const path of [
    'overview',
    'organizations',
    'applications',
    'customers',
    'connectors',
    'sync-jobs',
    'vendor-quotas',
    'keys',
    'audit',
    'audit/export',
    'incidents',
  ])
    await admin('GET', `/${path}`);
  for (const path of ['sync', 'disable', 'enable']) await admin('POST', `/connectors/${gong}/${path}`);
  await untilSynced(service, token, [granola, gong]);
  const { id: incident } = await admin('POST', '/incidents', { kind: 'tiktok-marketing' });
  for (const path of ['', '/receipts']) await admin('GET', `/incidents/${incident}${path}`);
  await admin('POST', `/incidents/${incident}/undo`);
  const { data } = await admin('GET', '/customers');
  const third = data.find(({ name }: { name: string }) => name === 'third');
  await admin('POST', `/customers/${third.id}/revoke-tokens`);
  await admin('DELETE', `/connectors/${gong}`);
  // Waits until the records of the deleted connector are deleted, and the audit log is written.
  await delay(6_000);
}
