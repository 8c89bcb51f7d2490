import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { bothKinds, firstKind, secondKind } from '../../../test/second-kind.ts';
import { keyRing, startTestService, type TestService } from '../../../test/test-service.ts';

const path = '/api/v1/integrations/connectors';

onPostgresOrEachEngineInFull('idempotency keys', database => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    await database().kysely.deleteFrom('idempotency_keys').execute();
    service.sandbox.control.reset();
  });
  afterAll(() => service.close());

  const create = (
    key: string,
    changes: Readonly<Record<string, unknown>> = {},
    as = token,
    signal?: AbortSignal,
  ) =>
    service.ask('POST', path, {
      token: as,
      headers: { 'idempotency-key': key },
      body: {
        customer_name: 'acme',
        connector_type: firstKind.key,
        name: 'Notes',
        credentials: { api_key: goodKey },
        ...changes,
      },
      ...(signal ? { signal } : {}),
    });
  const connectorCount = async (): Promise<number> =>
    (await database().kysely.selectFrom('connectors').select('id').execute()).length;
  const vendorCalls = (): number => service.sandbox.control.requests.count({ vendor: 'granola' });

  test('returns the first response to a repeated request without calling the vendor again', async () => {
    const first = await create('a');
    const again = await create('a');
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(await connectorCount()).toBe(1);
    expect(vendorCalls()).toBe(1);
  });

  test('creates one connector for many concurrent requests with the same key', async () => {
    service.sandbox.control.faults.add({ vendor: 'granola', latencyMs: 100 });
    const responses = await Promise.all(Array.from({ length: 12 }, () => create('crowd')));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await connectorCount()).toBe(1);
    expect(vendorCalls()).toBe(1);
  });

  test('rejects a different body with the same key, even while the first request is running', async () => {
    const held = service.holdVendorRequest();
    const running = create('b');
    const release = await held;
    const during = await create('b', { name: 'Another' });
    expect(during.status).toBe(422);
    expect(during.body.code).toBe('idempotency_key_reused');
    release();
    expect((await running).status).toBe(201);
    expect((await create('b', { credentials: { api_key: 'grn_sandbox_second' } })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect(await connectorCount()).toBe(1);
  });

  test('separates idempotency keys by customer and organization', async () => {
    await service.addApplication('other', ['Other']);
    const elsewhere = await service.tokenOf({
      clientId: 'other',
      clientSecret: 'secret-of-other',
      organizationIds: [],
    });
    const responses = [
      await create('c'),
      await create('c', { customer_name: 'beta' }),
      await create('c', {}, elsewhere),
    ];
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(3);
  });

  test('accepts a key with any body after a failed request', async () => {
    expect((await create('d', { credentials: { api_key: 'grn_wrong' } })).status).toBe(422);
    expect((await create('d')).status).toBe(201);
  });

  test('accepts a key again after the caller disconnected', async () => {
    const hang = service.sandbox.control.faults.add({ vendor: 'granola', hang: true });
    const leaving = new AbortController();
    const left = create('e', {}, token, leaving.signal).catch((error: unknown) => error);
    await service.untilVendorRequest();
    const cut = service.sandbox.control.requests.next({ vendor: 'granola' });
    leaving.abort();
    await left;
    // The request to the vendor is cancelled too.
    expect((await cut).status).toBeNull();
    service.sandbox.control.faults.remove(hang.id);
    expect((await create('e')).status).toBe(201);
    expect(await connectorCount()).toBe(1);
  });

  test('takes over a key from a dead process only if the body is the same', async () => {
    expect((await create('f')).status).toBe(201);
    const { kysely } = database();
    await kysely.deleteFrom('connectors').execute();
    await kysely
      .updateTable('idempotency_keys')
      .set({ answer: null, lease_until: sql<Date>`now() - interval '1 second'` })
      .execute();
    expect((await create('f', { name: 'Another' })).body.code).toBe('idempotency_key_reused');
    expect((await create('f')).status).toBe(201);
    expect(await connectorCount()).toBe(1);
  });

  test('rejects the result of an attempt that has lost its key', async () => {
    const held = service.holdVendorRequest();
    const stalled = create('g');
    const release = await held;
    await database()
      .kysely.updateTable('idempotency_keys')
      .set({ lease_until: sql<Date>`now() - interval '1 second'` })
      .execute();
    const faster = await create('g');
    expect(faster.status).toBe(201);
    release();
    expect((await stalled).status).toBe(503);
    expect(await connectorCount()).toBe(1);
    expect((await create('g')).body.id).toBe(faster.body.id);
  });

  test('accepts a key with a different body after 24 hours', async () => {
    const first = await create('h');
    await database()
      .kysely.updateTable('idempotency_keys')
      .set({ expires_at: sql<Date>`expires_at - interval '24 hours 1 second'` })
      .execute();
    const other = await create('h', { connector_type: secondKind.key });
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('recognizes a repeated request after a signing key rotation', async () => {
    const first = await create('i');
    const [newer] = keyRing('newer', 9);
    const restarted = await startTestService(database(), {
      kinds: bothKinds,
      signingKeys: [newer, ...service.signingKeys],
      sandbox: service.sandbox,
    });
    const body = {
      customer_name: 'acme',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    const again = await restarted.ask('POST', path, { token, body, headers: { 'idempotency-key': 'i' } });
    await restarted.close();
    expect(again.body).toEqual(first.body);
  });

  test('does not store readable credentials with an idempotency key', async () => {
    await create('j');
    const rows = await database().kysely.selectFrom('idempotency_keys').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('grn_');
  });
});
