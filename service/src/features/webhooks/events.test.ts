import { eventSchema, type EventName, type WebhookDelivery, type WebhookEvent } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { connectorsPath, useIncidentHarness, type Tenant } from '../../../test/incident-harness.ts';
import { useLinkHarness } from '../../../test/link-harness.ts';
import { adminToken, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';

/** Adds a webhook to an organization, and returns a function that returns its events, oldest first. */
async function listenTo(service: TestService, organizationId: string) {
  const path = `/api/v1/admin/organizations/${organizationId}/webhooks`;
  const body = { url: 'https://app.example.com/events' };
  const { body: webhook, text } = await service.ask('POST', path, { token: adminToken, body });
  expect(webhook.secret, text).toMatch(/^whsec_/);
  return async (): Promise<readonly WebhookEvent[]> => {
    const list = await service.ask('GET', `${path}/${webhook.id}/deliveries`, { token: adminToken });
    const deliveries: readonly WebhookDelivery[] = list.body.data;
    return deliveries.toReversed().map(({ type, body }) => {
      const schema = eventSchema(type);
      expect(schema.parse(body), type).toEqual(body);
      expect(JSON.stringify(body).length).toBeLessThan(20_000);
      // The schema has just accepted it.
      return body as unknown as WebhookEvent;
    });
  };
}

const typesOf = (events: readonly WebhookEvent[]): EventName[] => events.map(({ type }) => type);

onPostgresOrEachEngineInFull('events', database => {
  const harness = useIncidentHarness(database);
  const start = async (): Promise<{ tenant: Tenant; events: () => Promise<readonly WebhookEvent[]> }> => {
    const tenant = await harness.addTenant();
    return { tenant, events: await listenTo(harness.service, tenant.organizationId) };
  };
  const ask = (tenant: Tenant, method: string, path: string, body?: object) =>
    harness.service.ask(method, path, { token: tenant.token, ...(body ? { body } : {}) });
  afterEach(() => database().kysely.deleteFrom('webhooks').execute());

  test('report each change of what callers see of a connector, once', async () => {
    const { tenant, events } = await start();
    const id = await harness.connectGranola(tenant);
    const path = `${connectorsPath}/${id}`;
    await ask(tenant, 'PATCH', path, { name: 'Renamed' });
    await ask(tenant, 'PATCH', path, { credentials: { api_key: goodKey } });
    for (const act of ['disable', 'disable', 'enable']) {
      await harness.ask('POST', `/api/v1/admin/connectors/${id}/${act}`);
    }
    await ask(tenant, 'DELETE', `${path}?undo_seconds=30`);
    await ask(tenant, 'POST', `${path}/restore`);
    await ask(tenant, 'DELETE', path);
    expect(typesOf(await events())).toEqual([
      'connector.connected',
      'connector.reconnected',
      'connector.disabled',
      'connector.restored',
      'connector.disconnected',
      'connector.restored',
      'connector.disconnected',
    ]);
    expect((await events()).at(-1)?.data).toEqual({
      organization_id: tenant.organizationId,
      connector_id: id,
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Renamed',
    });
  });

  test('a connector that needs credentials comes with the body of a request for a reconnect link', async () => {
    const { tenant, events } = await start();
    const id = await harness.connectGranola(tenant);
    harness.sandbox.control.faults.add({ vendor: 'granola', status: 401, count: 1 });
    await harness.execute(tenant, id);
    const [, event] = await events();
    if (event?.type !== 'connector.needs_reauth') throw new Error(`Unexpected event ${event?.type}`);
    await ask(tenant, 'PATCH', '/api/v1/organization', { connect_helper_url: 'https://app.example/helper' });
    const link = await ask(tenant, 'POST', '/api/v1/integrations/connect-links', event.data.reconnect);
    expect(link.status, link.text).toBe(201);
    await ask(tenant, 'PATCH', `${connectorsPath}/${id}`, { credentials: { api_key: goodKey } });
    expect(typesOf(await events()).slice(2)).toEqual(['connector.reconnected']);
  });

  test('refreshing a token is no event', async () => {
    const { tenant, events } = await start();
    const id = await harness.connectGoogle(tenant);
    const { status } = await harness.execute(tenant, id);
    expect(status).toBe(200);
    expect(typesOf(await events())).toEqual(['connector.connected']);
  });

  test('deleting a customer disconnects each of its connectors, and names the customer', async () => {
    const { tenant, events } = await start();
    const ids = [await harness.connectGranola(tenant, 'beta'), await harness.connectGranola(tenant, 'beta')];
    await ask(tenant, 'DELETE', '/api/v1/customers/beta');
    const disconnected = (await events()).slice(2);
    expect(disconnected).toHaveLength(2);
    for (const { type, data } of disconnected) {
      expect([type, data]).toMatchObject(['connector.disconnected', { customer_name: 'beta' }]);
    }
    expect(disconnected.map(({ data }) => 'connector_id' in data && data.connector_id)).toEqual(
      expect.arrayContaining(ids),
    );
  });

  test('an incident is reported to the organizations that it concerns, without the reason', async () => {
    const [own, other, without] = [await start(), await start(), await start()];
    await harness.connectGranola(own.tenant);
    await harness.connectGranola(other.tenant);
    await harness.connectGoogle(without.tenant);
    const ofKind = await harness.declare({ kind: 'granola', reason: 'Leak at Acme' });
    await harness.undo(ofKind.id);
    const reported = [
      'connector.connected',
      'incident.declared',
      'connector.frozen',
      'incident.undone',
      'connector.restored',
    ];
    expect(typesOf(await own.events())).toEqual(reported);
    expect(typesOf(await other.events())).toEqual(reported);
    expect(typesOf(await without.events())).toEqual(['connector.connected']);
    const [, declared] = await other.events();
    expect(declared?.data).toEqual({
      organization_id: other.tenant.organizationId,
      incident_id: ofKind.id,
      scope: 'kind',
      customer_name: null,
      connector_type: 'granola',
    });
    await harness.declare({ customer: { organization: own.tenant.organizationId, name: 'acme' } });
    expect((await own.events()).at(-2)?.data).toMatchObject({ scope: 'customer', customer_name: 'acme' });
    await harness.declare({ application: other.tenant.applicationId });
    expect((await other.events()).at(-1)?.data).toMatchObject({ scope: 'application', customer_name: null });
    expect(typesOf(await own.events())).toHaveLength(reported.length + 2);
  });

  test('a sync reports its first data, its end if something changed, failing and recovering', async () => {
    const { tenant, events } = await start();
    const syncing = await harness.service.startSync({ pollMs: 20 });
    const id = await harness.connectGranola(tenant);
    const untilTypes = (...types: EventName[]) =>
      until(async () => expect(typesOf(await events())).toEqual(types));
    const first: EventName[] = ['connector.connected', 'sync.first_data', 'sync.finished'];
    await untilTypes(...first);
    const syncAgain = () => ask(tenant, 'POST', `${connectorsPath}/${id}/sync`);
    const stateOf = async () =>
      (await ask(tenant, 'GET', `${connectorsPath}/${id}`)).body.sync.entities.notes as Record<
        string,
        string
      >;
    const { last_synced_at: before } = await stateOf();
    await syncAgain();
    await until(async () => expect((await stateOf())['last_synced_at']).not.toBe(before));
    await untilTypes(...first);
    harness.sandbox.control.faults.add({ vendor: 'granola', status: 403 });
    await syncAgain();
    await until(async () => {
      await sql`update synced_entities set resume_at = now() where failures between 1 and 2 and lease_id is null`.execute(
        database().kysely,
      );
      expect(typesOf(await events())).toEqual([...first, 'sync.failing']);
    });
    expect((await events()).at(-1)?.data).toMatchObject({
      entity: 'notes',
      error_code: 'vendor_permission_missing',
    });
    harness.sandbox.control.faults.clear();
    await syncAgain();
    await untilTypes(...first, 'sync.failing', 'sync.recovered');
    const { records } = await stateOf();
    const [, firstData, finished] = await events();
    expect(finished?.data).toMatchObject({ records });
    // The whole first run can be read from both on.
    for (const event of [firstData, finished]) {
      if (event?.type !== 'sync.first_data' && event?.type !== 'sync.finished') throw new Error('No cursor');
      const path = `/api/v1/integrations/changes?cursor=${event.data.cursor}`;
      await until(async () =>
        expect((await ask(tenant, 'GET', path)).body.changes).toHaveLength(Number(records)),
      );
    }
    await syncing.close();
  });

  test('an organization without a webhook has no events', async () => {
    const tenant = await harness.addTenant();
    await harness.connectGranola(tenant);
    await ask(tenant, 'DELETE', '/api/v1/customers/acme');
    const stored = await database()
      .kysely.selectFrom('webhook_events')
      .select('id')
      .where('organization_id', '=', tenant.organizationId)
      .execute();
    expect(stored).toEqual([]);
  });
});

onPostgresOrEachEngineInFull('events of links', database => {
  const harness = useLinkHarness(database);

  test('a used link is reported with its connector', async () => {
    const link = await harness.create();
    const [row] = await database()
      .kysely.selectFrom('connect_links')
      .select('organization_id as id')
      .execute();
    const events = await listenTo(harness.consent.service, row?.id ?? '');
    const { body } = await harness.connect(await harness.asPage(await harness.openConfirmed(link)));
    expect(typesOf(await events())).toEqual(['connector.connected', 'link.used']);
    expect((await events()).at(-1)?.data).toMatchObject({
      link_id: link.id,
      connector_id: body.id,
      customer_name: 'acme',
    });
  });
});
