import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { maxWebhooks, type WebhookDelivery } from '@connector-auth/api';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { deleteOldEvents } from './store.ts';

const webhooksPath = '/api/v1/webhooks';

/** A request that the receiver got, and whether its signature was right. */
interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Respond = (request: Received, response: ServerResponse) => void;
const accept: Respond = (_request, response) => void response.writeHead(204).end();

onPostgresOrEachEngineInFull('webhooks', (database, engine) => {
  let service: TestService;
  let receiver: Server;
  let url: string;
  let token: string;
  let organizationId: string;
  let tenants = 0;
  let respond: Respond;
  let received: Received[] = [];

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    // The service sends each of these headers once.
    const headers = request.headers as Record<string, string>;
    const got = { path: request.url ?? '', headers, body };
    received.push(got);
    respond(got, response);
  };

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void receive(request, response);
    });
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    service = await startTestService(database(), { settings: { isLocal: true } });
    await service.startJobs();
  });
  afterAll(async () => {
    await service.close();
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(async () => {
    received = [];
    respond = accept;
    const name = `tenant-${(tenants += 1)}`;
    service.advance(60_000);
    const application = await service.addApplication(name, [name]);
    [organizationId = ''] = application.organizationIds;
    token = await service.tokenOf(application);
  });
  afterEach(() => database().kysely.deleteFrom('webhooks').execute());

  const ask = (method: string, path: string, body?: unknown) =>
    service.ask(method, `${webhooksPath}${path}`, { token, ...(body === undefined ? {} : { body }) });
  const create = async (path = '/hook', more: object = {}): Promise<{ id: string; secret: string }> => {
    const response = await ask('POST', '', { url: `${url}${path}`, ...more });
    expect(response.status, response.text).toBe(201);
    return response.body;
  };
  const sendTest = async (id: string): Promise<string> => (await ask('POST', `/${id}/test`)).body.event_id;
  const deliveriesOf = async (id: string, query = ''): Promise<WebhookDelivery[]> =>
    (await ask('GET', `/${id}/deliveries${query}`)).body.data;
  const untilState = (id: string, eventId: string, state: string) =>
    until(async () => {
      const delivery = (await deliveriesOf(id)).find(({ event_id }) => event_id === eventId);
      expect(delivery?.state).toBe(state);
      return delivery;
    });
  /** Resolves once an event has had this number of attempts, and returns its delivery. */
  const untilAttempted = (id: string, eventId: string, attempts: number) =>
    until(async () => {
      const delivery = (await deliveriesOf(id)).find(({ event_id }) => event_id === eventId);
      expect(delivery).toMatchObject({ attempts, last_response: expect.any(String) });
      // During an attempt, the delivery belongs to the process for a minute.
      expect(waitMsOf(delivery)).not.toBe(60_000);
      return delivery;
    });
  const waitMsOf = (delivery: WebhookDelivery | undefined): number =>
    Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.last_attempt_at ?? '');
  /** Lets time pass for a webhook: moves everything that the database knows into the past, and wakes the worker. */
  const pass = async (id: string, hours: number, movesEvents = true): Promise<void> => {
    const ago = sql.raw(`interval '${hours} hours'`);
    await sql`update webhook_deliveries set due_at = due_at - ${ago}, last_attempt_at = last_attempt_at - ${ago}`.execute(
      database().kysely,
    );
    await sql`update webhooks set created_at = created_at - ${ago}, failing_since = failing_since - ${ago},
      previous_secret_expires_at = previous_secret_expires_at - ${ago}`.execute(database().kysely);
    if (movesEvents)
      await sql`update webhook_events set created_at = created_at - ${ago}`.execute(database().kysely);
    await ask('PATCH', `/${id}`, { description: 'Later' });
  };
  const connect = async (customer_name = 'acme'): Promise<string> => {
    const response = await service.ask('POST', '/api/v1/integrations/connectors', {
      token,
      body: { customer_name, connector_type: 'granola', name: 'Notes', credentials: { api_key: goodKey } },
    });
    expect(response.status, response.text).toBe(201);
    return response.body.id;
  };

  test('delivers an event with a signature that the library of Standard Webhooks accepts', async () => {
    const { id, secret } = await create('/hook', { events: ['connector.connected'] });
    const connectorId = await connect();
    const [request] = await until(() => {
      expect(received).toHaveLength(1);
      return received;
    });
    if (request === undefined) throw new Error('Nothing was received');
    const event = new Webhook(secret).verify(request.body, { ...request.headers });
    expect(event).toEqual({
      type: 'connector.connected',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        organization_id: organizationId,
        connector_id: connectorId,
        customer_name: 'acme',
        connector_type: 'granola',
        name: 'Notes',
      },
    });
    expect(() => new Webhook(secret).verify(`${request.body} `, { ...request.headers })).toThrow();
    const delivery = await untilState(id, request.headers['webhook-id'] ?? '', 'delivered');
    expect(delivery).toMatchObject({ attempts: 1, last_status: 204, body: event, next_attempt_at: null });
  });

  test('signs with both secrets after a rotation, until the previous one expires', async () => {
    const { id, secret } = await create();
    const rotated = (await ask('POST', `/${id}/rotate-secret`, {})).body;
    expect(rotated.secret).not.toBe(secret);
    await sendTest(id);
    await until(() => expect(received).toHaveLength(1));
    for (const each of [secret, rotated.secret]) {
      new Webhook(each).verify(received[0]?.body ?? '', { ...received[0]?.headers });
    }
    await pass(id, 25);
    await sendTest(id);
    await until(() => expect(received).toHaveLength(2));
    const [, last] = received;
    new Webhook(rotated.secret).verify(last?.body ?? '', { ...last?.headers });
    expect(() => new Webhook(secret).verify(last?.body ?? '', { ...last?.headers })).toThrow();
    const { body: leaked } = await ask('POST', `/${id}/rotate-secret`, { previous_hours: 0 });
    expect(leaked.previous_secret_expires_at).toBeNull();
    const { text: list } = await ask('GET', '');
    expect(list).not.toContain('whsec_');
  });

  test('retries an event eight times with growing delays and the same id and body, then gives up', async () => {
    const { id } = await create();
    respond = (_request, response) => void response.writeHead(500).end('<h1>Oops</h1>');
    const eventId = await sendTest(id);
    const hours = [0, 5 / 60, 0.5, 2, 5, 10, 10];
    for (const [index, min] of hours.entries()) {
      const delivery = await untilAttempted(id, eventId, index + 1);
      expect(delivery).toMatchObject({ state: 'pending', last_status: 500, last_response: '<h1>Oops</h1>' });
      const waitHours = waitMsOf(delivery) / 3_600_000;
      expect(waitHours).toBeGreaterThanOrEqual(min);
      expect(waitHours).toBeLessThan(min * 1.2 + 0.1);
      await pass(id, waitHours, false);
    }
    await untilState(id, eventId, 'failed');
    expect(received).toHaveLength(8);
    expect(new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`))).toHaveLength(1);
    expect((await ask('GET', `/${id}`)).body.status).toBe('failing');
    respond = accept;
    expect((await ask('POST', `/${id}/deliveries/${eventId}/resend`)).status).toBe(204);
    await untilState(id, eventId, 'delivered');
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ status: 'active', failing_since: null });
  });

  test('waits as long as Retry-After asks for', async () => {
    const { id } = await create();
    respond = (_request, response) => void response.writeHead(503, { 'retry-after': '7200' }).end();
    const delivery = await untilAttempted(id, await sendTest(id), 1);
    expect(waitMsOf(delivery)).toBeGreaterThanOrEqual(7_200_000);
  });

  test('switches a webhook off that responds 410, and says so in the audit log and in a metric', async () => {
    const { id } = await create();
    respond = (_request, response) => void response.writeHead(410).end();
    await untilState(id, await sendTest(id), 'failed');
    await until(async () => {
      const { body } = await ask('GET', `/${id}`);
      expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    });
    await until(async () => {
      const query = `?organization_id=${organizationId}&action=webhook.switched_off`;
      const { body } = await service.ask('GET', `/api/v1/admin/audit${query}`, { token: adminToken });
      expect(body.data).toMatchObject([{ target_id: id, actor: { type: 'service' } }]);
    });
    expect((await service.ask('GET', '/metrics')).text).toMatch(
      /^connector_auth_webhooks_switched_off_total [1-9]/m,
    );
  });

  test('follows no redirect, and keeps only the masked beginning of a response', async () => {
    const { id, secret } = await create();
    respond = ({ path }, response) => {
      if (path !== '/hook') return accept({ path, headers: {}, body: '' }, response);
      response.writeHead(302, { location: `${url}/elsewhere` });
      response.end(`secret: ${secret} ${'x'.repeat(10_000_000)}`);
    };
    const delivery = await untilAttempted(id, await sendTest(id), 1);
    expect(delivery).toMatchObject({ state: 'pending', last_status: 302 });
    expect(delivery?.last_response).toMatch(/^secret: \[redacted\] x+$/);
    expect(delivery?.last_response?.length).toBe(1_000);
    expect(received.map(({ path }) => path)).toEqual(['/hook']);
    expect(service.logged()).not.toContain(secret);
  });

  test('sends a webhook only the events that it has chosen', async () => {
    const { id } = await create('/chosen', { events: ['connector.disconnected'] });
    const connectorId = await connect();
    await service.ask('DELETE', `/api/v1/integrations/connectors/${connectorId}`, { token });
    await until(() => expect(received).toHaveLength(1));
    expect((await deliveriesOf(id)).map(({ type }) => type)).toEqual(['connector.disconnected']);
  });

  test('an endpoint that is down for six days is off after five, and gets everything by replay', async () => {
    const { id } = await create('/hook', { events: ['connector.connected'] });
    respond = (_request, response) => void response.destroy();
    const eventIds: string[] = [];
    for (let day = 0; day < 6; day += 1) {
      eventIds.push(await sendTest(id));
      if (day < 5) await untilAttempted(id, eventIds.at(-1) ?? '', 1);
      await pass(id, 24);
    }
    await connect();
    await until(async () => {
      const { body } = await ask('GET', `/${id}`);
      expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    });
    await connect('beta');
    respond = accept;
    received = [];
    const enabled = await ask('PATCH', `/${id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null });
    const missed = [...eventIds.map(() => 'webhook.test'), 'connector.connected', 'connector.connected'];
    // An event that was inserted while the webhook was switched off may still wait, and needs no replay.
    const { events } = (await ask('POST', `/${id}/replay`, {})).body;
    expect([missed.length - 1, missed.length]).toContain(events);
    await until(async () => expect(await deliveriesOf(id, '?state=delivered')).toHaveLength(missed.length));
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(expect.arrayContaining(eventIds));
    const types = received.map(({ body }) => String(JSON.parse(body).type));
    expect(types.toSorted()).toEqual(missed.toSorted());
    // Nothing is left to be sent, unless all of it is requested.
    expect((await ask('POST', `/${id}/replay`, {})).body).toEqual({ events: 0 });
    const [first = ''] = eventIds;
    const after = await ask('POST', `/${id}/replay`, { after_event: first, include_delivered: true });
    expect(after.body).toEqual({ events: missed.length - 1 });
  });

  test.runIf(engine === 'postgres')(
    'an event waits until readers can read the changes it reports',
    async () => {
      const { id } = await create('/late');
      // Those of other tests may still be on their way.
      const late = () => received.filter(({ path }) => path === '/late');
      const db = database().kysely;
      const older = await db.startTransaction().execute();
      await sql`select pg_current_xact_id()`.execute(older);
      await sql`insert into webhook_events (organization_id, type, data, read_from)
      select ${organizationId}, 'records.changed', '{}', feed_position(pg_current_xact_id(), 0, now(), pg_current_xact_id())
      `.execute(db);
      await until(async () => {
        const [delivery] = await deliveriesOf(id);
        expect(delivery).toMatchObject({ state: 'pending', attempts: 0 });
        expect(delivery?.next_attempt_at).not.toBe(delivery?.created_at);
      });
      expect(late()).toEqual([]);
      await older.commit().execute();
      await until(() => expect(late()).toHaveLength(1));
      expect(JSON.parse(late()[0]?.body ?? '').data.cursor).toEqual(expect.any(String));
    },
  );

  test('what is requested for a webhook that is off is sent once it is enabled', async () => {
    const { id } = await create();
    await untilState(id, await sendTest(id), 'delivered');
    await ask('PATCH', `/${id}`, { enabled: false });
    await sendTest(id);
    expect((await ask('POST', `/${id}/replay`, { include_delivered: true })).body).toEqual({ events: 2 });
    expect((await deliveriesOf(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['pending', 0],
      ['pending', 0],
    ]);
    received = [];
    await ask('PATCH', `/${id}`, { enabled: true });
    await until(() => expect(received).toHaveLength(2));
  });

  test('deletes events and deliveries after 30 days', async () => {
    const { id } = await create();
    await untilState(id, await sendTest(id), 'delivered');
    await pass(id, 24 * 30 + 1);
    await sendTest(id);
    expect(await deleteOldEvents(database().kysely, 100)).toBeGreaterThanOrEqual(1);
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  test('a webhook that never responds delays no other, of the same or of another organization', async () => {
    const slow = await Promise.all(Array.from({ length: maxWebhooks - 1 }, () => create('/slow')));
    const { id } = await create('/fast');
    respond = (request, response) => {
      if (request.path !== '/slow') accept(request, response);
    };
    for (const webhook of slow) await sendTest(webhook.id);
    await until(() => expect(received.filter(({ path }) => path === '/slow')).toHaveLength(slow.length));
    await untilState(id, await sendTest(id), 'delivered');
    const own = token;
    token = await service.tokenOf(await service.addApplication(`other-${tenants}`, [`other-${tenants}`]));
    const other = await create('/other');
    await untilState(other.id, await sendTest(other.id), 'delivered');
    token = own;
    const states = await Promise.all(slow.map(webhook => deliveriesOf(webhook.id)));
    // Each of them is still waiting for its response.
    expect(states.flat().map(({ last_response }) => last_response)).toEqual(slow.map(() => null));
    expect((await ask('POST', '', { url: `${url}/more` })).body.code).toBe('too_many_webhooks');
  });

  test('one organization can neither see nor change the webhooks and events of another', async () => {
    const { id } = await create();
    const eventId = await sendTest(id);
    await untilState(id, eventId, 'delivered');
    const other = await service.addApplication(`other-${tenants}`, [`other-${tenants}`]);
    const own = token;
    token = await service.tokenOf(other);
    const { id: othersId } = await create('/other');
    expect((await ask('GET', '')).body.data).toHaveLength(1);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['POST', '/rotate-secret', {}],
      ['GET', '/deliveries', undefined],
      ['POST', `/deliveries/${eventId}/resend`, undefined],
    ] as const) {
      expect((await ask(method, `/${id}${path}`, body)).body.code, `${method} ${path}`).toBe(
        'webhook_not_found',
      );
    }
    for (const path of [`/deliveries/${eventId}/resend`, '/replay']) {
      const body = path === '/replay' ? { after_event: eventId } : undefined;
      expect((await ask('POST', `/${othersId}${path}`, body)).body.code).toBe('event_not_found');
    }
    token = own;
    expect((await ask('GET', `/${id}`)).body.status).toBe('active');
  });

  test.each([
    ['http elsewhere', 'http://app.example.com/hook', 'malformed_request'],
    ['credentials', 'https://user:password@app.example.com/hook', 'malformed_request'],
    ['a private address', 'https://10.0.0.1/hook', 'invalid_params'],
    ['a private address in another notation', 'https://0x0a000001/hook', 'invalid_params'],
    ['a mapped address', 'https://[::ffff:10.0.0.1]/hook', 'invalid_params'],
    ['metadata of a cloud', 'https://169.254.169.254/latest', 'invalid_params'],
  ])('rejects a URL with %s', async (_title, to, code) => {
    const response = await ask('POST', '', { url: to });
    expect(response.body.code, response.text).toBe(code);
  });

  test('deleting a webhook deletes its deliveries, and a disabled one receives nothing', async () => {
    const { id } = await create();
    await ask('PATCH', `/${id}`, { enabled: false });
    await connect();
    expect(await deliveriesOf(id)).toEqual([]);
    expect(received).toEqual([]);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect((await ask('GET', `/${id}`)).body.code).toBe('webhook_not_found');
  });
});
