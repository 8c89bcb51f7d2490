import { describe, expect, test } from 'vitest';
import { problemReply, startScriptedApi, type AdminCall, type Reply } from '../../test/scripted-admin-api.ts';
import { testTerminal, type TestTerminal } from '../../test/test-terminal.ts';
import { adminOperations } from './admin.ts';
import { runCommandLine } from './run.ts';

const key = 'cak_a_key_for_the_tests';
const acme = '0192f0c1-0000-4000-8000-000000000001';
const other = '0192f0c1-0000-4000-8000-000000000002';

/** Runs a command against an API that answers with a function. */
async function run(
  args: readonly string[],
  answer: (call: AdminCall, count: number) => Reply | null,
  terminal: TestTerminal = testTerminal(),
) {
  const { url, calls } = await startScriptedApi(answer);
  const environment = { CONNECTOR_AUTH_URL: url, CONNECTOR_AUTH_ADMIN_KEY: key };
  const code = await runCommandLine(['admin', ...args], { environment, terminal, kinds: [] });
  return { code, calls, out: terminal.printed(), err: terminal.noted() };
}

test.each([...adminOperations])('admin %s --help explains its fields without an admin key', async name => {
  const terminal = testTerminal();
  expect(await runCommandLine(['admin', name, '--help'], { environment: {}, terminal, kinds: [] })).toBe(0);
  expect(terminal.printed()).toContain(`Usage: connector-auth-service admin ${name}`);
});

describe('requests', () => {
  test('take their path, query and body from options, and show a secret once', async () => {
    const { code, calls, out, err } = await run(
      ['createApplication', '--name', 'Backend', '--organization-ids', acme, '--organization-ids', other],
      () => ({ status: 201, body: { id: other, client_id: 'c1', client_secret: 's3cr3t' } }),
    );
    expect([code, calls.length]).toEqual([0, 1]);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/admin/applications',
      headers: { authorization: `Bearer ${key}` },
      body: { name: 'Backend', organization_ids: [acme, other] },
    });
    expect(out).toMatch(/^client_secret +s3cr3t$/m);
    expect(err).toContain('client_secret is shown only now');
    const list = await run(['listConnectors', '--status', 'frozen'], () => ({ body: { data: [] } }));
    expect(list.calls[0]).toMatchObject({ path: '/api/v1/admin/connectors', query: { status: 'frozen' } });
  });

  test('read JSON from the standard input, so that no secret is an argument', async () => {
    const { calls } = await run(
      ['setOAuthApp', '--organization-id', acme, '--type', 'gong', '--configuration', '@-'],
      () => ({ body: { connector_type: 'gong' } }),
      testTerminal({ input: '{"client_id": "c", "client_secret": "s"}' }),
    );
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      path: `/api/v1/admin/organizations/${acme}/oauth-apps/gong`,
      body: { configuration: { client_id: 'c', client_secret: 's' } },
    });
  });

  test('do not read files for text, which they would put into a URL or a name', async () => {
    const file = import.meta.filename;
    const { calls } = await run(['listOrganizations', '--search', `@${file}`], () => ({
      body: { data: [] },
    }));
    expect(calls[0]?.query).toEqual({ search: `@${file}` });
    const named = await run(['createOrganization', '--name', '@acme'], () => ({ status: 201, body: {} }));
    expect(named.calls[0]?.body).toEqual({ name: '@acme' });
  });

  test('edit the current version, or the one that the operator has seen', async () => {
    const answer = (): Reply => ({ body: { id: acme, name: 'Acme', version: 3 } });
    const edit = ['editOrganization', '--organization-id', acme, '--display-name', 'null'];
    const bodyOf = async (args: readonly string[]) => (await run(args, answer)).calls.at(-1)?.body;
    expect(await bodyOf([...edit, '--sync-interval-minutes', '15'])).toEqual({
      version: 3,
      display_name: null,
      sync_interval_minutes: 15,
    });
    expect(await bodyOf([...edit, '--version', '2'])).toEqual({ version: 2, display_name: null });
  });

  test('say how to repeat a change whose outcome is unknown', async () => {
    const create = ['createOrganization', '--name', 'Acme'];
    const { code, err, calls } = await run(create, () => problemReply(503, 'overloaded'));
    const sent = String(calls[0]?.headers['idempotency-key']);
    expect([code, calls.length]).toEqual([3, 1]);
    expect(err).toContain(`--idempotency-key ${sent}`);
    const again = await run([...create, '--idempotency-key', sent], () => ({
      status: 201,
      body: { id: acme },
    }));
    expect(again.calls[0]?.headers['idempotency-key']).toBe(sent);
  });
});

