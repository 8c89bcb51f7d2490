/**
 * Installs the service and a packed kind into an empty project, and uses the kind on each engine: also without it, with two of its
 * versions at the same time, and with a second copy of our packages.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    dependencies: { ...dependencies, '@acme/crm-source': `file:${join(kind, 'acme-crm-source-1.0.0.tgz')}` },
    // Our packages are not in the registry yet.
    overrides: Object.fromEntries(files.map(([name]) => [name, `$${name}`])),
  });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--silent'], {
    cwd: project,
  });
  server = await startPostgres();
  vendor = await startAcmeVendor();
});
afterEach(async () => {
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
    await first.stop();

    const without = await start(project, environment);
    expect((await without.client.connectors.get(id)).status).toBe('unavailable');
    await without.stop();

    const again = await start(project, { ...environment, KINDS: '@acme/crm-source' });
    expect((await again.client.connectors.get(id)).status).toBe('active');
    expect(await namesOf(again.client, id)).toHaveLength(5);
    await again.stop();
  },
);

it('two versions of a kind write only the fields that each of them knows', async () => {
  const environment = { ...withServer(`${server.url}/postgres`), KINDS: '@acme/crm-source' };
  const newer = join(folder, 'newer');
  cpSync(project, newer, { recursive: true });
  const changed = source.replace('score: z.int().nullable(),', 'score: z.int().nullable(), city: text,');
  expect(changed).not.toBe(source);
  writeFileSync(join(newer, 'node_modules/@acme/crm-source/index.js'), stripTypeScriptTypes(changed));
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
  vendor.contacts = vendor.contacts.map(contact => ({ ...contact, name: `${contact.name ?? ''}!` }));
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
