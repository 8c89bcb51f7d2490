/**
 * Installs the service and a packed kind into an empty project, and uses the kind on each engine: also without it, with two of its
 * versions at the same time, with another type of a field, and with a second copy of our packages.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@connector-auth/api/client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { acmeKey, startAcmeVendor, type AcmeVendor } from '../../connectors/test/acme-vendor.ts';
import { packPackages } from '../../scripts/pack.ts';
import { startPostgres, type PostgresServer } from '../../service/test/postgres.ts';
import { until } from '../../service/test/until.ts';
import { root } from '../stack/processes.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-kinds-'));
const project = join(folder, 'project');
const source = readFileSync(join(root, 'connectors/examples/acme-crm.ts'), 'utf8');
const credentials = { BOOTSTRAP_CLIENT_ID: 'acme', BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests' };
let server: PostgresServer;
let vendor: AcmeVendor;
/** What each test begins with. */
let contacts: AcmeVendor['contacts'];
const afterwards: (() => unknown)[] = [];

beforeAll(async () => {
  const files = [...packPackages(['api', 'connectors', 'service'], makeFolder('ours'))];
  const dependencies = Object.fromEntries(files.map(([name, path]) => [name, `file:${path}`]));
  const kind = makeFolder('kind');
  writeFileSync(join(kind, 'index.js'), stripTypeScriptTypes(source));
  writeJson(join(kind, 'package.json'), {
    name: '@acme/crm-source',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    peerDependencies: { '@connector-auth/connectors': '*', zod: '^4' },
  });
  execFileSync('npm', ['pack', '--silent'], { cwd: kind });
  mkdirSync(project);
  writeJson(join(project, 'package.json'), {
    dependencies: {
      ...dependencies,
      '@acme/crm-source': `file:${join(kind, 'acme-crm-source-1.0.0.tgz')}`,
      '@electric-sql/pglite': '^0.5.16',
    },
    // Our packages are not in the registry yet.
    overrides: Object.fromEntries(files.map(([name]) => [name, `$${name}`])),
  });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--silent'], {
    cwd: project,
  });
  server = await startPostgres();
  vendor = await startAcmeVendor();
  ({ contacts } = vendor);
});
afterEach(async () => {
  vendor.contacts = contacts;
  for (const step of afterwards.splice(0).toReversed()) await step();
});
afterAll(async () => {
  await vendor.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['postgres', 'pglite'])(
  'the packed kind connects, syncs and outlasts its absence on %s',
  async engine => {
    const database = engine === 'postgres' ? server.url + '/postgres' : null;
    const environment = database === null ? { DATA_DIR: makeFolder('data') } : withServer(database);
    const first = await start(project, { ...environment, KINDS: '@acme/crm-source' });
    const { id } = await connect(first.client);
    await until(async () => expect(await namesOf(first.client, id)).toHaveLength(5));
    const mirror = await makeMirror(first.client);
    vendor.contacts = vendor.contacts.map((contact, index) =>
      index < 3 ? { ...contact, name: `${contact.name} II` } : contact,
    );
    await first.client.connectors.sync(id);
    await until(async () => expect(await namesOf(first.client, id)).toContain('Ada II'));
    await first.stop();

    // The mirror asks for the changes while no process can deliver them.
    const without = await start(project, environment);
    expect((await without.client.connectors.get(id)).status).toBe('unavailable');
    await mirror.follow(without.client);
    expect(mirror.names()).not.toContain('Ada II');
    await without.stop();

    const again = await start(project, { ...environment, KINDS: '@acme/crm-source' });
    expect((await again.client.connectors.get(id)).status).toBe('active');
    expect(await namesOf(again.client, id)).toHaveLength(5);
    await until(async () => {
      await mirror.follow(again.client);
      expect(mirror.names()).toEqual(await namesOf(again.client, id));
    });
    await again.stop();
  },
);

it.each(['postgres', 'pglite'])(
  'a field gets another type, and none of five searches a second fails on %s',
  async engine => {
    // The embedded database allows one process, so that there the versions follow each other.
    const isShared = engine === 'postgres';
    const ownServer = isShared ? await startPostgres() : null;
    afterwards.push(() => ownServer?.stop());
    const database = ownServer
      ? withServer(`${ownServer.url}/postgres`)
      : { DATA_DIR: makeFolder('changed') };
    // Nothing but requests of this test syncs.
    const environment = { ...database, KINDS: '@acme/crm-source', SYNC_INTERVAL_MINUTES: '60' };
    const newer = copyProject(`changed-${engine}`, text =>
      text.replace('score: z.int().nullable(),', 'score: z.coerce.string().nullable(),'),
    );
    const first = await start(project, environment);
    const { id } = await connect(first.client);
    const integers = [0, 10, 20, 30, 40];
    await until(async () => expect(await scoresOf(first.client, id)).toEqual(integers));
    const inFirst = searchRepeatedly(first.client, id);
    if (!isShared) await inFirst.stop().then(first.stop);
    expect(planOf(project, environment)).toEqual(['ok: No entity or field changes.']);
    const change = 'warning: acme-crm.contacts changes the type of score from';
    expect(planOf(newer, environment)).toEqual([`${change} integer to string.`]);

    const second = await start(newer, environment);
    const inSecond = searchRepeatedly(second.client, id);
    await until(() => expect(inSecond.found.length).toBeGreaterThan(5));
    expect(new Set(inSecond.found)).toEqual(new Set([String(integers)]));
    if (isShared) {
      // Each version finds what either of them has synced.
      vendor.contacts = [...vendor.contacts, { id: 'c5', name: 'Margaret', score: 50 }];
      await first.client.connectors.sync(id);
      for (const { client } of [first, second]) {
        await until(async () => expect((await scoresOf(client, id)).map(String)).toContain('50'));
      }
      await inFirst.stop().then(first.stop);
      expect(inFirst.failed).toEqual([]);
    }
    const texts = (await scoresOf(second.client, id)).map(String);
    await second.client.connectors.sync(id);
    await until(() => expect(inSecond.types.at(-1)).toBe('string'));
    await inSecond.stop();
    expect(inSecond.failed).toEqual([]);
    expect(inSecond.found.at(-1)).toEqual(String(texts));
    await second.stop();

    // The first start finds that no process needs the old column, and the next one drops it.
    for (const _start of [1, 2]) {
      const again = await start(newer, environment);
      expect(await scoresOf(again.client, id)).toEqual(texts);
      await again.stop();
    }
    expect(planOf(project, environment)).toEqual([`${change} string to integer.`]);
    const back = await start(project, environment);
    expect(await scoresOf(back.client, id)).toEqual(texts);
    await back.client.connectors.sync(id);
    await until(async () => expect(await scoresOf(back.client, id)).toEqual(texts.map(Number)));
    await back.stop();
  },
);

it('two versions of a kind write only the fields that each of them knows', async () => {
  const environment = { ...withServer(`${server.url}/postgres`), KINDS: '@acme/crm-source' };
  const newer = copyProject('newer', text =>
    text.replace('score: z.int().nullable(),', 'score: z.int().nullable(), city: text,'),
  );
  vendor.contacts = vendor.contacts.map(contact => ({ ...contact, city: 'London' }));
  const cities = async (client: Client, id: string) => {
    const { result } = await client.execute(id, search);
    return (result as { data: { city?: string }[] }).data.map(({ city }) => city);
  };

  const before = await start(project, environment);
  const { id } = await connect(before.client);
  await until(async () => expect(await namesOf(before.client, id)).toHaveLength(5));
  const after = await start(newer, environment);
  // Only this process may sync what fills the field.
  await before.stop();
  await after.client.connectors.sync(id);
  await until(async () => expect(await cities(after.client, id)).toEqual(Array(5).fill('London')));
  const older = await start(project, environment);
  vendor.contacts = vendor.contacts.map(contact => ({ ...contact, name: `${contact.name}!` }));
  await after.stop();
  await older.client.connectors.sync(id);
  await until(async () => expect(await namesOf(older.client, id)).toContain('Ada!'));
  expect(await cities(older.client, id)).toEqual(Array(5).fill(undefined));
  const last = await start(newer, environment);
  expect(await cities(last.client, id)).toEqual(Array(5).fill('London'));
  await last.stop();
  await older.stop();
});

it('a second copy of our packages, and TypeScript in a package, stop the start with what to do', () => {
  const twice = join(folder, 'twice');
  cpSync(project, twice, { recursive: true });
  const copy = 'node_modules/@acme/crm-source/node_modules/@connector-auth/connectors';
  cpSync(join(project, 'node_modules/@connector-auth/connectors'), join(twice, copy), { recursive: true });
  const typed = join(twice, 'node_modules/typed');
  mkdirSync(typed);
  writeFileSync(join(typed, 'index.ts'), source);
  writeJson(join(typed, 'package.json'), { name: 'typed', type: 'module', exports: './index.ts' });
  const { status, stderr } = run(twice, ['main.js'], {
    KINDS: '@acme/crm-source,typed',
    DATA_DIR: join(folder, 'no'),
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`loads a second copy of @connector-auth/connectors, from ${join(twice, copy)}`);
  expect(stderr).toContain(
    'KINDS: typed: Is TypeScript, which Node does not run in packages: publish JavaScript',
  );
});

it('the program for MCP knows the packed kind', () => {
  const entry = join('..', '..', 'connectors', 'dist', 'mcp', 'main.js');
  const { stderr } = run(project, [entry, '--kind', 'acme-crm'], { KINDS: '@acme/crm-source' });
  expect(stderr).toContain('Set the credentials in the environment: ACME_CRM_API_KEY');
});

const search = { entity: 'contacts', action: 'search' as const, params: { query: {}, limit: 50 } };

async function namesOf(client: Client, id: string): Promise<string[]> {
  const { result } = await client.execute(id, search);
  return (result as { data: { name: string }[] }).data.map(({ name }) => name);
}

async function scoresOf(client: Client, id: string): Promise<unknown[]> {
  const { result } = await client.execute(id, search);
  const { data } = result as { data: { id: string; score: unknown }[] };
  return data.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ score }) => score);
}

