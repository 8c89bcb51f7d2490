import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../test/test-service.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { runCommandLine } from './run.ts';

onPostgresOrEachEngineInFull('admin commands of a real service', database => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(database());
  });
  afterAll(() => service.close());

  async function run(words: string, more: readonly string[] = [], key = adminToken) {
    const terminal = testTerminal();
    const environment = { CONNECTOR_AUTH_URL: service.url, CONNECTOR_AUTH_ADMIN_KEY: key };
    const args = ['admin', ...words.split(' '), ...more];
    const code = await runCommandLine(args, { environment, terminal, kinds: [] });
    return { code, out: terminal.printed(), err: terminal.noted() };
  }

  /** Runs a command that must succeed, and returns the response. */
  async function json(words: string, more: readonly string[] = []) {
    const { code, out, err } = await run(words, [...more, '--json']);
    expect([code, err.includes('Error')], err).toEqual([0, false]);
    // The shape is checked by the expectations of each test.
    return JSON.parse(out) as {
      id: string;
      client_id: string;
      client_secret: string;
      key: string;
      secrets: { id: string }[];
      data: unknown[];
    };
  }

  const tokenStatus = async (client_id: string, client_secret: string) => {
    const body = { client_id, client_secret };
    return (await service.ask('POST', '/api/v1/account/applications/token', { body })).status;
  };

  test('create an application, rotate its secret, and disable it', async () => {
    const { id: lumen } = await json('createOrganization --name Lumen');
    const created = await json(`createApplication --name Backend --organization-ids ${lumen}`);
    const application = `--application-id ${created.id}`;
    expect(await tokenStatus(created.client_id, created.client_secret)).toBe(200);

    const second = await json(`createSecret ${application}`);
    const { secrets } = await json(`getApplication ${application}`);
    expect(secrets).toHaveLength(2);
    const first = secrets.find(({ id }) => id !== second.id)?.id ?? '';
    expect(await tokenStatus(second.client_id, second.client_secret)).toBe(200);
    expect((await run(`deleteSecret ${application} --secret-id ${first} --yes`)).code).toBe(0);
    expect(await tokenStatus(created.client_id, created.client_secret)).toBe(401);
    const last = await run(`deleteSecret ${application} --secret-id ${second.id} --yes`);
    expect([last.code, last.err]).toEqual([1, expect.stringContaining('--force')]);

    expect((await run(`disableApplication ${application} --yes`)).code).toBe(0);
    expect(await tokenStatus(second.client_id, second.client_secret)).toBe(401);
    const { out } = await run(`getApplication ${application}`);
    expect(out).toMatch(/^status +disabled/m);
  });

  test('make one thing if they are repeated with the same idempotency key', async () => {
    const create = () => json('createOrganization --name Twice --idempotency-key one-and-only');
    const [first, second] = [await create(), await create()];
    expect(second.id).toBe(first.id);
    expect((await json('listOrganizations --search Twice')).data).toHaveLength(1);
  });

  test('report that someone else edited the same thing', async () => {
    const { id } = await json('createOrganization --name Edited');
    const edit = (interval: string, ...more: string[]) =>
      run(`editOrganization --organization-id ${id} --sync-interval-minutes ${interval}`, more);
    expect((await edit('15', '--version', '1')).code).toBe(0);
    const { code, err } = await edit('30', '--version', '1');
    expect([code, err]).toEqual([1, expect.stringContaining('(edit_conflict)')]);
    expect((await edit('30')).code).toBe(0);
  });

  test('say that a key may only read, and that a key is wrong', async () => {
    const { key } = await json('createAdminKey --name Reader --access read');
    expect((await run('listOrganizations', [], key)).code).toBe(0);
    const change = await run('createOrganization --name X', [], key);
    expect([change.code, change.err]).toEqual([
      1,
      expect.stringContaining('Use an admin key with write access'),
    ]);
    const wrong = await run('listOrganizations', [], 'not-a-key');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Check CONNECTOR_AUTH_ADMIN_KEY')]);
    expect(change.err + wrong.err).not.toContain(key);
  });

  test('export the audit log as lines, and continue with the cursor', async () => {
    const first = await json('createOrganization --name Audited');
    const exported = async (...options: string[]) => {
      const { out, err } = await run('exportAudit --action organization.created', options);
      const lines = out.split('\n').filter(line => line !== '');
      return {
        targets: lines.map(line => (JSON.parse(line) as { target_id: string }).target_id),
        cursor: /--cursor (\S+)/.exec(err)?.[1] ?? '',
      };
    };
    // Entries are written in batches, on PGlite once a second.
    const waitForBatch = { timeout: 30_000 };
    const { cursor } = await vi.waitFor(async () => {
      const all = await exported();
      expect(all.targets.at(-1)).toBe(first.id);
      return all;
    }, waitForBatch);
    expect((await exported('--cursor', cursor)).targets).toEqual([]);
    const second = await json('createOrganization', ['--name', 'Audited later']);
    await vi.waitFor(async () => {
      expect((await exported('--cursor', cursor)).targets).toEqual([second.id]);
    }, waitForBatch);
  });

  test.each([
    'getOverview',
    'getHealth',
    'getSession',
    'listCustomers',
    'listConnectors',
    'listSyncJobs',
    'listVendorQuotas',
    'listAdminKeys',
    'listAudit',
  ])('show %s', async words => {
    expect(await run(words)).toMatchObject({ code: 0 });
  });
});
