import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kinds } from '@connector-auth/connectors';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
import { copyDatabase, enginesInFull, fakeVersion, makeDatabase, runAsOwner } from '../../../test/engines.ts';
import { closedUrl } from '../../../test/scripted-admin-api.ts';
import {
  application,
  environmentOf,
  startServiceHere,
  startServiceProcess,
  type ServiceHere,
} from '../../../test/service-process.ts';
import { testTerminal } from '../../../test/test-terminal.ts';
import type { Environment } from '../../platform/config/environment.ts';
import type { DatabaseLocation } from '../../platform/database/database.ts';
import { runCommandLine } from '../run.ts';
import { clockFinding } from './check-database.ts';
import { proxyFinding } from './check-network.ts';
import type { Finding } from './finding.ts';

// Some tests start the service several times.
vi.setConfig({ testTimeout: 180_000 });

const isFull = process.env['TEST_FULL'] !== undefined;

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const running = new Set<ServiceHere>();
const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

/** Starts a service that runs until {@link stop} or the end of the test. */
async function start(environment: Environment): Promise<ServiceHere> {
  const service = await startServiceHere(environment);
  running.add(service);
  afterwards.push(() => stop(service));
  return service;
}

async function stop(service: ServiceHere): Promise<void> {
  if (running.delete(service)) await service.close();
}

/** Returns the environment of a service on a new database. Its databases are removed after the test. */
async function makeEnvironment(engine: 'postgres' | 'pglite' = 'postgres'): Promise<Environment> {
  const { location, remove } = await makeDatabase(engine);
  afterwards.push(remove);
  return environmentIn(location);
}

function environmentIn(location: DatabaseLocation): Environment {
  return { ...environmentOf(location), SANDBOX_URL: sandbox.url, VENDOR_RATE_LIMITS: 'off', PORT: '0' };
}

/** The parts of responses that the tests read. */
interface Body {
  readonly id: string;
  readonly access_token: string;
  readonly cursor: string;
  readonly data: readonly { readonly id: string }[];
  readonly secrets: readonly { readonly id: string }[];
}

/** Sends a request and returns the body of its response. */
async function send(
  service: ServiceHere,
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text || '{}') as Body;
}

