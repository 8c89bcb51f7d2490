import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../test/test-service.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { until } from '../../test/until.ts';
import { runCommandLine } from './run.ts';

/** A request that the developer's server got. */
interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

onPostgresOrEachEngineInFull('events listen', database => {
  let service: TestService;
  let receiver: Server;
  let forward: string;
  let token: string;
  let organizationId: string;
  let status: number;
  let received: Received[] = [];
  const running = new Set<AbortController>();

  beforeAll(async () => {
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      // The command sends each of these headers once.
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body: await text(request) });
      response.writeHead(status).end('Thanks');
    };
    receiver = createServer((request, response) => {
      void receive(request, response);
    });
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
    forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    service = await startTestService(database());
    // The service must not send what a listener fetches.
    await service.startJobs();
    const application = await service.addApplication('Fieldbook', ['Fieldbook']);
    [organizationId = ''] = application.organizationIds;
    token = await service.tokenOf(application);
  });
  afterAll(async () => {
    await service.close();
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(() => {
    status = 204;
    received = [];
  });
  afterEach(async () => {
    for (const each of running) each.abort();
    await database().kysely.deleteFrom('webhooks').execute();
  });

  /** Starts the command; `stop` ends it as Ctrl-C does. */
  function listen(...more: string[]) {
    const controller = new AbortController();
    running.add(controller);
    const terminal = testTerminal({ interrupted: controller.signal });
    const environment = { CONNECTOR_AUTH_URL: service.url, CONNECTOR_AUTH_ADMIN_KEY: adminToken };
    const args = ['events', 'listen', '--forward', forward, '--name', 'laptop', ...more];
    const ended = runCommandLine(args, { environment, terminal, kinds: [] });
    const stop = (): Promise<number> => {
      controller.abort();
      return ended;
    };
    return { terminal, ended, stop };
  }
  const ask = (method: string, path: string, body?: unknown) =>
    service.ask(method, `/api/v1/webhooks${path}`, { token, ...(body === undefined ? {} : { body }) });
  const listener = () =>
    until(async () => {
      const { data } = (await ask('GET', '')).body;
      expect(data).toEqual([expect.objectContaining({ url: 'listen:laptop', status: 'active' })]);
      return String(data[0].id);
    });
  const deliveriesOf = async (id: string) => (await ask('GET', `/${id}/deliveries`)).body.data;

  test('forwards each event signed, and continues where it stopped', async () => {
    const first = listen('--organization-id', organizationId);
    const id = await listener();
    const [, secret = ''] = await until(() => {
      const shown = /shown only now: (whsec_\S+)/.exec(first.terminal.noted());
      return shown ?? expect.fail(first.terminal.noted());
    });
    const tested = (await ask('POST', `/${id}/test`)).body.event_id;
    await until(() => expect(received).toHaveLength(1));
    const [request] = received;
    expect(new Webhook(secret).verify(request?.body ?? '', { ...request?.headers })).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id },
    });
    await until(async () =>
      expect(await deliveriesOf(id)).toEqual([
        expect.objectContaining({ event_id: tested, state: 'delivered', attempts: 1, last_status: 204 }),
      ]),
    );
    expect(first.terminal.printed()).toMatch(/^[\d:]{8} {2}webhook\.test +204 {2}\d+ ms {2}[\da-f-]{36}$/);
    expect(await first.stop()).toBe(0);

    const missed = (await ask('POST', `/${id}/test`)).body.event_id;
    // The service sends a later event of another webhook, but not this one.
    const { id: sent } = (await ask('POST', '', { url: 'https://app.example.com/events' })).body;
    await ask('POST', `/${sent}/test`);
    await until(async () =>
      expect(await deliveriesOf(sent)).toEqual([
        expect.objectContaining({ attempts: 1, last_response: expect.any(String) }),
      ]),
    );
    expect((await deliveriesOf(id))[0]).toMatchObject({ event_id: missed, attempts: 0 });
    const second = listen();
    await until(() => expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([tested, missed]));
    expect(await second.stop()).toBe(0);
    expect(second.terminal.noted()).not.toContain('whsec_');
    // Stopping reports what the service did not know yet, and only the listener has made an attempt.
    expect(await deliveriesOf(id)).toEqual([
      expect.objectContaining({ event_id: missed, state: 'delivered', attempts: 1 }),
      expect.objectContaining({ event_id: tested, state: 'delivered' }),
    ]);
  });

  test('sends an event again that the server did not accept', async () => {
    status = 500;
    const command = listen();
    const id = await listener();
    await ask('POST', `/${id}/test`);
    const failed = await until(async () => {
      const [delivery] = await deliveriesOf(id);
      expect(delivery).toMatchObject({ state: 'pending', last_status: 500, last_response: 'Thanks' });
      return delivery;
    });
    expect(Date.parse(failed.next_attempt_at) - Date.parse(failed.last_attempt_at)).toBeLessThan(60_000);
    status = 200;
    await sql`update webhook_deliveries set due_at = now()`.execute(database().kysely);
    await ask('PATCH', `/${id}`, { description: 'Wakes the listener' });
    await until(() => expect(received).toHaveLength(2));
    expect(received[1]).toMatchObject({
      body: received[0]?.body,
      headers: { 'webhook-id': failed.event_id },
    });
    expect(await command.stop()).toBe(0);
    expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('receives no events of a webhook to which the service sends them', async () => {
    const { id } = (await ask('POST', '', { url: 'https://app.example.com/events' })).body;
    const response = await ask('POST', `/${id}/receive`, {});
    expect([response.status, response.body.code]).toEqual([422, 'invalid_params']);
  });

  test('limits the waiting requests of an organization', async () => {
    const { id } = (await ask('POST', '', { url: 'listen:many' })).body;
    const leave = new AbortController();
    const options = { token, body: { wait_seconds: 30 }, signal: leave.signal };
    const waiting = Array.from({ length: 11 }, () =>
      service.ask('POST', `/api/v1/webhooks/${id}/receive`, options).catch(() => null),
    );
    const first = await Promise.race(waiting);
    expect([first?.status, first?.body.code]).toEqual([429, 'rate_limited']);
    leave.abort();
    await Promise.all(waiting);
  });

  test.each([
    [['events', 'listen'], '--forward <url> is required'],
    [['events', 'listen', '--forward', 'localhost:3000'], '--forward must be an http or https URL'],
    [['events', 'listen', '--forward', 'http://localhost', '--name', 'a b'], '--name must consist of'],
    [['events', 'lists'], 'Did you mean "events listen"?'],
  ])('rejects %j', async (args, message) => {
    const terminal = testTerminal();
    expect(await runCommandLine(args, { environment: {}, terminal, kinds: [] })).toBe(2);
    expect(terminal.noted()).toContain(message);
  });
});
