import { describe, expect, test } from 'vitest';
import {
  closedUrl,
  problemReply,
  startScriptedApi,
  type AdminCall,
  type Reply,
} from '../../../test/scripted-admin-api.ts';
import { testTerminal, type TestTerminal } from '../../../test/test-terminal.ts';
import { runCommandLine } from '../run.ts';
import { adminCommands } from './commands.ts';

const key = 'cak_a_key_for_the_tests';
const acme = '0192f0c1-0000-4000-8000-000000000001';
const other = '0192f0c1-0000-4000-8000-000000000002';
const lastPage = { cursor: null, has_more: false };

/** Runs a command against an API that answers with a function. */
async function run(
  args: readonly string[],
  answer: (call: AdminCall, count: number) => Reply | null,
  terminal: TestTerminal = testTerminal(),
) {
  const { url, calls } = await startScriptedApi(answer);
  const environment = { CONNECTOR_AUTH_URL: url, CONNECTOR_AUTH_ADMIN_KEY: key };
  const code = await runCommandLine(['admin', ...args], { environment, terminal, kinds: [] });
  return { code, calls, out: terminal.printed(), err: terminal.noted(), url };
}

const organizations = (call: AdminCall): Reply => ({
  body: {
    data: [
      { id: acme, name: 'Acme', version: 3, status: 'active' },
      { id: other, name: 'Acme Labs', version: 1, status: 'active' },
    ].filter(({ name }) => name.includes(call.query['search'] ?? '')),
    meta: lastPage,
  },
});

test('there is one command for every endpoint that an admin key can call', () => {
  const names = adminCommands().map(({ words }) => words.join(' '));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      'organizations list',
      'organizations create',
      'organizations disable',
      'organizations oauth-apps set',
      'applications secrets create',
      'customers revoke-tokens',
      'connectors resync',
      'keys create',
      'audit export',
      'incidents declare',
      'incidents receipts list',
      'incidents undo',
      'session sign-out',
    ]),
  );
});

test.each(adminCommands().map(command => [command.words.join(' ')] as const))(
  'admin %s --help explains the command without an admin key',
  async words => {
    const terminal = testTerminal();
    const args = ['admin', ...words.split(' '), '--help'];
    expect(await runCommandLine(args, { environment: {}, terminal, kinds: [] })).toBe(0);
    expect(terminal.printed()).toContain(`Usage: connector-auth-service admin ${words}`);
  },
);

