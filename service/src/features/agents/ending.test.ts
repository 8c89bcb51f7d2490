import { eventSchema, type WebhookDelivery } from '@connector-auth/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAgent } from '../../../test/agents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { useIncidentHarness, type Tenant } from '../../../test/incident-harness.ts';

const helper = { connect_helper_url: 'https://app.example/connector-auth' };

/** A tenant whose customer acme has an agent. */
interface World {
  readonly tenant: Tenant;
  readonly customerId: string;
  readonly agentId: string;
}

/** What ends agents, and what allows new ones again. */
const ends: Readonly<Record<string, (world: World) => readonly [string, object?][]>> = {
  "revoking a customer's tokens": ({ customerId }) => [[`customers/${customerId}/revoke-tokens`]],
  'disabling the application': ({ tenant: { applicationId } }) => [
    [`applications/${applicationId}/disable`],
    [`applications/${applicationId}/enable`],
  ],
  'disabling the organization': ({ tenant: { organizationId } }) => [
    [`organizations/${organizationId}/disable`],
    [`organizations/${organizationId}/enable`],
  ],
  'an incident of the customer': ({ tenant: { organizationId } }) => [
    ['incidents', { customer: { organization: organizationId, name: 'acme' } }],
  ],
  'an incident of the organization': ({ tenant: { organizationId } }) => [
    ['incidents', { organization: organizationId }],
  ],
  'an incident of the application': ({ tenant: { applicationId } }) => [
    ['incidents', { application: applicationId }],
  ],
};

onPostgresOrEachEngineInFull('agents end', database => {
  const harness = useIncidentHarness(database);
  const ask = (tenant: Tenant, method: string, path: string, body?: object) =>
    harness.service.ask(method, path, { token: tenant.token, ...(body ? { body } : {}) });
  const setSignIn = async (tenant: Tenant, agent_sign_in: boolean) => {
    const { status, text } = await ask(tenant, 'PATCH', '/api/v1/organization', { ...helper, agent_sign_in });
    expect(status, text).toBe(200);
  };
  const start = async (): Promise<World> => {
    const tenant = await harness.addTenant();
    await harness.service.customerToken(tenant.token, { customer_name: 'acme' });
    await setSignIn(tenant, true);
    const { body } = await ask(tenant, 'GET', '/api/v1/customers');
    const agentId = await addAgent(database(), tenant.organizationId);
    return { tenant, customerId: body.data[0].id, agentId };
  };
  const list = async ({ customerId }: World): Promise<string[]> => {
    const { status, body, text } = await harness.ask('GET', `/api/v1/admin/customers/${customerId}/agents`);
    expect(status, text).toBe(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  /** Returns a function that returns the events of agents, oldest first. */
  const listen = async ({ tenant: { organizationId } }: World) => {
    const path = `/api/v1/admin/organizations/${organizationId}/webhooks`;
    const body = { url: 'https://app.example.com/events' };
    const { body: webhook } = await harness.ask('POST', path, body);
    return async () => {
      const { body: deliveries } = await harness.ask('GET', `${path}/${webhook.id}/deliveries`);
      return deliveries.data
        .filter(({ type }: WebhookDelivery) => type.startsWith('agent.'))
        .map(({ type, body: event }: WebhookDelivery) => {
          expect(eventSchema(type).parse(event)).toEqual(event);
          return event;
        })
        .toReversed();
    };
  };

  test.each(Object.keys(ends))('by %s, in the same transaction, and for good', async name => {
    const [world, other] = [await start(), await start()];
    const events = await listen(world);
    const [end, undo] = ends[name]?.(world) ?? [];
    if (end === undefined) throw new Error(`Nothing is done for ${name}`);
    const { status, body, text } = await harness.ask('POST', `/api/v1/admin/${end[0]}`, end[1]);
    expect(status, text).toBeLessThan(300);
    expect(await list(world)).toEqual([]);
    expect(await events()).toMatchObject([{ type: 'agent.revoked', data: { agent_id: world.agentId } }]);
    if (end[0] === 'incidents') {
      const { rows } = await sql<{ isOne: boolean }>`select agents.xmin = incidents.xmin as "isOne"
        from agents, incidents where agents.id = ${world.agentId} and incidents.id = ${body.id}`.execute(
        database().kysely,
      );
      expect(rows).toEqual([{ isOne: true }]);
      await harness.undo(body.id);
    }
    if (undo !== undefined) await harness.ask('POST', `/api/v1/admin/${undo[0]}`);
    expect(await list(world)).toEqual([]);
    const next = await addAgent(database(), world.tenant.organizationId);
    expect(await list(world)).toEqual([next]);
    expect(await list(other)).toEqual([other.agentId]);
    expect((await events()).map(({ type }: WebhookDelivery) => type)).toEqual([
      'agent.revoked',
      'agent.authorized',
    ]);
  });

  test('not by an incident of a source, which freezes the connectors', async () => {
    const world = await start();
    await harness.declare({ kind: 'granola' });
    expect(await list(world)).toEqual([world.agentId]);
  });

  test('with their customer, which the event still names', async () => {
    const world = await start();
    const events = await listen(world);
    await addAgent(database(), world.tenant.organizationId, { revoked_at: new Date() });
    expect((await ask(world.tenant, 'DELETE', '/api/v1/customers/acme')).status).toBe(204);
    const rows = await database()
      .kysely.selectFrom('agents')
      .select('id')
      .where('organization_id', '=', world.tenant.organizationId)
      .execute();
    expect(rows).toEqual([]);
    expect((await events()).at(-1)).toMatchObject({
      type: 'agent.revoked',
      data: {
        organization_id: world.tenant.organizationId,
        agent_id: world.agentId,
        customer_name: 'acme',
        user: { id: 'user-4711', name: 'Ana Silva' },
        client: { host: 'chat.example', name: 'Chat' },
        scopes: ['read', 'search'],
      },
    });
  });

  test('when the sign-in is disabled, and do not come back when it is enabled again', async () => {
    const world = await start();
    expect(await list(world)).toEqual([world.agentId]);
    await setSignIn(world.tenant, false);
    expect(await list(world)).toEqual([]);
    await setSignIn(world.tenant, true);
    expect(await list(world)).toEqual([]);
  });

  test('authorizing an agent again is an event, using it is none', async () => {
    const world = await start();
    const events = await listen(world);
    const agent = database().kysely.updateTable('agents').where('id', '=', world.agentId);
    await agent.set({ last_used_at: new Date() }).execute();
    expect(await events()).toEqual([]);
    await agent.set({ authorized_at: new Date(), scopes: ['read', 'write'] }).execute();
    expect(await events()).toMatchObject([{ type: 'agent.authorized', data: { scopes: ['read', 'write'] } }]);
  });
});