describe('results', () => {
  const connector = {
    id: acme,
    name: 'Sales \u001B[31m\u009B calls',
    organization: { id: other, name: 'Acme' },
    disabled_at: null,
  };

  test('are a table with the names of what an item refers to, and say how to continue', async () => {
    const { out, err } = await run(['listConnectors'], () => ({
      body: { data: [connector], meta: { cursor: 'next', has_more: true } },
    }));
    expect(out.split('\n').map(line => line.split(/ {2,}/))).toEqual([
      ['id', 'name', 'organization'],
      [acme, 'Sales �[31m� calls', 'Acme'],
    ]);
    expect(err).toContain('--cursor next');
  });

  test('are the JSON of the response with --json, without control characters', async () => {
    const body = { data: [connector], meta: { cursor: null, has_more: false } };
    const { out } = await run(['listConnectors', '--json'], () => ({ body }));
    const exported = await run(['exportAudit', '--limit', '1'], () => ({
      text: `${JSON.stringify(connector)}\n`,
      headers: { 'x-next-cursor': '1' },
    }));
    expect([JSON.parse(out), JSON.parse(exported.out)]).toEqual([body, connector]);
    expect(out + exported.out).not.toContain('\u009B');
  });

  test('of an export are the lines as the service sent them, with as many requests as needed', async () => {
    const lines = Array.from({ length: 10_003 }, (_, index) => `{"id":"${index}"}`);
    const answer = ({ query }: AdminCall): Reply => {
      const first = Number(query['cursor'] ?? 0);
      const chunk = lines.slice(first, first + Number(query['limit']));
      return {
        text: chunk.map(line => `${line}\n`).join(''),
        headers: { 'x-next-cursor': `${first + chunk.length}` },
      };
    };
    const { code, out, err } = await run(['exportAudit'], answer);
    expect([code, out.split('\n')]).toEqual([0, lines]);
    expect(err).toContain('--cursor 10003');
    const part = await run(['exportAudit', '--limit', '2', '--cursor', '1'], answer);
    expect(part.out.split('\n')).toEqual(lines.slice(1, 3));
  });
});

describe('what takes something away', () => {
  const answer = (): Reply => ({ body: { id: acme, status: 'disabled' } });
  const disable = ['disableOrganization', '--organization-id', acme];

  test('asks first', async () => {
    const confirmed = await run(disable, answer, testTerminal({ answers: ['yes'] }));
    expect([confirmed.code, confirmed.calls.length]).toEqual([0, 1]);
    expect(confirmed.err).toContain(acme);
    const cancelled = await run(disable, answer, testTerminal({ answers: ['no'] }));
    expect([cancelled.code, cancelled.calls.length]).toEqual([2, 0]);
    expect(cancelled.err).toContain('Nothing was changed');
  });

  test('needs --yes without a terminal', async () => {
    const { code, calls, err } = await run(disable, answer);
    expect([code, calls.length]).toEqual([2, 0]);
    expect(err).toContain('--yes');
    expect((await run([...disable, '--yes'], answer)).code).toBe(0);
  });
});

describe('errors', () => {
  test('name the option of an invalid value before anything is sent', async () => {
    const melted = await run(['listConnectors', '--status', 'melted'], () => ({}));
    expect([melted.code, melted.calls.length]).toEqual([2, 0]);
    expect(melted.err).toContain('--status: ');
    const blank = await run(['createOrganization', '--name', ' '], () => ({}));
    expect(blank.err).toContain('--name: Must not be blank');
    const text = await run(['createOrganization', '--name', 'a', '--sync-interval-minutes', 'x'], () => ({}));
    expect([text.code, text.calls.length]).toEqual([2, 0]);
    expect(text.err).toContain('--sync-interval-minutes');
    const file = await run(['declareIncident', '--customer', '@missing'], () => ({}));
    expect(file.err).toContain('--customer names a file that cannot be read');
  });

  test('contain the problem, its fields and what to do', async () => {
    const { code, err } = await run(['createOrganization', '--name', 'Acme'], () =>
      problemReply(422, 'malformed_request', { errors: [{ path: 'name', message: 'Is \u001B[31m red' }] }),
    );
    expect(code).toBe(1);
    expect(err).toBe('Error: The request is invalid (malformed_request)\n  name: Is �[31m red');
    const denied = await run(['listOrganizations'], () => problemReply(403, 'admin_access_insufficient'));
    expect(denied.err).toContain('Use an admin key with write access');
  });

  test.each([
    ['CONNECTOR_AUTH_URL', { CONNECTOR_AUTH_ADMIN_KEY: key }],
    ['CONNECTOR_AUTH_ADMIN_KEY', { CONNECTOR_AUTH_URL: 'http://localhost' }],
    ['CONNECTOR_AUTH_URL', { CONNECTOR_AUTH_URL: 'ftp://localhost', CONNECTOR_AUTH_ADMIN_KEY: key }],
  ])('name %s if it is missing or invalid', async (name, environment) => {
    const terminal = testTerminal();
    expect(await runCommandLine(['admin', 'listOrganizations'], { environment, terminal, kinds: [] })).toBe(
      2,
    );
    expect(terminal.noted()).toContain(name);
  });

  test('say that the service cannot be reached, without the key', async () => {
    const { code, err } = await run(['listOrganizations'], () => null);
    expect(code).toBe(3);
    expect(err).toContain('Cannot reach the service');
    expect(err).not.toContain(key);
  });

  test('do not follow a redirect with the key', async () => {
    const { code, calls, err } = await run(['listOrganizations'], () => ({
      status: 302,
      headers: { location: 'http://127.0.0.1:1/' },
    }));
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain("Check that CONNECTOR_AUTH_URL is the service's URL");
  });

  test('suggest the operation that was meant', async () => {
    const { err, code } = await run(['listOrganisations'], () => ({}));
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      'Unknown operation "listOrganisations". Did you mean listOrganizations?',
    ]);
  });
});