describe('lists', () => {
  test('prints a table that fits the terminal, with the names of what an item refers to', async () => {
    const answer = (): Reply => ({
      body: {
        data: [
          {
            id: acme,
            name: 'Sales calls',
            organization: { id: other, name: 'Acme' },
            customer: { id: other, name: 'globex' },
            connector_type: 'gong',
            status: 'frozen',
            last_error: 'x'.repeat(200),
            created_at: '2026-11-22T17:00:12.345Z',
            disabled_at: null,
          },
        ],
        meta: lastPage,
      },
    });
    const { code, out, calls } = await run(
      ['connectors', 'list', '--status', 'frozen'],
      answer,
      testTerminal({ columns: 60 }),
    );
    expect(code).toBe(0);
    expect(calls[0]).toMatchObject({ path: '/api/v1/admin/connectors', query: { status: 'frozen' } });
    expect(calls[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(out).toBe(
      'NAME         STATUS  CONNECTOR_TYPE  ORGANIZATION  CUSTOMER\n' +
        'Sales calls  frozen  gong            Acme          globex',
    );
    const wide = await run(['connectors', '--wide'], answer, testTerminal({ columns: 60 }));
    expect(wide.out).toContain(acme);
    expect(wide.out).toContain('2026-11-22 17:00Z');
    expect(wide.out).toContain('x'.repeat(200));
  });

  test('fits 120 columns without a terminal, with whole client ids, and names what is left out', async () => {
    const clientId = 'ca_app_0123456789abcdef';
    const application = {
      id: acme,
      version: 1,
      name: 'An application with a name that is much too long for its column',
      client_id: clientId,
      status: 'disabled',
      managed_by: 'operator',
      organizations: [
        { id: acme, name: 'Acme' },
        { id: other, name: 'Acme Laboratories and their subsidiaries' },
      ],
      redirect_urls: [`https://acme.example/${'x'.repeat(100)}`, 'https://acme.example/back'],
      secrets: [{ id: other, created_at: '2026-11-22T17:00:12.345Z' }],
      created_at: '2026-11-22T17:00:12.345Z',
    };
    const { out, err } = await run(['applications', 'list'], () => ({
      body: { data: [application], meta: lastPage },
    }));
    const lines = out.split('\n');
    expect(lines[0]?.split(/ +/).slice(0, 4)).toEqual(['NAME', 'STATUS', 'CLIENT_ID', 'ORGANIZATIONS']);
    expect(out).toContain(clientId);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(120);
    expect(err).toContain('redirect_urls');
    expect(err).toContain('add --wide or --json');
  });

  test('follows pages up to the limit, and says how to continue', async () => {
    const answer = ({ query }: AdminCall): Reply => {
      const first = Number(query['cursor'] ?? 0);
      const size = Math.min(Number(query['limit']), 2);
      const data = Array.from({ length: size }, (_, index) => ({
        id: `${first + index}`,
        name: `n${first + index}`,
      }));
      return { body: { data, meta: { cursor: String(first + size), has_more: true } } };
    };
    const { out, err, calls } = await run(['organizations', 'list', '--limit', '5'], answer);
    expect(
      out
        .split('\n')
        .slice(1)
        .map(line => line.split(/\s/)[0]),
    ).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    expect(calls.map(({ query }) => query)).toEqual([
      { limit: '5' },
      { limit: '3', cursor: '2' },
      { limit: '1', cursor: '4' },
    ]);
    expect(err).toContain('--cursor 5');
  });

  test('prints the response as JSON, with all digits of 64-bit integers', async () => {
    const text = '{"data":[{"id":"1","used":9007199254740993}],"meta":{"cursor":null,"has_more":false}}';
    const { out } = await run(['organizations', 'list', '--json'], () => ({ text }));
    expect(out.replaceAll(/\s/g, '')).toBe(text);
  });

  test('stops if the service returns the same cursor twice', async () => {
    const body = { data: [], meta: { cursor: 'same', has_more: true } };
    const { code, err } = await run(['organizations', 'list'], () => ({ body }));
    expect([code, err]).toEqual([1, 'Error: The service returned the same cursor twice']);
  });
});

describe('changes', () => {
  test('creates an application by the name of its organization, and shows its secret once', async () => {
    const { code, calls, out, err } = await run(
      ['applications', 'create', '--name', 'Backend', '--organization', 'Acme'],
      call =>
        call.method === 'GET'
          ? organizations(call)
          : { status: 201, body: { id: other, name: 'Backend', client_id: 'c1', client_secret: 's3cr3t' } },
    );
    expect(code).toBe(0);
    expect(calls[1]).toMatchObject({
      method: 'POST',
      path: '/api/v1/admin/applications',
      body: { name: 'Backend', organization_ids: [acme] },
    });
    expect(out).toContain('client_secret  s3cr3t');
    expect(err).toContain('client_secret is shown only now');
  });

  test('sends the same idempotency key with each attempt, and a new one with each command', async () => {
    const answer = (_: AdminCall, count: number): Reply | null => {
      if (count === 1) return null;
      return count === 2
        ? problemReply(503, 'overloaded')
        : { status: 201, body: { id: acme, name: 'Acme' } };
    };
    const sent = async () => {
      const { code, calls } = await run(['organizations', 'create', '--name', 'Acme'], answer);
      expect(code).toBe(0);
      return calls.map(({ headers }) => headers['idempotency-key']);
    };
    const [first, second] = [await sent(), await sent()];
    expect(first).toHaveLength(3);
    expect(new Set([...first, ...second]).size).toBe(2);
  });

  test('says how to repeat a change whose outcome is unknown', async () => {
    const create = ['organizations', 'create', '--name', 'Acme'];
    const { code, err, calls } = await run(create, () => problemReply(503, 'overloaded'));
    expect(code).toBe(3);
    expect(calls).toHaveLength(4);
    const sent = String(calls[0]?.headers['idempotency-key']);
    expect(err).toContain(`--idempotency-key ${sent}`);
    const again = await run([...create, '--idempotency-key', sent], () => ({
      status: 201,
      body: { id: acme },
    }));
    expect(again.calls[0]?.headers['idempotency-key']).toBe(sent);
  });

  test('bases an edit on the current version, or on the one that the operator has seen', async () => {
    const answer = (call: AdminCall): Reply =>
      call.query['search'] === undefined
        ? { body: { id: acme, name: 'Acme', version: 3 } }
        : organizations(call);
    const edit = ['organizations', 'edit', 'Acme', '--no-display-name', '--sync-interval-minutes', '15'];
    const bodyOf = async (args: readonly string[]) => (await run(args, answer)).calls.at(-1)?.body;
    const changes = { display_name: null, sync_interval_minutes: 15 };
    expect(await bodyOf(edit)).toEqual({ version: 3, ...changes });
    expect(await bodyOf([...edit, '--seen-version', '2'])).toEqual({ version: 2, ...changes });
  });

  test('reads configuration from the standard input, so that no secret is an argument', async () => {
    const { calls } = await run(
      ['organizations', 'oauth-apps', 'set', acme, 'gong', '--configuration', '-'],
      () => ({ body: { connector_type: 'gong' } }),
      testTerminal({ input: '{"client_id": "c", "client_secret": "s"}' }),
    );
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      path: `/api/v1/admin/organizations/${acme}/oauth-apps/gong`,
      body: { configuration: { client_id: 'c', client_secret: 's' } },
    });
  });

  test('declares an incident for a customer', async () => {
    const { calls } = await run(
      ['incidents', 'declare', '--customer-organization', 'Acme', '--customer-name', 'globex', '--yes'],
      call => (call.method === 'GET' ? organizations(call) : { status: 201, body: { id: other } }),
    );
    expect(calls.at(-1)?.body).toEqual({ customer: { organization: acme, name: 'globex' } });
  });
});

