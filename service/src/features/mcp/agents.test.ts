import type { AgentScope } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addAgentToken, addSignedInAgent, type TestAgent } from '../../../test/agents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { connectMcp } from '../../../test/mcp-client.ts';
import { firstKind } from '../../../test/second-kind.ts';
import {
  adminToken,
  startTestService,
  type RequestOptions,
  type TestApplication,
  type TestService,
} from '../../../test/test-service.ts';
import { ticketKind, type TicketDesk } from '../../../test/ticket-kind.ts';
import type { VerifyAgentToken } from '../../shared/auth/agent-token.ts';
import { findCustomer } from '../../shared/repositories/customers.ts';
import { createMcpAuthenticate } from './authenticate.ts';

const publicUrl = 'https://connect.example';
const wellKnown = '/.well-known/oauth-protected-resource';
const customer = 'acme';

onPostgresOrEachEngineInFull('agents at the MCP server', database => {
  const desk: TicketDesk = { made: 0, started: () => {}, gate: Promise.resolve() };
  let service: TestService;
  let both: TestApplication;
  let application: string;
  let own: string;
  let other: string;
  let without: string;
  let ticketsId: string;

  const inOrganization = (id: string) => ({ 'x-organization-id': id });
  const setSignIn = async (id: string, isEnabled: boolean) => {
    const body = { agent_sign_in: isEnabled, connect_helper_url: 'https://app.example/connector-auth' };
    const { status } = await service.ask('PATCH', '/api/v1/organization', {
      token: application,
      headers: inOrganization(id),
      body,
    });
    expect(status).toBe(200);
  };
  const scopedToken = (id: string, more: object = {}) =>
    service.customerToken(application, { customer_name: customer, ...more }, inOrganization(id));
  const addressOf = (organizationId: string | null) =>
    organizationId === null ? '/mcp' : `/mcp/${organizationId}`;
  const addOwnAgent = (
    more: Partial<Parameters<typeof addSignedInAgent>[1]> = {},
    path = addressOf(own),
  ): Promise<TestAgent> =>
    addSignedInAgent(database(), { organizationId: own, customer, resource: `${publicUrl}${path}`, ...more });
  const messageOf = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const callOf = (name: string, given: object = {}) => messageOf('tools/call', { name, arguments: given });
  const newTicket = () => ({
    connector_id: ticketsId,
    entity: 'tickets',
    action: 'create',
    params: { outcome: 'made' },
  });
  const post = (
    path: string,
    token: string | undefined,
    asking: RequestOptions & { message?: object } = {},
  ) =>
    service.ask('POST', path, {
      token,
      body: asking.message ?? callOf('list_sources'),
      ...asking,
      headers: { accept: 'application/json, text/event-stream', ...asking.headers },
    });
  const challengeOf = (headers: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      [...String(headers['www-authenticate']).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );

  beforeAll(async () => {
    service = await startTestService(database(), { kinds: [firstKind, ticketKind(desk)], publicUrl });
    both = await service.addApplication('both', ['Own', 'Other', 'Without']);
    [own = '', other = '', without = ''] = both.organizationIds;
    application = await service.tokenOf(both);
    for (const id of [own, other, without]) await scopedToken(id);
    const { body } = await service.ask('POST', '/api/v1/integrations/connectors', {
      token: application,
      headers: inOrganization(own),
      body: {
        customer_name: customer,
        connector_type: 'ticket-desk',
        name: 'Mine',
        credentials: { api_key: goodKey },
      },
    });
    ticketsId = body.id;
    await setSignIn(own, true);
    await setSignIn(other, true);
  });
  beforeEach(async () => {
    desk.made = 0;
    // Refills the limits.
    service.advance(60_000);
    application = await service.tokenOf(both);
  });
  afterAll(() => service.close());

  describe('without a token', () => {
    test('each address says where its metadata is, and the metadata is that of the address', async () => {
      const addresses = [
        [addressOf(null), 'Own'],
        [addressOf(own), 'Own'],
        [addressOf(other), 'Other'],
      ] as const;
      for (const [path, name] of addresses) {
        const { status, headers } = await post(path, undefined);
        expect(status).toBe(401);
        expect(challengeOf(headers)).toEqual({
          realm: 'connector-auth',
          resource_metadata: `${publicUrl}${wellKnown}${path}`,
          scope: 'read search',
        });
        // Codex looks with GET whether it needs a token.
        expect((await service.ask('GET', path)).headers['www-authenticate']).toBe(
          headers['www-authenticate'],
        );
        const metadata = await service.ask('GET', `${wellKnown}${path}`);
        expect(metadata.headers['access-control-allow-origin']).toBe('*');
        expect(metadata.body).toEqual({
          resource: `${publicUrl}${path}`,
          authorization_servers: [publicUrl],
          scopes_supported: ['read', 'search', 'write', 'connect'],
          bearer_methods_supported: ['header'],
          resource_name: name,
        });
      }
      expect((await service.ask('GET', wellKnown)).body.resource).toBe(`${publicUrl}/mcp`);
    });

    test('an organization without sign-in says only that a token is missing', async () => {
      for (const id of [without, '0b9a3c1e-5a55-4c3e-9d43-1b1d8b0f2f10']) {
        const { status, headers } = await post(addressOf(id), undefined);
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="connector-auth"']);
        expect((await service.ask('GET', addressOf(id))).status).toBe(405);
        expect((await service.ask('GET', `${wellKnown}${addressOf(id)}`)).status).toBe(404);
      }
      expect((await post('/mcp/acme', undefined)).status).toBe(404);
      expect((await service.ask('GET', `${wellKnown}/mcp/acme`)).status).toBe(404);
    });
  });

  test('behind a path there is no sign-in, because clients would look for the metadata elsewhere', async () => {
    const { sandbox } = service;
    const kinds = [firstKind];
    const behind = await startTestService(database(), { kinds, sandbox, publicUrl: `${publicUrl}/connect` });
    expect((await behind.ask('POST', '/mcp')).headers['www-authenticate']).toBe(
      'Bearer realm="connector-auth"',
    );
    expect((await behind.ask('GET', wellKnown)).status).toBe(404);
    await behind.close();
  });

  test('a token counts in the Authorization header only', async () => {
    const { token } = await addOwnAgent();
    const path = addressOf(own);
    for (const authorization of [`Bearer ${token}`, `bearer   ${token}  `]) {
      expect((await post(path, undefined, { headers: { authorization } })).status).toBe(200);
    }
    const forms: readonly [string, Record<string, string>][] = [
      [path, { authorization: token }],
      [path, { authorization: `Basic ${token}` }],
      [path, { authorization: `Bearer ${token} ${token}` }],
      [`${path}?access_token=${token}`, {}],
      [path, { cookie: `access_token=${token}` }],
    ];
    for (const [at, headers] of forms) expect((await post(at, undefined, { headers })).status, at).toBe(401);
  });

  test('the token of an agent is valid only at the address that it was issued for', async () => {
    const addresses = [addressOf(null), addressOf(own), addressOf(other)];
    const agents = [
      await addOwnAgent({}, addressOf(null)),
      await addOwnAgent(),
      await addOwnAgent({ organizationId: other }, addressOf(other)),
    ];
    for (const [issuedFor, { token }] of agents.entries()) {
      for (const [called, path] of addresses.entries()) {
        const { status, headers } = await post(path, token);
        expect(status, `${issuedFor} at ${called}`).toBe(issuedFor === called ? 200 : 401);
        if (issuedFor === called) continue;
        expect(challengeOf(headers)).toMatchObject({
          error: 'invalid_token',
          resource_metadata: `${publicUrl}${wellKnown}${path}`,
        });
      }
    }
  });

  test('the token of an agent is rejected by all other endpoints, which say why', async () => {
    const { token } = await addOwnAgent({ scopes: ['read', 'search', 'write', 'connect'] });
    for (const path of ['/api/v1/integrations/connectors', '/api/v1/organization', '/api/v1/admin/audit']) {
      const { status, body } = await service.ask('GET', path, { token });
      expect(status, path).toBe(path.includes('admin') ? 401 : 403);
      if (status === 403) {
        expect(body.code).toBe('token_kind_not_allowed');
        expect(body.detail).toContain('only for the MCP server');
      }
    }
  });

  test('tokens of applications work at the addresses of their organizations', async () => {
    const outcomes = [
      [application, own, 200],
      [application, without, 200],
      [await service.tokenOf(await service.addApplication('own', ['Own'])), other, 403],
      [await scopedToken(own), own, 200],
      [await scopedToken(own), other, 403],
      [await scopedToken(own, { allowed_origin: 'https://app.example' }), own, 403],
    ] as const;
    for (const [index, [token, id, expected]] of outcomes.entries()) {
      const { status, body } = await post(addressOf(id), token, { message: messageOf('tools/list') });
      expect(status, String(index)).toBe(expected);
      if (expected === 403) expect(body.code).toMatch(/^(organization|token_kind)_not_allowed$/);
    }
    // The address that names none still wants the header.
    expect((await post('/mcp', application)).body.code).toBe('organization_required');
    expect((await post('/mcp', application, { headers: inOrganization(other) })).status).toBe(200);
  });

  describe('between two requests of one client', () => {
    const ends: Readonly<Record<string, (agent: TestAgent) => Promise<unknown>>> = {
      'the agent is revoked': ({ id }) =>
        sql`update agents set revoked_at = now() where id = ${id}`.execute(database().kysely),
      'the agent expires': ({ id }) =>
        sql`update agents set expires_at = now() where id = ${id}`.execute(database().kysely),
      'the token expires': ({ id }) =>
        sql`update authorization_records set expires_at = now() where agent_id = ${id}`.execute(
          database().kysely,
        ),
      'the tokens of the customer are revoked': async () => {
        const id = await findCustomer(database().kysely, own, customer);
        const path = `/api/v1/admin/customers/${id}/revoke-tokens`;
        expect((await service.ask('POST', path, { token: adminToken })).status).toBeLessThan(300);
      },
      'the organization disables sign-in': () => setSignIn(own, false),
    };
    test.each(Object.entries(ends))('%s, and the second is rejected', async (_title, end) => {
      const agent = await addOwnAgent();
      expect((await post(addressOf(own), agent.token)).status).toBe(200);
      await end(agent);
      const { status, body } = await post(addressOf(own), agent.token);
      expect([status, body.code]).toEqual([401, 'token_invalid']);
      await setSignIn(own, true);
    });

    test('the customer is deleted, and the second is rejected', async () => {
      await service.customerToken(application, { customer_name: 'leaving' }, inOrganization(own));
      const agent = await addOwnAgent({ customer: 'leaving' });
      expect((await post(addressOf(own), agent.token)).status).toBe(200);
      await service.ask('DELETE', '/api/v1/customers/leaving', {
        token: application,
        headers: inOrganization(own),
      });
      expect((await post(addressOf(own), agent.token)).status).toBe(401);
    });
  });

  describe('scopes', () => {
    const allowedScopes: readonly AgentScope[] = ['read', 'search', 'write'];

    test('decide which tools run, and what the person can allow in addition decides which are listed', async () => {
      const { token } = await addOwnAgent({ scopes: ['read'], allowedScopes });
      const client = await connectMcp(service, token, '2026', null, addressOf(own));
      const { tools } = await client.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['list_sources', 'describe', 'search', 'read', 'write']);
      const { entities } = await client.call('describe', { source: 'ticket-desk' });
      expect(entities[0].actions).toContain('create');
      // The person cannot allow it, so the client does not ask for it.
      await expect(client.call('connect')).rejects.toMatchObject({ code: 'action_not_allowed' });
      await client.client.close();
    });

    test('a tool whose scope the token lacks does not run until the person has allowed it', async () => {
      const agent = await addOwnAgent({ scopes: ['read', 'search'], allowedScopes });
      const write = (token: string) => post(addressOf(own), token, { message: callOf('write', newTicket()) });
      const { status, headers, body } = await write(agent.token);
      expect([status, body.code]).toEqual([403, 'action_not_allowed']);
      expect(challengeOf(headers)).toMatchObject({
        error: 'insufficient_scope',
        scope: 'read search write',
        resource_metadata: `${publicUrl}${wellKnown}${addressOf(own)}`,
      });
      expect(desk.made).toBe(0);
      // A token for more than the person has allowed changes nothing.
      const early = await addAgentToken(database(), agent.id, allowedScopes);
      expect((await write(early)).status).toBe(403);
      await sql`update agents set scopes = allowed_scopes where id = ${agent.id}`.execute(database().kysely);
      expect((await write(agent.token)).status).toBe(403);
      expect(desk.made).toBe(0);
      const allowed = await write(await addAgentToken(database(), agent.id, allowedScopes));
      expect([allowed.status, desk.made]).toEqual([200, 1]);
    });
  });

  test('a person who was asked for a scope and left it out is not asked again for an hour', async () => {
    const allowedScopes: readonly AgentScope[] = ['read', 'write'];
    const agent = await addOwnAgent({ scopes: ['read'], allowedScopes });
    const message = callOf('write', newTicket());
    const write = () => post(addressOf(own), agent.token, { message });
    const decide = (at: number) =>
      database()
        .kysely.updateTable('agents')
        .where('id', '=', agent.id)
        .set({ authorized_at: new Date(at) })
        .execute();
    // Until they have decided, each call asks.
    for (const _ of [1, 2]) expect((await write()).status).toBe(403);
    await decide(Date.now() + 3_600_000);
    const open = ({ token }: TestAgent) => connectMcp(service, token, '2025', null, addressOf(own));
    const [asking, reading] = [await open(agent), await open(await addOwnAgent({ scopes: ['read'] }))];
    await expect(asking.call('write', newTicket())).rejects.toMatchObject({
      code: 'action_not_allowed',
      message: expect.stringContaining('did not allow this app the scope write'),
    });
    expect(desk.made).toBe(0);
    const accessOf = async ({ call }: typeof asking) => (await call('list_sources')).connections[0].access;
    expect(await accessOf(asking)).toBe('read; write if the person allows it');
    expect(await accessOf(reading)).toBe('read');
    for (const { client } of [asking, reading]) await client.close();
    service.advance(7_200_000);
    expect((await write()).status).toBe(403);
  });

  test('pages of other origins can use the tokens of agents, and no others', async () => {
    const origin = 'https://inspector.example';
    const preflight = await service.ask('OPTIONS', addressOf(own), {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization.*MCP-Protocol-Version/);
    const { token } = await addOwnAgent();
    const { status, headers } = await post(addressOf(own), token, { headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect(headers['access-control-expose-headers']).toMatch(/WWW-Authenticate.*Mcp-Session-Id/);
    for (const other of [application, await scopedToken(own)]) {
      const { body } = await post(addressOf(own), other, { headers: { origin } });
      expect(body.code).toBe('origin_not_allowed');
    }
  });

  test('the audit log and the access log name the agent, and no log contains its token', async () => {
    const { id, token } = await addOwnAgent({ userId: 'user-4711' });
    const read = { connector_id: ticketsId, entity: 'tickets', action: 'list', params: { count: 1 } };
    const { requestId } = await post(addressOf(own), token, { message: callOf('read', read) });
    await vi.waitFor(
      async () => {
        const { body } = await service.ask('GET', '/api/v1/admin/audit?limit=100', { token: adminToken });
        expect(body.data).toContainEqual(
          expect.objectContaining({
            request_id: requestId,
            action: 'list',
            actor: expect.objectContaining({ type: 'agent', id, name: 'claude.ai for Ana Silva' }),
          }),
        );
      },
      { timeout: 60_000 },
    );
    await post(addressOf(other), token);
    const lines = service.logged().split('\n');
    const line = lines.find(text => text.includes(requestId) && text.includes('"event":"request"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/mcp/{organization_id}', agent_id: id });
    expect(service.logged()).not.toContain(token);
  });

  test('stores the use of an agent once a minute', async () => {
    const agent = await addOwnAgent();
    const readUse = async () => {
      const { rows } = await sql<{ seconds: number; version: string }>`
        select extract(epoch from now() - last_used_at)::float8 as seconds, xmin::text as version
        from agents where id = ${agent.id}`.execute(database().kysely);
      return rows[0] ?? { seconds: Infinity, version: '' };
    };
    await sql`update agents set last_used_at = now() - interval '5 minutes' where id = ${agent.id}`.execute(
      database().kysely,
    );
    await post(addressOf(own), agent.token);
    await vi.waitFor(async () => expect((await readUse()).seconds).toBeLessThan(240), { timeout: 60_000 });
    const { version } = await readUse();
    await post(addressOf(own), agent.token);
    await post(addressOf(own), agent.token);
    expect((await readUse()).version).toBe(version);
  });

  describe('limits', () => {
    test('reject more than 300 requests a minute of an agent, but not those of another', async () => {
      service.stopClock();
      const [busy, calm] = [await addOwnAgent(), await addOwnAgent()];
      const ping = (token: string) => post(addressOf(own), token, { message: {} });
      for (let sent = 0; sent < 300; sent += 20) {
        const statuses = await Promise.all(
          Array.from({ length: 20 }, async () => (await ping(busy.token)).status),
        );
        expect(new Set(statuses)).toEqual(new Set([400]));
      }
      const rejected = await ping(busy.token);
      expect(rejected.status).toBe(429);
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect((await ping(calm.token)).status).toBe(400);
    });

    describe('of one process', () => {
      const allowAll: VerifyAgentToken = token =>
        Promise.resolve({
          organizationId: own,
          // The token says which agent of which client it is.
          agentId: token,
          customer: { id: own, name: customer },
          applicationId: own,
          clientId: token.slice(0, 6),
          clientName: null,
          clientHost: null,
          userId: 'user',
          userName: 'Ana',
          scopes: [],
          allowedScopes: [],
          allowedSources: null,
          allowedData: [],
          authorizedAt: new Date(0),
          lastUsedAt: new Date(0),
          verifiedAtUs: 0,
        });
      const limited = (verifyToken: VerifyAgentToken) => {
        const authenticate = createMcpAuthenticate({
          db: database().kysely,
          authenticate: () => Promise.reject(new Error('Only agents are expected')),
          clock: { now: () => 0, sleep: () => Promise.resolve() },
          log: service.log,
          verifyToken,
        });
        return (client: string, agent: number, address = '192.0.2.1') => {
          const token = `${client}${String(agent).padStart(43 - client.length, '-')}`;
          const headers = { authorization: `Bearer ${token}` };
          const response = { locals: {}, setHeader: () => {} } as unknown as Parameters<
            typeof authenticate
          >[2];
          return authenticate(
            { headers, address, reportRejection: () => {} },
            { organizationId: own, url: '', metadataUrl: '' },
            response,
          );
        };
      };

      test('reject more than 3,000 requests a minute of one client in an organization', async () => {
        const send = limited(allowAll);
        for (let sent = 0; sent < 3000; sent++) await send('first-', sent % 20);
        await expect(send('first-', 20)).rejects.toMatchObject({ code: 'rate_limited' });
        await expect(send('second', 20)).resolves.toMatchObject({ agent: { clientId: 'second' } });
      });

      test('reject an address that sends more than 600 unknown tokens a minute, without a query', async () => {
        let verified = 0;
        const send = limited(() => {
          verified += 1;
          return Promise.resolve(null);
        });
        for (let sent = 0; sent < 600; sent++)
          await expect(send('client', sent)).rejects.toMatchObject({ code: 'token_invalid' });
        await expect(send('client', 0)).rejects.toMatchObject({ code: 'rate_limited' });
        expect(verified).toBe(600);
        await expect(send('client', 0, '192.0.2.2')).rejects.toMatchObject({ code: 'token_invalid' });
      });
    });
  });
});
