import { kinds } from '@connector-auth/connectors';
import { beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { connectorsPath, quick, useIncidentHarness, type Tenant } from '../../../test/incident-harness.ts';
import { adminToken, type RequestOptions } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import type { AuditEntry } from '../../platform/audit-log/entry.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { deleteDueConnectors } from './delete.ts';

onPostgresOrEachEngineInFull('a connector that is deleted with time to undo it', database => {
  const harness = useIncidentHarness(database);
  beforeEach(() => database().kysely.deleteFrom('customers').execute());
  const ask = (method: string, path: string, asking: RequestOptions) =>
    harness.service.ask(method, `${connectorsPath}${path}`, asking);
  const disconnect = async ({ token }: Pick<Tenant, 'token'>, id: string, seconds = 60): Promise<void> => {
    const response = await ask('DELETE', `/${id}?undo_seconds=${seconds}`, { token });
    expect(response.status, response.text).toBe(204);
  };
  const restore = ({ token }: Pick<Tenant, 'token'>, id: string) => ask('POST', `/${id}/restore`, { token });
  const codeOf = async (response: ReturnType<typeof ask>) => (await response).body.code;
  const connectGoogle = async (tenant: Tenant): Promise<string> => {
    const response = await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    expect(response.status, response.text).toBe(201);
    return response.body.id;
  };
  const rowOf = (id: string) =>
    database().kysely.selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst();
  const letTimePass = (id: string) =>
    database()
      .kysely.updateTable('connectors')
      .set({ delete_at: new Date(0) })
      .where('id', '=', id)
      .execute();
  /** Does once what the service does every two seconds. Returns the audit log's entries of that. */
  const deleteDue = async (): Promise<readonly AuditEntry[]> => {
    const { log } = harness.service;
    const { kysely: db } = database();
    const recorded: AuditEntry[] = [];
    const notifications = openNotifications(database(), null, log);
    const audit = { recordChange: (entry: AuditEntry) => void recorded.push(entry) };
    const context = { db, kinds: createKindRegistry(kinds), notifications, log, audit };
    await deleteDueConnectors(context, new AbortController().signal);
    await notifications.close();
    return recorded;
  };
  const auditOf = async (id: string): Promise<string[]> => {
    const path = `/api/v1/admin/audit?connector_id=${id}`;
    const { body } = await harness.service.ask('GET', path, { token: adminToken });
    return body.data.map(
      (entry: { action: string; actor: { type: string } }) => `${entry.action} ${entry.actor.type}`,
    );
  };
  const eventsOf = (id: string): unknown[] =>
    harness.service
      .logged()
      .split('\n')
      .filter(line => line.includes(id))
      .map(line => JSON.parse(line) as { event: string; caller?: string })
      .filter(({ event }) => event.startsWith('connector_'))
      .map(({ event, caller }) => `${event} ${caller}`);

  test('cannot be used or seen by any caller, and is as it was once that is undone', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGranola(tenant);
    const scoped = await harness.service.customerToken(tenant.token, { customer_name: 'acme' });
    const before = (await ask('GET', `/${id}`, tenant)).body;
    const reading = { token: scoped, body: { entity: 'notes', action: 'list' } };
    const searching = { token: scoped, body: { entity: 'notes', action: 'search', params: { query: {} } } };
    expect((await ask('POST', `/${id}/execute`, reading)).status).toBe(200);
    await disconnect({ token: scoped }, id);

    for (const token of [tenant.token, scoped]) {
      expect((await ask('GET', '', { token })).body.data).toEqual([]);
      expect(await codeOf(ask('GET', `/${id}`, { token }))).toBe('connector_not_found');
      expect(await codeOf(ask('GET', `/${id}/accounts`, { token }))).toBe('connector_not_found');
      expect(await codeOf(ask('POST', `/${id}/check`, { token }))).toBe('connector_not_found');
      expect(await codeOf(ask('POST', `/${id}/sync`, { token }))).toBe('connector_not_found');
      const body = { name: 'Renamed' };
      expect(await codeOf(ask('PATCH', `/${id}`, { token, body }))).toBe('connector_not_found');
    }
    expect(await codeOf(ask('POST', `/${id}/execute`, reading))).toBe('connector_not_found');
    expect(await codeOf(ask('POST', `/${id}/execute`, searching))).toBe('connector_not_found');
    expect((await harness.ask('GET', '/api/v1/admin/connectors')).body.data).toEqual([]);
    expect((await harness.ask('GET', `/api/v1/admin/connectors/${id}`)).status).toBe(404);
    expect((await harness.ask('POST', `/api/v1/admin/connectors/${id}/enable`)).status).toBe(404);
    expect((await harness.ask('GET', '/api/v1/admin/customers')).body.data).toMatchObject([
      { connectors: 0 },
    ]);

    const restored = await restore({ token: scoped }, id);
    expect(restored.status).toBe(200);
    expect(before).toMatchObject(restored.body);
    expect((await restore({ token: scoped }, id)).body).toEqual(restored.body);
    expect((await ask('GET', '', { token: tenant.token })).body.data).toEqual([restored.body]);
    expect((await ask('POST', `/${id}/execute`, reading)).status).toBe(200);
    expect(await deleteDue()).toEqual([]);
    expect(eventsOf(id)).toEqual(['connector_created application']);
    await until(async () => {
      const entries = await auditOf(id);
      expect(entries).toEqual(
        expect.arrayContaining([
          'connector.deletion_requested customer_token',
          'connector.restored customer_token',
        ]),
      );
      expect(entries).not.toContainEqual(expect.stringContaining('connector.deleted '));
    });
  });

  test('is deleted and revoked after the time, and only then reported as deleted', async () => {
    const tenant = await harness.addTenant();
    const id = await connectGoogle(tenant);
    harness.sandbox.control.requests.clear();
    await disconnect(tenant, id);
    const { delete_at: due } = (await rowOf(id)) ?? {};
    await disconnect(tenant, id, 1);
    expect((await rowOf(id))?.delete_at).toEqual(due);
    expect(await deleteDue()).toEqual([]);
    expect(await rowOf(id)).toBeDefined();

    await letTimePass(id);
    expect(await codeOf(restore(tenant, id))).toBe('connector_not_found');
    const worker = harness.service.startRevocations(quick);
    expect(await deleteDue()).toMatchObject([
      { action: 'connector.deleted', actor: { type: 'service' }, connectorId: id, outcome: 'ok' },
    ]);
    expect(await rowOf(id)).toBeUndefined();
    await until(() => expect(harness.revocationRequests()).toBe(1));
    await worker.close();
    expect(eventsOf(id)).toEqual(['connector_created application', 'connector_deleted service']);
    expect(await deleteDue()).toEqual([]);
  });

  test('is restored only by callers that may delete it, and by no other customer or organization', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const id = await harness.connectGranola(own);
    await disconnect(own, id);
    const tokenWith = (limits: object) =>
      harness.service.customerToken(own.token, { customer_name: 'acme', ...limits });
    for (const [token, code] of [
      [other.token, 'connector_not_found'],
      [await tokenWith({ customer_name: 'beta' }), 'connector_not_found'],
      [
        await tokenWith({ allowed_management: ['create', 'rename', 'reconnect', 'settings'] }),
        'management_not_allowed',
      ],
      [await tokenWith({ allowed_sources: ['gong'] }), 'source_not_allowed'],
    ] as const)
      expect(await codeOf(restore({ token }, id))).toBe(code);
    expect((await rowOf(id))?.delete_at).not.toBeNull();
    expect((await restore({ token: await tokenWith({ allowed_management: ['delete'] }) }, id)).status).toBe(
      200,
    );
  });

  test.each([
    ['an integrator', (id: string, { token }: Tenant) => ask('DELETE', `/${id}`, { token })],
    ['an operator', (id: string) => harness.ask('DELETE', `/api/v1/admin/connectors/${id}`)],
    [
      'the deletion of its customer',
      (_id: string, { token }: Tenant) => harness.service.ask('DELETE', '/api/v1/customers/acme', { token }),
    ],
  ])('is deleted and revoked at once by %s', async (_who, remove) => {
    const tenant = await harness.addTenant();
    const id = await connectGoogle(tenant);
    harness.sandbox.control.requests.clear();
    await disconnect(tenant, id);
    expect((await remove(id, tenant)).status).toBe(204);
    expect(await rowOf(id)).toBeUndefined();
    const worker = harness.service.startRevocations(quick);
    await until(() => expect(harness.revocationRequests()).toBe(1));
    await worker.close();
  });

  test('is kept while an incident needs its grant, and deleted afterwards', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGranola(tenant);
    await disconnect(tenant, id);
    const incident = await harness.declare({ organization: tenant.organizationId });
    const token = await harness.service.tokenOf(tenant.application);
    expect(await codeOf(restore({ token }, id))).toBe('connector_frozen');
    await letTimePass(id);
    expect(await deleteDue()).toEqual([]);
    expect(await rowOf(id)).toBeDefined();
    await harness.undo(incident.id);
    expect(await deleteDue()).toHaveLength(1);
    expect(await rowOf(id)).toBeUndefined();
  });

  test('does not keep its account from being connected again, and its end leaves the new connector working', async () => {
    const tenant = await harness.addTenant();
    const first = await connectGoogle(tenant);
    await disconnect(tenant, first);
    const second = await connectGoogle(tenant);
    harness.sandbox.control.requests.clear();
    await letTimePass(first);
    expect(await deleteDue()).toHaveLength(1);
    const worker = harness.service.startRevocations(quick);
    const queued = database().kysely.selectFrom('grant_revocations').where('incident_id', 'is', null);
    await until(async () => expect(await queued.select('id').execute()).toEqual([]));
    await worker.close();
    expect(harness.revocationRequests()).toBe(0);
    expect((await harness.execute(tenant, second)).body.status).toBe('healthy');
  });
});