describe('confirmation', () => {
  const answer = (call: AdminCall): Reply =>
    call.method === 'GET' ? organizations(call) : { body: { id: acme, name: 'Acme', status: 'disabled' } };
  const disable = ['organizations', 'disable', 'Acme'];
  const isSent = (calls: readonly AdminCall[]) => calls.some(({ method }) => method === 'POST');

  test('asks for the name of what a command takes away', async () => {
    const terminal = testTerminal({ answers: ['Acme'] });
    const { code, calls } = await run(disable, answer, terminal);
    expect([code, isSent(calls)]).toEqual([0, true]);
    expect(terminal.questions).toEqual(['Type Acme to continue: ']);
  });

  test('changes nothing if another name is typed', async () => {
    const { code, calls, err } = await run(disable, answer, testTerminal({ answers: ['yes'] }));
    expect([code, isSent(calls)]).toEqual([2, false]);
    expect(err).toContain('Nothing was changed');
  });

  test('requires --yes without a terminal', async () => {
    const { code, calls, err } = await run(disable, answer);
    expect([code, calls]).toEqual([2, []]);
    expect(err).toContain('--yes');
    expect((await run([...disable, '--yes'], answer)).code).toBe(0);
  });

  test('asks for the name even if the id is given', async () => {
    const terminal = testTerminal({ answers: ['Acme'] });
    const answerById = (call: AdminCall): Reply => ({ body: { id: acme, name: 'Acme', via: call.path } });
    const { code } = await run(['organizations', 'disable', acme], answerById, terminal);
    expect([code, terminal.questions]).toEqual([0, ['Type Acme to continue: ']]);
  });

  test('asks for what an incident is about before it is undone, unless --yes is given', async () => {
    const incident = { id: acme, target: 'Acme', status: 'undone' };
    const undo = ['incidents', 'undo', acme];
    const terminal = testTerminal({ answers: ['no'] });
    const refused = await run(undo, () => ({ body: incident }), terminal);
    expect([refused.code, isSent(refused.calls)]).toEqual([2, false]);
    expect(terminal.questions).toEqual(['Type Acme to continue: ']);
    const confirmed = await run([...undo, '--yes'], () => ({ body: incident }));
    expect([confirmed.code, isSent(confirmed.calls)]).toEqual([0, true]);
    expect((await run(undo, () => ({ body: incident }))).err).toContain('Add --yes');
  });

  test('asks for the scope of an incident', async () => {
    const terminal = testTerminal({ answers: ['gong'] });
    const { calls } = await run(['incidents', 'declare', '--kind', 'gong'], answer, terminal);
    expect(calls.at(-1)?.body).toEqual({ kind: 'gong' });
    expect(terminal.questions).toEqual(['Type gong to continue: ']);
  });
});

describe('names', () => {
  test('are matched exactly', async () => {
    const { code, err, calls } = await run(['organizations', 'get', 'acme'], () => ({
      body: { data: [{ id: acme, name: 'Acme' }], meta: lastPage },
    }));
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain('no organization has the name "acme"');
  });

  test('that are ambiguous are listed with their ids', async () => {
    const { code, err, calls } = await run(['customers', 'revoke-tokens', 'globex', '--yes'], () => ({
      body: {
        data: [
          { id: acme, name: 'globex', organization: { id: acme, name: 'Acme' } },
          { id: other, name: 'globex', organization: { id: other, name: 'Acme Labs' } },
        ],
        meta: lastPage,
      },
    }));
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain('2 customers have the name "globex"');
    expect(err).toContain(`${acme}  globex  Acme\n`);
    expect(err).toContain(`${other}  globex  Acme Labs`);
  });

  test('that two applications share are listed with client id, status and creation time', async () => {
    const application = {
      id: acme,
      name: 'Backend',
      status: 'active',
      created_at: '2026-11-22T17:00:12.345Z',
    };
    const { code, err } = await run(['applications', 'get', 'Backend'], () => ({
      body: {
        data: [
          { ...application, client_id: 'ca_app_one' },
          { ...application, id: other, client_id: 'ca_app_other', status: 'disabled' },
        ],
        meta: lastPage,
      },
    }));
    expect(code).toBe(1);
    expect(err).toBe(
      'Error: 2 applications have the name "Backend". Give the id of one of them:\n' +
        'ID                                    NAME     CLIENT_ID     STATUS    CREATED_AT\n' +
        `${acme}  Backend  ca_app_one    active    2026-11-22 17:00Z\n` +
        `${other}  Backend  ca_app_other  disabled  2026-11-22 17:00Z`,
    );
  });
});

