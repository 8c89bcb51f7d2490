import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { firstTicketId, ticketKind, type TicketDesk } from '../../../test/ticket-kind.ts';

const path = '/api/v1/integrations/connectors';

onPostgresOrEachEngineInFull('changes with an idempotency key', database => {
  const desk: TicketDesk = { made: 0, started: () => {}, gate: Promise.resolve() };
  let service: TestService;
  let token: string;
  let id: string;
  beforeAll(async () => {
    const kind = ticketKind(desk);
    service = await startTestService(database(), { kinds: [kind] });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
    const body = {
      customer_name: 'acme',
      connector_type: kind.key,
      name: 'Tickets',
      credentials: { api_key: goodKey },
    };
    id = (await service.ask('POST', path, { token, body })).body.id;
  });
  beforeEach(() => {
    desk.made = 0;
  });
  afterAll(() => service.close());

  const create = (key: string, params: object = { outcome: 'made' }, signal?: AbortSignal) =>
    service.ask('POST', `${path}/${id}/execute`, {
      token,
      headers: { 'idempotency-key': key },
      body: { entity: 'tickets', action: 'create', params },
      ...(signal ? { signal } : {}),
    });

  test('are made once, and get the first response again', async () => {
    const first = await create('once');
    expect(first.status).toBe(200);
    expect((await create('once')).body).toEqual(first.body);
    expect((await create('another')).status).toBe(200);
    expect(desk.made).toBe(2);
  });

  test('are made once by concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create('crowd')));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(desk.made).toBe(1);
  });

  test('are rejected if the key was used for another change', async () => {
    await create('reused');
    const response = await create('reused', { outcome: 'made', parent: 1 });
    expect(response).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('are never repeated if their outcome is unknown', async () => {
    for (const _attempt of [1, 2, 3]) {
      const response = await create('lost', { outcome: 'no_response' });
      expect(response).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    }
    expect(desk.made).toBe(1);
  });

  test('are never repeated if the process that made them died', async () => {
    await create('crashed');
    await sql`update idempotency_keys set answer = null, lease_until = now() - interval '1 second'
      where key = 'crashed'`.execute(database().kysely);
    expect((await create('crashed')).body.code).toBe('outcome_unknown');
    expect(desk.made).toBe(1);
  });

  test('can be sent again with the same key after the vendor rejected them', async () => {
    expect((await create('rejected', { outcome: 'rejected' })).body.code).toBe('vendor_refused_request');
    expect((await create('rejected', { outcome: 'rejected' })).body.code).toBe('vendor_refused_request');
  });

  test('continue when the caller disconnects', async () => {
    const opened = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    Object.assign(desk, { gate: opened.promise, started: started.resolve });
    const leaving = new AbortController();
    const left = create('leaving', { outcome: 'slow' }, leaving.signal).catch(() => 'left');
    await started.promise;
    leaving.abort();
    expect(await left).toBe('left');
    opened.resolve();
    const again = await create('leaving', { outcome: 'slow' });
    expect(again.status).toBe(200);
    expect(desk.made).toBe(1);
  });

  test('without a key are made each time', async () => {
    const body = { entity: 'tickets', action: 'create', params: { outcome: 'made' } };
    for (const _attempt of [1, 2]) await service.ask('POST', `${path}/${id}/execute`, { token, body });
    expect(desk.made).toBe(2);
  });

  test('keep all digits of ids that are sent as strings, in the response to a repeated request too', async () => {
    const params = { outcome: 'made', parent: String(firstTicketId) };
    for (const _attempt of [1, 2]) {
      const { text } = await create('long', params);
      expect(text).toContain(`{"id":${firstTicketId},"parent":${firstTicketId}}`);
    }
    expect(desk.made).toBe(1);
  });
});