async function tokenOf(service: ServiceHere): Promise<string> {
  const { access_token: token } = await send(service, 'POST', '/api/v1/account/applications/token', '', {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  return token;
}

/** Creates a connector for a customer, and returns its id. */
async function connect(service: ServiceHere, customer: string): Promise<string> {
  const { id } = await send(service, 'POST', '/api/v1/integrations/connectors', await tokenOf(service), {
    customer_name: customer,
    connector_type: 'granola',
    name: 'Notes',
    // Has few notes, which the service syncs meanwhile.
    credentials: { api_key: 'grn_sandbox_second' },
  });
  return id;
}

/** Runs `doctor` and returns its findings. */
async function examine(
  environment: Environment,
  ...args: readonly string[]
): Promise<{
  code: number;
  text: string;
  findings: readonly Finding[];
  find: (check: string, state?: Finding['state']) => Finding | undefined;
}> {
  const terminal = testTerminal();
  const code = await runCommandLine(['doctor', ...args, '--json'], { environment, terminal, kinds });
  const text = terminal.printed();
  const { findings } = JSON.parse(text) as { findings: Finding[] };
  return {
    code,
    text,
    findings,
    find: (check, state) =>
      findings.find(finding => finding.check === check && (state === undefined || finding.state === state)),
  };
}

test('reports all configuration errors, and everything that can be checked without a valid configuration', async () => {
  const environment = await makeEnvironment();
  const { code, text, find } = await examine({ ...environment, PORT: 'http', SIGNING_KEYS: 'hush' });
  expect(code).toBe(1);
  expect(text).toContain('PORT must be a port number');
  expect(text).toContain('SIGNING_KEYS must be id:base64');
  expect(text).not.toContain('hush');
  expect(find('database')?.state).toBe('ok');
});

test('says that the server is too old, without checks that need a newer one', async () => {
  const place = await makeDatabase('postgres');
  afterwards.push(place.remove);
  await fakeVersion(place, 15);
  const { code, find } = await examine(environmentOf(place.location));
  expect(code).toBe(1);
  expect(find('database')).toMatchObject({
    state: 'problem',
    message: 'PostgreSQL 15 is too old.',
    advice: 'Upgrade the server to version 17 or later.',
  });
  expect(find('rights')).toBeUndefined();
});

test('warns if the service may open more connections than the server has free', async () => {
  const { find } = await examine({ ...(await makeEnvironment()), DATABASE_CONNECTIONS: '10000' });
  expect(find('database', 'warning')).toMatchObject({
    message: expect.stringMatching(/has \d+ free connections, and the service opens up to 10000\./) as string,
    advice: 'Raise max_connections of the server, or lower DATABASE_CONNECTIONS.',
  });
});

test('prints the findings with what to do, and how many there are', async () => {
  const terminal = testTerminal();
  const environment = { DATABASE_URL: `postgres://me:hush@${new URL(await closedUrl()).host}/x` };
  expect(await runCommandLine(['doctor'], { environment, terminal, kinds })).toBe(1);
  expect(terminal.printed()).toMatch(/^problem +database +The server cannot be reached: .*ECONNREFUSED/m);
  expect(terminal.printed()).toMatch(/^ +→ Check DATABASE_URL/m);
  expect(terminal.printed()).toMatch(/3 problems, 0 warnings, \d not checked\.$/);
  expect(terminal.printed()).not.toContain('hush');
});

fullTest(
  'finds no problem with a service that is running, which says how requests arrive only to its keys',
  async () => {
    const environment = await makeEnvironment();
    const service = await start(environment);
    const { url } = service;
    const { code, text, find } = await examine({ ...environment, PUBLIC_URL: url });
    expect([code, text]).toEqual([0, expect.not.stringContaining('"state": "problem"')]);
    for (const check of ['configuration', 'database', 'clock', 'rights', 'notifications', 'schema', 'keys']) {
      expect(find(check)?.state, check).toBe('ok');
    }
    expect(find('proxies')?.message).toContain('passes 0 proxies');
    expect(find('vendors')?.message).toContain('sandbox');
    for (const name of ['ENCRYPTION_KEYS', 'SIGNING_KEYS']) {
      expect(text).not.toContain(environment[name]?.slice(3));
    }

    const wrong = `${Date.now()}.${'0'.repeat(64)}`;
    for (const check of ['', 'x', wrong]) {
      const response = await fetch(`${url}/healthz/forwarding`, {
        headers: { 'connector-auth-check': check },
      });
      expect(response.status).toBe(404);
    }
    const otherKeys = { ...environment, SIGNING_KEYS: `s1:${Buffer.alloc(32, 9).toString('base64')}` };
    const other = await examine({ ...otherKeys, PUBLIC_URL: url });
    expect(other.find('public url', 'warning')?.message).toContain(
      'does not have the first of these SIGNING_KEYS',
    );
  },
);

describe('behind a proxy', () => {
  /** Starts a proxy that adds its client to `X-Forwarded-For`, as nginx does. */
  async function startProxy(target: string): Promise<string> {
    const server = createServer((request, response) => {
      const { port, hostname } = new URL(target);
      const forwardedFor = [request.headers['x-forwarded-for'], request.socket.remoteAddress];
      const headers = { ...request.headers, 'x-forwarded-for': forwardedFor.filter(Boolean).join(', ') };
      const { method, url: path } = request;
      request.pipe(
        httpRequest({ hostname, port, method, path, headers }, answer => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    afterwards.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  // The judgement of other numbers is tested below.
  test.each<[string, Finding['state'], string]>([
    ['1', 'ok', 'passes 1 proxies'],
    ['2', 'problem', 'Clients can choose the address'],
    ...(isFull
      ? [['0', 'problem', 'Limits count all clients as one'] as [string, Finding['state'], string]]
      : []),
  ])('with TRUSTED_PROXIES=%s reports "%s"', async (trusted, state, message) => {
    const environment = { ...(await makeEnvironment()), TRUSTED_PROXIES: trusted };
    const service = await start(environment);
    const { find, code } = await examine({ ...environment, PUBLIC_URL: await startProxy(service.url) });
    expect(find('proxies')).toMatchObject({ state, message: expect.stringContaining(message) as string });
    expect(code).toBe(state === 'ok' ? 0 : 1);
  });
});

test.each([
  [['192.0.2.1', '10.0.0.9'], '10.0.0.9', 1, 'ok'],
  // The first proxy replaces the header that it receives.
  [['10.0.0.9'], '10.0.0.9', 1, 'ok'],
  [['10.0.0.9', '10.0.0.8'], '10.0.0.9', 2, 'ok'],
  [['10.0.0.9', '10.0.0.8'], '10.0.0.9', 3, 'problem'],
  [['192.0.2.1', '10.0.0.9', '10.0.0.8'], '10.0.0.8', 1, 'problem'],
] as const)(
  'judges X-Forwarded-For %j with client %s and TRUSTED_PROXIES=%i',
  (entries, client, trusted, state) => {
    expect(proxyFinding({ forwarded_for: entries, client_address: client }, trusted).state).toBe(state);
  },
);

test.each([
  [3_600_000, 5, 'problem'],
  [-3_600_000, 5, 'problem'],
  [5_000, 5, 'warning'],
  [5_000, 4_900, 'ok'],
  [20, 5, 'ok'],
])('judges a clock that is %i ms ahead, measured within %i ms', (aheadMs, errorMs, state) => {
  expect(clockFinding({ ms: aheadMs, at: 0, errorMs }).state).toBe(state);
});

describe('the database', () => {
  async function query(environment: Environment, statements: string): Promise<void> {
    const client = new Client({ connectionString: environment['DATABASE_URL'] ?? '' });
    await client.connect();
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
  }

  test('reports organizations whose agents cannot sign in, because PUBLIC_URL has a path', async () => {
    const environment = await makeEnvironment();
    const PUBLIC_URL = `${await closedUrl()}/connect`;
    const find = async (url = PUBLIC_URL) =>
      (await examine({ ...environment, PUBLIC_URL: url })).find('agent sign-in');
    await query(environment, "insert into organizations (id, name) values (gen_random_uuid(), 'Acme')");
    expect(await find()).toBeUndefined();
    await query(environment, 'update organizations set agent_sign_in = true');
    expect(await find()).toMatchObject({ state: 'problem', message: expect.stringContaining('(Acme)') });
    expect(await find(await closedUrl())).toBeUndefined();
  });

  test('reports pending changes, and what the next start does', async () => {
    const environment = await makeEnvironment();
    const { code, find } = await examine(environment);
    // The copied database has no record tables yet.
    expect(find('schema')).toMatchObject({
      state: 'warning',
      advice: expect.stringContaining('migrate --plan') as string,
    });
    expect(code).toBe(0);
  });

  test('shows what new versions of kinds change, before anything is migrated', async () => {
    const environment = await makeEnvironment();
    const service = await start({ ...environment, ...application });
    await connect(service, 'acme');
    const changedFor = async (loaded: typeof kinds): Promise<readonly string[]> => {
      const terminal = testTerminal();
      await runCommandLine(['doctor', 'kinds', '--json'], { environment, terminal, kinds: loaded });
      const { findings } = JSON.parse(terminal.printed()) as { findings: Finding[] };
      return findings.map(({ state, message }) => `${state}: ${message}`);
    };
    const others = kinds.filter(({ key }) => key !== 'granola');
    const granola = kinds.find(({ key }) => key === 'granola');
    const notes = granola?.entities['notes'];
    if (granola === undefined || notes?.search === undefined) throw new Error('Granola has notes');
    const { search } = notes;
    const { title: _removed, object: _changed, ...fields } = search.fields;
    const withSearch = (changes: Partial<typeof search>) => ({
      ...granola,
      entities: { notes: { ...notes, search: { ...search, ...changes } }, folders: { ...notes, search } },
    });
    const changed = withSearch({
      fields: { ...fields, object: 'boolean', mood: 'string' },
      text: [],
      indexed: [],
      times: [],
    });
    const loaded = expect.stringContaining('ok: Loaded: ') as string;
    expect(await changedFor(kinds)).toEqual([loaded, 'ok: No entity or field changes.']);
    expect(await changedFor([...others, changed])).toEqual([
      loaded,
      'ok: granola.notes gets the field mood. The next full sync of each connector fills it.',
      'warning: granola.notes changes the type of object from string to boolean.',
      'warning: granola.notes no longer has the field title: searches neither return it nor accept it in filters.',
      'ok: granola.folders is new. Its first sync begins for 1 connector.',
    ]);
    expect(
      await changedFor([...others, withSearch({ fields: { ...search.fields, id: 'integer' } })]),
    ).toEqual([
      loaded,
      expect.stringContaining('problem: Field id identifies the records of granola.notes') as string,
    ]);
    expect(await changedFor([...others, { ...granola, entities: {} }])).toEqual([
      loaded,
      expect.stringMatching(/^warning: granola.notes is removed: its \d+ records? of 1 connector/) as string,
    ]);
    expect((await changedFor(others))[0]).toBe(
      'warning: The connectors of granola are not available, because this kind is not loaded (1 connector).',
    );
    await stop(service);
  });

  test('reports a role that lacks rights on tables', async () => {
    const environment = await makeEnvironment();
    const role = `reader_${crypto.randomUUID().slice(0, 8)}`;
    await query(
      environment,
      `create role ${role} login; grant select on all tables in schema public to ${role}`,
    );
    // Runs after the database was removed, because its tables refer to the role.
    afterwards.unshift(() => runAsOwner(`drop role ${role}`));
    const url = environment['DATABASE_URL']?.replace('//postgres@', `//${role}@`);
    const { code, find } = await examine({ ...environment, DATABASE_URL: url });
    expect(code).toBe(1);
    expect(find('rights')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('insert, update, delete on ') as string,
      advice: expect.stringContaining('GRANT') as string,
    });
  });

  fullTest('is not opened while PGlite belongs to a running service, which doctor says', async () => {
    const environment = await makeEnvironment('pglite');
    const { child, ended, url } = startServiceProcess(environment);
    afterwards.push(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    await url;
    const { code, find } = await examine(environment);
    expect(code).toBe(0);
    expect(find('database')).toMatchObject({
      state: 'skipped',
      message: expect.stringContaining('PGlite allows one process') as string,
    });
    expect(find('data folder')?.state).toBe('ok');
  });
});

test.each(enginesInFull)('compares the keys with the values on %s', async engine => {
  const environment = await makeEnvironment(engine);
  const service = await start({ ...environment, ...application });
  await connect(service, 'acme');
  await stop(service);

  const key = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`;
  const withKeys = async (keys: string) => await examine({ ...environment, ENCRYPTION_KEYS: keys });
  expect((await withKeys(key('e1', 1))).find('keys', 'problem')).toBeUndefined();
  expect((await withKeys(key('e2', 7))).find('keys', 'problem')?.message).toContain('not configured: e1');
  expect((await withKeys(key('e1', 7))).find('keys', 'problem')?.message).toContain('cannot be decrypted');
  const both = await withKeys(`${key('20200101-abcd', 7)},${key('e1', 1)}`);
  expect(both.text).toContain('The old encryption key e1 still encrypts 1 stored value.');
  expect(both.text).toMatch(/The encryption key 20200101-abcd is \d{4} days old/);
  const unused = await withKeys(`${key('e1', 1)},${key('e0', 7)}`);
  expect(unused.text).toContain('No stored value needs the old encryption key e0');
});

fullTest.each(enginesInFull)(
  'after a restore on %s, lists the changes that the database lacks',
  async engine => {
    const live = await makeDatabase(engine);
    afterwards.push(live.remove);
    const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    afterwards.push(() => rm(folder, { recursive: true }));
    const admin = 'an-admin-token-of-the-tests-0123456789';
    const run = (location: DatabaseLocation) =>
      start({ ...environmentIn(location), ...application, ADMIN_TOKEN: admin });
    const customer = "o'hara; $(touch x)";

    const earlier = await run(live.location);
    for (const name of ['gone before', 'gone', customer]) await connect(earlier, name);
    const connector = await connect(earlier, 'staying');
    const { data: organizations } = await send(earlier, 'GET', '/api/v1/admin/organizations', admin);
    const organization = organizations[0]?.id;
    const backend = await send(earlier, 'POST', '/api/v1/admin/applications', admin, {
      name: 'Backend',
      organization_ids: [organization],
    });
    const path = `/api/v1/admin/applications/${backend.id}`;
    const [secret] = (await send(earlier, 'GET', path, admin)).secrets;
    await send(earlier, 'DELETE', '/api/v1/customers/gone%20before', await tokenOf(earlier));
    await stop(earlier);
    const backup = await copyDatabase(live);
    afterwards.push(backup.remove);

    const later = await run(live.location);
    await send(later, 'DELETE', '/api/v1/customers/gone', await tokenOf(later));
    await send(later, 'DELETE', `${path}/secrets/${secret?.id}?force=true`, admin);
    await send(later, 'POST', `/api/v1/admin/connectors/${connector}/disable`, admin);
    const incident = { customer: { organization, name: customer } };
    await send(later, 'POST', '/api/v1/admin/incidents', admin, incident);
    await send(later, 'POST', '/api/v1/admin/keys', admin, { name: 'New', access: 'read' });
    const token = await tokenOf(later);
    const app = { client_id: 'c', client_secret: 'replaces-a-leaked-one' };
    const type = { connector_type: 'gong' };
    await send(later, 'PUT', '/api/v1/oauth/credentials', token, { ...type, configuration: app });
    await send(later, 'PATCH', '/api/v1/organization', token, { guest_connect_links: false });
    const credentials = { api_key: 'grn_sandbox_personal' };
    const created = await connect(later, 'new');
    const feed = '/api/v1/integrations/changes?cursor=';
    const { cursor } = await send(later, 'GET', `${feed}now`, token);
    await send(later, 'PATCH', `/api/v1/integrations/connectors/${created}`, token, { credentials });
    await stop(later);
    const [oldLog, newLog] = [join(folder, 'old.log'), join(folder, 'new.log')];
    await writeFile(oldLog, earlier.logged());
    // As `docker compose logs` writes it.
    await writeFile(newLog, later.logged().replaceAll(/^/gm, 'service-1  | '));

    const restored = environmentIn(backup.location);
    const without = await examine(restored, 'after-restore');
    expect(without.code).toBe(0);
    expect(without.find('audit log')?.message).toMatch(/^The last audit entry is from 2\d{3}-.*Z\./);
    expect(without.find('change feed', 'ok')?.message).toContain('cursor_expired');
    expect(without.find('log', 'skipped')?.advice).toContain('docker logs');
    const partly = await examine(restored, 'after-restore', newLog);
    expect(partly.find('log', 'warning')?.advice).toContain('give the earlier files too');

    const { code, findings, find } = await examine(restored, 'after-restore', newLog, oldLog);
    expect(code).toBe(0);
    expect(find('log', 'ok')?.message).toMatch(/^The database lacks 8 changes of the log/);
    const changes = findings.filter(({ check }) => check === 'change');
    const command = 'connector-auth-service admin';
    expect(changes.map(({ message, advice }) => [message.split(' ')[1], advice])).toEqual([
      [
        'customer.deleted',
        expect.stringMatching(/^connector-auth-service admin deleteCustomer --customer-id [\da-f-]{36}$/),
      ],
      [
        'client_secret.deleted',
        `${command} deleteSecret --application-id ${backend.id} --secret-id ${secret?.id}`,
      ],
      ['connector.disabled', `${command} disableConnector --connector-id ${connector}`],
      [
        'incident.declared',
        `${command} declareIncident --customer '{"organization":"${organization}","name":"o'\\''hara; $(touch x)"}'`,
      ],
      ['admin_key.created', 'Decide whether to repeat it.'],
      ['oauth_app.set', 'Decide whether to repeat it.'],
      ['organization.updated', 'Decide whether to repeat it.'],
      ['connector.reconnected', 'Decide whether to repeat it.'],
    ]);

    const again = await run(backup.location);
    const headers = { authorization: `Bearer ${await tokenOf(again)}` };
    const expired = await fetch(`${again.url}${feed}${cursor}`, { headers });
    expect([expired.status, await expired.json()]).toMatchObject([410, { code: 'cursor_expired' }]);
    const environment = { CONNECTOR_AUTH_URL: again.url, CONNECTOR_AUTH_ADMIN_KEY: admin };
    const terminal = testTerminal();
    const words = changes[0]?.advice?.split(' ').slice(1) ?? [];
    expect(await runCommandLine([...words, '--yes'], { environment, terminal, kinds })).toBe(0);
  },
);

test('after a restore, rejects files without lines of the log, and names those that cannot be read', async () => {
  const environment = await makeEnvironment();
  const service = await start(environment);
  await stop(service);
  const { code, find } = await examine(environment, 'after-restore', fileURLToPath(import.meta.url));
  expect(code).toBe(1);
  expect(find('log', 'problem')?.message).toContain('no line of the log');
  const terminal = testTerminal();
  const args = ['doctor', 'after-restore', '/nowhere.log'];
  expect(await runCommandLine(args, { environment, terminal, kinds })).toBe(1);
  expect(terminal.noted()).toContain('/nowhere.log cannot be read: ENOENT');
});
