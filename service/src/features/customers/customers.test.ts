import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const connectors = '/api/v1/integrations/connectors';

onPostgresOrEachEngineInFull('customers', database => {
  let service: TestService;
  let organizationId: string;
  let token: string;
  let elsewhere: string;

  beforeAll(async () => {
    service = await startTestService(database());
    const application = await service.addApplication('own', ['Own']);
    organizationId = String(application.organizationIds[0]);
    token = await service.tokenOf(application);
    elsewhere = await service.tokenOf(await service.addApplication('other', ['Other']));
  });
  afterAll(() => service.close());

  const names = async (of = token): Promise<string[]> => {
    const response = await service.ask('GET', '/api/v1/customers?limit=1000', { token: of });
    return response.body.data.map(({ name }: { name: string }) => name);
  };
  const connect = (customer_name: string, api_key = goodKey) =>
    service.ask('POST', connectors, {
      token,
      body: { customer_name, connector_type: firstKind.key, name: 'Notes', credentials: { api_key } },
    });

  test('creates a customer once, on first use by a token or connector', async () => {
    await service.customerToken(token, { customer_name: 'by-scoped' });
    await service.customerToken(token, { customer_name: 'by-widget', allowed_origin: 'https://app.example' });
    expect((await connect('by-connector')).status).toBe(201);
    await service.customerToken(token, { customer_name: 'by-connector' });
    expect(await names()).toEqual(['by-connector', 'by-scoped', 'by-widget']);
    expect(await names(elsewhere)).toEqual([]);
  });

  test('does not create a customer for a list request or a rejected connector creation', async () => {
    await service.ask('GET', `${connectors}?customer_name=looked-for`, { token });
    await service.ask('DELETE', '/api/v1/customers/looked-for', { token });
    expect((await connect('rejected', 'grn_wrong')).status).toBe(422);
    const created = await names();
    expect(created).not.toContain('looked-for');
    expect(created).not.toContain('rejected');
  });

  test('creates a customer once for a hundred concurrent requests', async () => {
    const mint = () => service.customerToken(token, { customer_name: 'crowd' });
    await Promise.all(Array.from({ length: 100 }, mint));
    expect((await names()).filter(name => name === 'crowd')).toEqual(['crowd']);
  });

  test('treats names that differ in case, accents or spaces as different customers', async () => {
    const similar = ['Zoë', 'zoë', 'Zoe', ' Zoe', 'Zoe\u0301', '😀 & "co"/%2F'];
    for (const customer_name of similar) await service.customerToken(token, { customer_name });
    const created = await names();
    for (const name of similar) expect(created).toContain(name);
    const odd = encodeURIComponent('😀 & "co"/%2F');
    expect((await service.ask('DELETE', `/api/v1/customers/${odd}`, { token })).status).toBe(204);
  });

  test('lists each customer once, sorted by name, page by page', async () => {
    for (let count = 0; count < 25; count += 1) {
      await service.customerToken(elsewhere, { customer_name: `customer ${String(count).padStart(2, '0')}` });
    }
    const seen: string[] = [];
    let query = '?limit=10';
    const sizes: number[] = [];
    for (;;) {
      const { body } = await service.ask('GET', `/api/v1/customers${query}`, { token: elsewhere });
      sizes.push(body.data.length);
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      expect(body.meta.has_more).toBe(body.meta.cursor !== null);
      if (body.meta.cursor === null) break;
      query = `?limit=10&cursor=${encodeURIComponent(body.meta.cursor)}`;
    }
    expect(sizes).toEqual([10, 10, 5]);
    expect(seen).toEqual([...seen].sort());
    expect(new Set(seen).size).toBe(25);
  });

  test.each(['["a\\u0000b"]', '[""]', '["a", "b"]', '{}', 'x'])(
    'rejects a forged customer list cursor: %s',
    async position => {
      const cursor = Buffer.from(position).toString('base64url');
      const response = await service.ask('GET', `/api/v1/customers?cursor=${cursor}`, { token });
      expect(response.status).toBe(400);
      expect(response.body.errors).toEqual([{ path: 'cursor', message: expect.any(String) }]);
    },
  );

  test('deletes a customer while its connectors are being created', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, count) => {
        const response = await (count % 2
          ? service.ask('DELETE', '/api/v1/customers/fleeting', { token })
          : connect('fleeting'));
        return response.status;
      }),
    );
    expect(statuses.filter(status => ![201, 204, 404].includes(status))).toEqual([]);
  });

  test('deletes a customer with all its data, and invalidates its tokens', async () => {
    const created = await service.ask('POST', connectors, {
      token,
      headers: { 'idempotency-key': 'used' },
      body: {
        customer_name: 'leaving',
        connector_type: firstKind.key,
        name: 'Notes',
        credentials: { api_key: goodKey },
      },
    });
    const scoped = await service.customerToken(token, { customer_name: 'leaving' });
    expect((await service.ask('GET', connectors, { token: scoped })).body.data).toHaveLength(1);

    expect((await service.ask('DELETE', '/api/v1/customers/leaving', { token: elsewhere })).status).toBe(404);
    expect((await service.ask('DELETE', '/api/v1/customers/leaving', { token })).status).toBe(204);
    expect((await service.ask('GET', `${connectors}/${created.body.id}`, { token })).status).toBe(404);
    const { app, org, sub } = decodeJwt(scoped);
    const lines = service.logged().split('\n');
    const line = lines.find(
      each => each.includes('"event":"customer_deleted"') && each.includes(String(sub)),
    );
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      application_id: app,
      organization_id: org,
      customer_id: sub,
      connectors: 1,
    });
    const rows = await database().kysely.selectFrom('idempotency_keys').selectAll().execute();
    expect(rows.filter(({ customer_name }) => customer_name === 'leaving')).toEqual([]);

    // A new customer with the same name is a different customer.
    await service.customerToken(token, { customer_name: 'leaving' });
    for (const path of [
      connectors,
      '/api/v1/integrations/definitions/sources',
      `${connectors}/${created.body.id}`,
    ]) {
      const response = await service.ask('GET', path, { token: scoped });
      expect(response.status).toBe(401);
      expect(response.body.code).toBe('token_invalid');
    }
    expect((await service.ask('DELETE', '/api/v1/customers/gone', { token })).body.code).toBe(
      'customer_not_found',
    );
  });

  test('logs which application deleted which customer, without the name that the integrator chose', async () => {
    expect((await connect('logged-leaver')).status).toBe(201);
    const { id } = await database()
      .kysely.selectFrom('customers')
      .select('id')
      .where('name', '=', 'logged-leaver')
      .executeTakeFirstOrThrow();
    const removal = () => service.ask('DELETE', '/api/v1/customers/logged-leaver', { token });
    expect((await removal()).status).toBe(204);
    expect((await removal()).status).toBe(404);
    const lines = service
      .logged()
      .split('\n')
      .filter(line => line.includes(id))
      .map(line => JSON.parse(line) as unknown);
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: 'customer_deleted',
        level: 'info',
        request_id: expect.any(String) as string,
        application_id: decodeJwt(token).sub,
        organization_id: organizationId,
        connectors: 1,
      }),
    );
    expect(lines.filter(line => JSON.stringify(line).includes('customer_deleted'))).toHaveLength(1);
    expect(service.logged()).not.toContain('logged-leaver');
  });

  test('limits how many customers an application can delete per minute', async () => {
    const eager = await service.tokenOf(await service.addApplication('eager', ['Own']));
    const remove = async (of: string) =>
      (await service.ask('DELETE', '/api/v1/customers/unknown', { token: of })).body.code;
    service.stopClock();
    for (let count = 0; count < 300; count += 1) expect(await remove(eager)).toBe('customer_not_found');
    expect(await remove(eager)).toBe('rate_limited');
    expect(await remove(token)).toBe('customer_not_found');
  });
});