/** Searches five times a second until it is stopped. */
function searchRepeatedly(client: Client, id: string) {
  const [found, types, failed]: [string[], string[], unknown[]] = [[], [], []];
  const stopping = new AbortController();
  const searching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const scores = await scoresOf(client, id);
        found.push(String(scores));
        types.push(typeof scores[0]);
      } catch (error) {
        failed.push(error);
      }
      await delay(200);
    }
  })();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await searching;
  };
  return { found, types, failed, stop };
}

/** Copies the contacts as the guide about changes describes it. */
async function makeMirror(client: Client) {
  const contacts = new Map<string, string>();
  let { cursor } = await client.call('listChanges', { query: { cursor: 'now' } });
  for await (const connector of client.connectors.all({ connector_type: 'acme-crm' })) {
    const { result } = await client.execute(connector.id, search);
    for (const { id, name } of (result as { data: { id: string; name: string }[] }).data)
      contacts.set(id, name);
  }
  return {
    names: () => [...contacts.values()],
    follow: async (reader: Client): Promise<void> => {
      for (let hasMore = true; hasMore;) {
        const page = await reader.call('listChanges', { query: { cursor } });
        for (const { entity, operation, id, record } of page.changes) {
          // On a busy machine, the deals follow only now.
          if (entity !== 'contacts') continue;
          if (operation !== 'upsert' || id === null) throw new Error(`Unexpected ${operation}`);
          contacts.set(id, (record as { name: string }).name);
        }
        ({ cursor, has_more: hasMore } = page);
      }
    },
  };
}