describe('errors', () => {
  test('name the option of an invalid value before anything is sent', async () => {
    const { code, err, calls } = await run(['connectors', 'list', '--status', 'melted'], () => ({}));
    expect([code, calls]).toEqual([2, []]);
    expect(err).toContain('--status: ');
    const blank = await run(['organizations', 'create', '--name', ' '], () => ({}));
    expect([blank.code, blank.calls]).toEqual([2, []]);
    expect(blank.err).toContain('--name: Must not be blank');
  });

  test('contain the problem, its fields and what to do', async () => {
    const { code, err } = await run(['organizations', 'create', '--name', 'Acme'], () =>
      problemReply(422, 'malformed_request', { errors: [{ path: 'name', message: 'Is \u001B[31m red' }] }),
    );
    expect(code).toBe(1);
    expect(err).toBe('Error: Title of malformed_request (malformed_request)\n  name: Is �[31m red');
    const denied = await run(['organizations', 'list'], () => problemReply(403, 'admin_access_insufficient'));
    expect(denied.err).toContain('Use an admin key with write access');
  });

  test.each([
    ['CONNECTOR_AUTH_URL', { CONNECTOR_AUTH_ADMIN_KEY: key }],
    ['CONNECTOR_AUTH_ADMIN_KEY', { CONNECTOR_AUTH_URL: 'http://localhost' }],
    ['CONNECTOR_AUTH_URL', { CONNECTOR_AUTH_URL: 'ftp://localhost', CONNECTOR_AUTH_ADMIN_KEY: key }],
  ])('name %s if it is missing or invalid', async (name, environment) => {
    const terminal = testTerminal();
    const args = ['admin', 'organizations', 'list'];
    expect(await runCommandLine(args, { environment, terminal, kinds: [] })).toBe(2);
    expect(terminal.noted()).toContain(name);
  });

  test('say that nothing listens at the URL', async () => {
    const terminal = testTerminal();
    const url = await closedUrl();
    const environment = { CONNECTOR_AUTH_URL: url, CONNECTOR_AUTH_ADMIN_KEY: key };
    const args = ['admin', 'organizations', 'create', '--name', 'x'];
    expect(await runCommandLine(args, { environment, terminal, kinds: [] })).toBe(3);
    expect(terminal.noted()).toContain('cannot be reached');
    expect(terminal.noted()).not.toContain('may have taken effect');
    expect(terminal.noted()).not.toContain(key);
  });

  test('do not follow a redirect with the key', async () => {
    const { code, err, calls } = await run(['organizations', 'list'], () => ({
      status: 302,
      headers: { location: 'http://127.0.0.1:1/' },
    }));
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain("Check that CONNECTOR_AUTH_URL is the service's URL");
  });

  test('suggest the command that was meant', async () => {
    const { err, code } = await run(['organisations', 'list'], () => ({}));
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      'Unknown command "admin organisations list". Did you mean "admin organizations list"?',
    ]);
    expect((await run(['applications', 'secrets'], () => ({}))).err).toContain(
      'continues with create, delete',
    );
  });
});

describe('audit export', () => {
  // More than one request returns.
  const lines = Array.from({ length: 10_003 }, (_, index) => `{"id":"${index}"}`);
  const answer = ({ query }: AdminCall): Reply => {
    const first = Number(query['cursor'] ?? 0);
    const chunk = lines.slice(first, first + Number(query['limit']));
    const next = String(first + chunk.length);
    return { text: chunk.map(line => `${line}\n`).join(''), headers: { 'x-next-cursor': next } };
  };

  test('prints every line as the service sent it, with as many requests as needed', async () => {
    const { code, out, err } = await run(['audit', 'export'], answer);
    expect([code, out.split('\n')]).toEqual([0, lines]);
    expect(err).toContain('--cursor 10003');
  });

  test('ends at the limit, and continues from a cursor', async () => {
    const { out } = await run(['audit', 'export', '--limit', '10001', '--cursor', '1'], answer);
    expect(out.split('\n')).toEqual(lines.slice(1, 10_002));
  });
});
