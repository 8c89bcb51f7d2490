/** Kinds that the service loads by `KINDS`: what their connectors do while they are loaded, gone, and back. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client } from '@connector-auth/api/client';
import { kinds } from '@connector-auth/connectors';
import { Client as PostgresClient } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { acmeKey, startAcmeVendor } from '../../connectors/test/acme-vendor.ts';
import { fullTest } from '../../scripts/full-test.ts';
import { runCommandLine } from '../src/cli/run.ts';
import { makeDatabase, makeEmptyDatabase, makeFolder } from './engines.ts';
import { application, environmentOf, startServiceHere, startServiceProcess } from './service-process.ts';
import { testTerminal } from './test-terminal.ts';
import { until } from './until.ts';

// Starts several processes, one after the other.
vi.setConfig({ testTimeout: 240_000 });

const kindFile = join(import.meta.dirname, '../../connectors/examples/acme-crm.ts');
const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

/** Makes a folder outside the workspace, from which none of our packages can be found. */
async function makeOutside(): Promise<string> {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  return folder;
}

async function makePostgres(make: (engine: 'postgres') => ReturnType<typeof makeDatabase>) {
  const { location, remove } = await make('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('The engine is a server');
  const { databaseUrl } = location;
  const query = async (text: string): Promise<unknown[]> => {
    const client = new PostgresClient({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return { query, environment: environmentOf(location) };
}

function clientOf(url: string): Client {
  return createClient({
    baseUrl: url,
    clientId: application.BOOTSTRAP_CLIENT_ID,
    clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
  });
}

const searchAll = { entity: 'contacts', action: 'search' as const, params: { query: {}, limit: 50 } };

fullTest(
  'a kind in a single file is a kind like any other, and its connectors outlast its absence',
  async () => {
    const folder = await makeOutside();
    const file = join(folder, 'acme-crm.ts');
    await cp(kindFile, file);
    const vendor = await startAcmeVendor();
    afterwards.push(() => vendor.close());
    const postgres = await makePostgres(makeDatabase);
    const environment = {
      ...postgres.environment,
      ...application,
      SANDBOX_URL: vendor.url,
      SYNC_INTERVAL_MINUTES: '1',
      ADMIN_TOKEN: 'an-admin-token-for-the-tests-of-kinds',
    };
    const admin = async (url: string, path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${environment.ADMIN_TOKEN}` };
      return (await fetch(`${url}/api/v1/admin/${path}`, { headers })).json();
    };
    const start = async () => {
      const running = startServiceProcess({ ...environment, KINDS: file });
      afterwards.push(() => running.child.kill('SIGKILL'));
      const url = await running.url;
      const stop = async (): Promise<void> => {
        running.child.kill('SIGTERM');
        await running.ended;
      };
      return { url, client: clientOf(url), stop };
    };
    const namesOf = async (client: Client, id: string): Promise<unknown> => {
      const { result } = await client.execute(id, searchAll);
      return (result as { data: { name: string }[] }).data.map(({ name }) => name);
    };
    const everyone = ['Ada', 'Grace', 'Alan', 'Barbara', 'Donald'];

    const first = await start();
    const { definitions } = await first.client.definitions.list();
    expect(definitions.map(({ connectorType }) => connectorType)).toEqual([
      'acme-crm',
      'gong',
      'google-ads',
      'granola',
      'tiktok-marketing',
    ]);
    const request = { customer_name: 'acme', connector_type: 'Acme CRM', credentials: { api_key: acmeKey } };
    const kept = await first.client.connectors.create({ ...request, name: 'Kept' });
    const deleted = await first.client.connectors.create({ ...request, name: 'Deleted' });
    const list = { entity: 'contacts', action: 'list' as const };
    expect((await first.client.execute(kept.id, list)).result).toMatchObject([
      { name: 'Ada' },
      { name: 'Grace' },
    ]);
    await until(async () => expect(await namesOf(first.client, kept.id)).toEqual(everyone));
    await until(async () => expect(await namesOf(first.client, deleted.id)).toEqual(everyone));

    // Search follows changes and deletions, without another full sync.
    const change = async (action: 'create' | 'update', params: Record<string, unknown>) =>
      (await first.client.execute(kept.id, { entity: 'contacts', action, params })).result as { id: string };
    const { id } = await change('create', { name: 'Alonzo' });
    expect(
      (await first.client.execute(kept.id, { entity: 'contacts', action: 'get', params: { id } })).result,
    ).toMatchObject({ name: 'Alonzo' });
    await first.client.connectors.sync(kept.id);
    await until(async () => expect(await namesOf(first.client, kept.id)).toContain('Alonzo'));
    vendor.delete('contacts', id);
    await first.client.connectors.sync(kept.id);
    await until(async () => expect(await namesOf(first.client, kept.id)).toEqual(everyone));
    expect(vendor.requests.some(request => request.startsWith('GET /contacts/deleted?'))).toBe(true);
    const deals = { ...searchAll, entity: 'deals' };
    const { result } = await first.client.execute(kept.id, deals);
    expect(result).toMatchObject({ data: [{ id: 9_223_372_036_854_775_800n }, {}, {}] });
    const openApi = await (await fetch(`${first.url}/openapi.json`)).text();
    expect(openApi).toContain('Acme CRM');
    const { cursor } = await first.client.call('listChanges', { query: { cursor: 'now' } });
    vendor.contacts = vendor.contacts.map(contact => ({ ...contact, score: contact.score + 1 }));
    await first.client.connectors.sync(kept.id);
    const scoresOf = async (client: Client): Promise<unknown> =>
      ((await client.execute(kept.id, searchAll)).result as { data: { score: unknown }[] }).data.map(
        ({ score }) => score,
      );
    await until(async () => expect(await scoresOf(first.client)).toEqual([1, 11, 21, 31, 41]));
    expect(await (await fetch(`${first.url}/docs/kinds/acme-crm/contacts`)).text()).toContain(
      'ID of the contact',
    );
    await first.stop();

    const without = await startServiceHere(environment);
    afterwards.push(() => without.close());
    const client = clientOf(without.url);
    const calls = vendor.count();
    const gone = { status: 'unavailable', connector_type: 'acme-crm', definition_id: kept.definition_id };
    expect((await client.connectors.list()).data).toMatchObject([gone, gone]);
    expect(
      (await client.connectors.list({ connector_type: 'acme-crm', status: 'unavailable' })).data,
    ).toHaveLength(2);
    expect((await client.connectors.list({ status: 'active' })).data).toEqual([]);
    expect(await admin(without.url, 'connectors?status=unavailable')).toMatchObject({
      data: [{ state: 'unavailable' }, { state: 'unavailable' }],
    });
    for (const use of [list, searchAll]) {
      await expect(client.execute(kept.id, use)).rejects.toMatchObject({ code: 'connector_unavailable' });
    }
    await expect(client.connectors.sync(kept.id)).rejects.toMatchObject({ code: 'connector_unavailable' });
    await expect(client.connectors.create({ ...request, name: 'New' })).rejects.toMatchObject({
      code: 'unknown_connector_type',
    });
    const limits = { allowed_sources: ['acme-crm'], replication_defaults: { 'acme-crm': { any: 1 } } };
    await client.tokens.mintScoped({ customer_name: 'acme', ...limits });
    expect((await client.connectors.update(kept.id, { name: 'Renamed' })).name).toBe('Renamed');
    await client.connectors.delete(deleted.id);
    const owners = 'select distinct "$connector" as id from records_acme_crm_contacts';
    await until(async () => expect(await postgres.query(owners)).toEqual([{ id: kept.id }]));
    expect(vendor.count()).toBe(calls);
    // A reader gets later what it cannot get now.
    const skipped: string[] = [];
    let skipping = cursor;
    await until(async () => {
      const page = await client.call('listChanges', { query: { cursor: skipping } });
      skipping = page.cursor;
      skipped.push(...page.changes.map(({ operation }) => operation));
      expect(skipped).toEqual(['disconnect']);
    });
    const terminal = testTerminal();
    await runCommandLine(['doctor'], { environment, terminal, kinds });
    expect(terminal.printed()).toContain('The connectors of acme-crm are not available');
    await without.close();

    // A newer version has one field more. What is stored can be searched before the next sync has filled it.
    const source = await readFile(file, 'utf8');
    await writeFile(
      file,
      source.replace('score: z.int().nullable(),', 'score: z.int().nullable(), city: text,'),
    );
    const second = await start();
    expect(await second.client.connectors.get(kept.id)).toMatchObject({ name: 'Renamed', status: 'active' });
    expect(await namesOf(second.client, kept.id)).toEqual(everyone);
    await until(async () => {
      const query = { cursor: skipping, connector_type: 'acme-crm' };
      const { changes } = await second.client.call('listChanges', { query });
      expect(changes.map(({ record }) => (record as { score: unknown } | null)?.score)).toEqual([
        1, 11, 21, 31, 41,
      ]);
    });
    vendor.contacts = vendor.contacts.map(contact => ({ ...contact, city: 'London' }));
    await second.client.connectors.sync(kept.id);
    await until(async () => {
      const { result } = await second.client.execute(kept.id, searchAll);
      expect((result as { data: unknown[] }).data[4]).toMatchObject({ name: 'Donald', city: 'London' });
    });
    await second.stop();
  },
);

test('kinds that are not valid stop the start with all their problems, before anything is migrated', async () => {
  const folder = await makeOutside();
  const source = await readFile(kindFile, 'utf8');
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const broken = await write('broken.ts', source.replace("hosts: ['api.acme-crm.example',", "hosts: ['*',"));
  const field = await write('field.ts', source.replace("text: ['name', 'email']", "text: ['nom']"));
  const taken = await write('taken.ts', source.replace("key: 'acme-crm'", "key: 'gran-ola'"));
  const syntax = await write('syntax.js', 'export default {');
  const postgres = await makePostgres(makeEmptyDatabase);
  const KINDS = [broken, field, taken, syntax, '@acme/missing'].join(', ');

  const service = startServiceProcess({ ...postgres.environment, PORT: 'http', KINDS });
  expect(await service.ended).toBe(1);
  const problems = [
    `KINDS: ${broken}: acme-crm: hosts.0: Must be a host name`,
    `KINDS: ${field}: acme-crm: entities.contacts.search.text: nom is not one of the fields`,
    `KINDS: ${taken}: gran-ola: key: Is also of granola: choose another one`,
    `KINDS: ${syntax}: Cannot be loaded: Unexpected`,
    'KINDS: @acme/missing: Cannot be loaded from',
  ];
  for (const problem of [...problems, 'PORT must be']) expect(service.stderr()).toContain(`  - ${problem}`);

  const kindProblems = problems.map(problem => `${problem} …`);
  for (const command of ['migrate', 'doctor']) {
    const terminal = testTerminal();
    const { environment } = postgres;
    expect(await runCommandLine([command], { environment, terminal, kinds, kindProblems })).toBe(1);
    for (const problem of problems) expect(terminal.printed() + terminal.noted()).toContain(problem);
  }
  const tables = `select count(*)::int as count from information_schema.tables where table_schema = 'public'`;
  expect(await postgres.query(tables)).toEqual([{ count: 0 }]);
});