/** Copies the project with a newer version of the kind. */
function copyProject(name: string, change: (text: string) => string): string {
  const copy = join(folder, name);
  cpSync(project, copy, { recursive: true });
  const changed = change(source);
  expect(changed).not.toBe(source);
  writeFileSync(join(copy, 'node_modules/@acme/crm-source/index.js'), stripTypeScriptTypes(changed));
  return copy;
}

/** Returns what `doctor kinds` says about the entities. */
function planOf(cwd: string, environment: Record<string, string>): string[] {
  const { stdout } = run(cwd, ['main.js', 'doctor', 'kinds', '--json'], environment);
  const { findings } = JSON.parse(stdout) as { findings: { state: string; message: string }[] };
  expect(findings[0]?.message).toMatch(/^Loaded: acme-crm|acme-crm\.$/);
  return findings.slice(1).map(({ state, message }) => `${state}: ${message}`);
}

function connect(client: Client) {
  return client.connectors.create({
    customer_name: 'acme',
    connector_type: 'acme-crm',
    name: 'CRM',
    credentials: { api_key: acmeKey },
  });
}

function withServer(databaseUrl: string) {
  const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
  return { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: `e1:${key(1)}`, SIGNING_KEYS: `s1:${key(2)}` };
}

/** Starts the installed service in the folder of a project. */
async function start(cwd: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join('node_modules/@connector-auth/service/dist/main.js')], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DRAIN_SECONDS: '0',
      BOOTSTRAP_ORGANIZATION: 'Acme',
      ...credentials,
      SANDBOX_URL: vendor.url,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterwards.push(() => child.kill('SIGKILL'));
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [line = ''] = /^.*"service_ready".*$/m.exec(output) ?? [];
      const [, url] = /"url":"([^"]+)"/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The service exited:\n${output}`)));
  });
  const client = createClient({
    baseUrl,
    clientId: credentials.BOOTSTRAP_CLIENT_ID,
    clientSecret: credentials.BOOTSTRAP_CLIENT_SECRET,
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { client, stop };
}

function run(cwd: string, [entry = '', ...args]: readonly string[], environment: Record<string, string>) {
  const main = join('node_modules/@connector-auth/service/dist', entry);
  const env = { PATH: process.env['PATH'], ...environment };
  return spawnSync(process.execPath, [main, ...args], { cwd, env, encoding: 'utf8' });
}

function makeFolder(name: string): string {
  return mkdtempSync(join(folder, `${name}-`));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}
