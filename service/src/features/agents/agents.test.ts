import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { addAgent } from '../../../test/agents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { useIncidentHarness, type Tenant } from '../../../test/incident-harness.ts';
import { useLinkHarness } from '../../../test/link-harness.ts';
import { adminToken, type RequestOptions } from '../../../test/test-service.ts';
import { deleteEndedAgents, deleteExpiredSignIns } from './store.ts';

const path = '/api/v1/agents';
const definitions = '/api/v1/integrations/definitions/sources';

onPostgresOrEachEngineInFull('agents', database => {
  const harness = useIncidentHarness(database);
  const ask = (method: string, at: string, options: RequestOptions) =>
    harness.service.ask(method, at, options);
  const start = async (): Promise<Tenant> => {
    const tenant = await harness.addTenant();
    for (const customer_name of ['acme', 'beta']) {
      await harness.service.customerToken(tenant.token, { customer_name });
    }
    const body = { connect_helper_url: 'https://app.example/connector-auth', agent_sign_in: true };
    const { status, text } = await ask('PATCH', '/api/v1/organization', { token: tenant.token, body });
    expect(status, text).toBe(200);
    return tenant;
  };
  const add = ({ organizationId }: Tenant, more?: Parameters<typeof addAgent>[2]) =>
    addAgent(database(), organizationId, more);
  const list = async (options: RequestOptions, query = ''): Promise<string[]> => {
    const { status, body, text } = await ask('GET', `${path}${query}`, options);
    expect(status, text).toBe(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);

  test('a token sees the agents of its customer that can still act, newest first', async () => {
    const [tenant, other] = [await start(), await start()];
    const ids: string[] = [];
    for (const days of [3, 2, 1]) ids.unshift(await add(tenant, { authorized_at: daysAgo(days) }));
    const ofBeta = await add(tenant, { customer: 'beta', authorized_at: daysAgo(0) });
    await add(tenant, { expires_at: daysAgo(0) });
    await add(tenant, { last_used_at: daysAgo(30) });
    await add(tenant, { revoked_at: new Date() });
    await add(other);
    const { token } = tenant;
    const scoped = await harness.service.customerToken(token, { customer_name: 'acme' });
    expect(await list({ token: scoped })).toEqual(ids);
    expect(await list({ token })).toEqual([ofBeta, ...ids]);
    expect(await list({ token }, '?customer_name=acme')).toEqual(ids);
    const { body: first } = await ask('GET', `${path}?limit=2`, { token: scoped });
    expect(first.data).toHaveLength(2);
    expect(await list({ token: scoped }, `?limit=2&cursor=${first.meta.cursor}`)).toEqual(ids.slice(2));
    expect(first.data[0]).toMatchObject({
      client: { name: 'Chat', host: 'chat.example' },
      customer_name: 'acme',
      user: { id: 'user-4711', name: 'Ana Silva' },
      scopes: ['read', 'search'],
      allowed_sources: null,
    });
  });

  test('ending an agent needs the right to delete, and finds only those of the customer', async () => {
    const tenant = await start();
    const id = await add(tenant);
    const asCustomer = async (body: object) => ({
      token: await harness.service.customerToken(tenant.token, { customer_name: 'acme', ...body }),
    });
    const end = async (options: RequestOptions) => {
      const { status, body } = await ask('DELETE', `${path}/${id}`, options);
      return `${status} ${body?.code ?? ''}`.trim();
    };
    expect(await end(await asCustomer({ allowed_management: ['rename'] }))).toBe(
      '403 management_not_allowed',
    );
    expect(await end(await asCustomer({ customer_name: 'beta' }))).toBe('404 agent_not_found');
    expect(await end({ token: (await start()).token })).toBe('404 agent_not_found');
    expect(await list({ token: tenant.token })).toEqual([id]);
    expect(await end(await asCustomer({}))).toBe('204');
    expect(await list({ token: tenant.token })).toEqual([]);
    expect(await end(await asCustomer({}))).toBe('204');
  });

  test("operators list a customer's agents and end them", async () => {
    const tenant = await start();
    const id = await add(tenant);
    await add(tenant, { customer: 'beta' });
    const { body: customers } = await ask('GET', '/api/v1/customers', { token: tenant.token });
    const operator = { token: adminToken };
    const ofAcme = `/api/v1/admin/customers/${customers.data[0].id}/agents`;
    const listed = async () =>
      (await ask('GET', ofAcme, operator)).body.data.map((agent: { id: string }) => agent.id);
    expect(await listed()).toEqual([id]);
    expect((await ask('DELETE', `/api/v1/admin/agents/${id}`, operator)).status).toBe(204);
    expect(await listed()).toEqual([]);
    for (const [method, unknown, code] of [
      ['GET', `/api/v1/admin/customers/${randomUUID()}/agents`, 'customer_not_found'],
      ['DELETE', `/api/v1/admin/agents/${randomUUID()}`, 'agent_not_found'],
    ] as const) {
      expect((await ask(method, unknown, operator)).body.code).toBe(code);
    }
  });

  test('revoking a person ends their agents, sign-ins and links, and no others', async () => {
    const tenant = await start();
    const { token, organizationId } = tenant;
    await add(tenant);
    await add(tenant);
    const others = [await add(tenant, { user_id: 'user-2' }), await add(tenant, { customer: 'beta' })];
    const addSignIn = (id: string, user: string) =>
      sql`insert into agent_sign_ins (organization_id, id, customer_id, user_id, expires_at)
        select organization_id, ${id}, id, ${user}, now() + interval '5 minutes' from customers
        where organization_id = ${organizationId} and name = 'acme'`.execute(database().kysely);
    await addSignIn('own', 'user-4711');
    await addSignIn('other', 'user-2');
    const links = '/api/v1/integrations/connect-links';
    const { body: link } = await ask('POST', links, { token, body: { customer_name: 'acme' } });
    await database()
      .kysely.updateTable('connect_links')
      .set({ user_id: 'user-4711' })
      .where('id', '=', link.id)
      .execute();
    const revoke = async (customer: string) => {
      const at = `/api/v1/customers/${customer}/users/user-4711/revoke`;
      const { status, body } = await ask('POST', at, { token });
      return body?.code ?? status;
    };
    expect(await revoke('acme')).toBe(204);
    expect((await list({ token })).toSorted()).toEqual(others.toSorted());
    const signIns = await database()
      .kysely.selectFrom('agent_sign_ins')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    expect(signIns).toEqual([{ id: 'other' }]);
    expect((await ask('GET', `${links}/${link.id}`, { token })).body.status).toBe('revoked');
    expect(await revoke('acme')).toBe(204);
    expect(await revoke('unknown')).toBe('customer_not_found');
  });

  test('pages show the address of the MCP server while people can sign in there', async () => {
    await database().kysely.updateTable('installation').set({ mcp_organization_id: null }).execute();
    const [first, second] = [await start(), await start()];
    const origin = 'https://app.example';
    const addressOf = async ({ token }: Tenant, allowed_origin: string | undefined = origin) => {
      const page = await harness.service.customerToken(token, { customer_name: 'acme', allowed_origin });
      const { body } = await ask('GET', definitions, { token: page, headers: { origin } });
      return body.mcp_url;
    };
    expect(await addressOf(first)).toMatch(/:\d+\/mcp$/);
    expect(await addressOf(second)).toMatch(new RegExp(`/mcp/${second.organizationId}$`));
    const body = { agent_sign_in: false };
    await ask('PATCH', '/api/v1/organization', { token: second.token, body });
    expect(await addressOf(second)).toBeUndefined();
    expect((await ask('GET', definitions, { token: first.token })).body).not.toHaveProperty('mcp_url');
  });

  describe('the cleanup', () => {
    test('deletes agents that ended more than 30 days ago, and expired sign-ins', async () => {
      const tenant = await start();
      const kept = [
        await add(tenant),
        await add(tenant, { revoked_at: daysAgo(29) }),
        await add(tenant, { expires_at: daysAgo(29) }),
        await add(tenant, { last_used_at: daysAgo(59) }),
      ];
      for (const ended of [
        { revoked_at: daysAgo(31) },
        { expires_at: daysAgo(31) },
        { last_used_at: daysAgo(61) },
      ]) {
        await add(tenant, ended);
      }
      const { organizationId } = tenant;
      for (const [id, minutes] of [
        ['expired', -1],
        ['current', 1],
      ] as const) {
        await sql`insert into agent_sign_ins (organization_id, id, expires_at)
          values (${organizationId}, ${id}, now() + make_interval(mins => ${minutes}))`.execute(
          database().kysely,
        );
      }
      await deleteEndedAgents(database().kysely);
      await deleteExpiredSignIns(database().kysely);
      const idsIn = async (table: 'agents' | 'agent_sign_ins') => {
        const rows = await database()
          .kysely.selectFrom(table)
          .select('id')
          .where('organization_id', '=', organizationId)
          .execute();
        return rows.map(({ id }) => id).toSorted();
      };
      expect(await idsIn('agents')).toEqual(kept.toSorted());
      expect(await idsIn('agent_sign_ins')).toEqual(['current']);
    });
  });
});

onPostgresOrEachEngineInFull('agents and connect links', database => {
  const harness = useLinkHarness(database);

  test("a link's page sees no agents, and no address to add", async () => {
    const link = await harness.create();
    const { service, token } = harness.consent;
    const organization = await service.ask('PATCH', '/api/v1/organization', {
      token,
      body: { agent_sign_in: true },
    });
    const id = await addAgent(database(), organization.body.id);
    const page = await harness.asPage(await harness.openConfirmed(link));
    expect((await service.ask('GET', path, { token })).body.data).toHaveLength(1);
    expect((await service.ask('GET', path, page)).body.data).toEqual([]);
    expect((await service.ask('DELETE', `${path}/${id}`, page)).status).toBe(403);
    expect((await service.ask('GET', definitions, page)).body).not.toHaveProperty('mcp_url');
  });
});
