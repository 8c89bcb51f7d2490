import { systemClock } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { createVendorLimiter } from '../../shared/vendor-limits/vendor-limiter.ts';

onPostgresOrEachEngineInFull("the vendors' quotas", database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    const limiter = createVendorLimiter(database(), systemClock, { customerShare: 0.25 });
    service = await startTestService(database(), { limiter });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('vendor_quota_usage').execute();
    await database().kysely.deleteFrom('vendor_quota_totals').execute();
    await database().kysely.deleteFrom('customers').execute();
  });
  afterAll(() => service.close());

  const read = async () => {
    const response = await service.ask('GET', '/api/v1/admin/vendor-quotas', { token: adminToken });
    expect(response.status, response.text).toBe(200);
    return response.body.data;
  };
  const insertUsage = (kind: string, hash: string, customer: string, used: number, hoursAgo = 0) =>
    sql`insert into vendor_quota_usage (key, hour, organization_id, customer_id, used, last_used_at)
      select ${`${kind}:company and day:${hash}`}, date_trunc('hour', now()) - make_interval(hours => ${hoursAgo}::int),
        organization_id::text, id::text, ${used}::int, now()
      from customers where name = ${customer}`.execute(database().kysely);

  test('lists every declared quota, even if it was not used', async () => {
    expect(await read()).toEqual([
      expect.objectContaining({ connector_type: 'gong', name: 'company', limit: 10_000, used: 0 }),
      {
        connector_type: 'google-ads',
        name: 'developer token',
        limit: 15_000,
        used: 0,
        window_ends_at: null,
        customers: [],
      },
    ]);
  });

  test('counts the requests of customers, and those that verified new credentials', async () => {
    const connecting = await service.ask('POST', '/api/v1/integrations/connectors', {
      token,
      body: {
        customer_name: 'acme',
        connector_type: 'gong',
        name: 'Calls',
        credentials: goodCredentials(service.sandbox, 'gong'),
      },
    });
    expect(connecting.status, connecting.text).toBe(201);
    const [before] = await read();
    expect(before.used).toBeGreaterThan(0);
    expect(before.customers).toEqual([]);
    const path = `/api/v1/integrations/connectors/${connecting.body.id}/check`;
    expect((await service.ask('POST', path, { token })).status).toBe(200);
    const [quota] = await read();
    expect(quota).toMatchObject({
      connector_type: 'gong',
      name: expect.stringMatching(/^company [\w-]{8}$/),
      limit: 10_000,
      customers: [
        { organization: { name: 'Own' }, customer: { name: 'acme' }, last_used_at: expect.any(String) },
      ],
    });
    expect(quota.used).toBeGreaterThan(before.used);
    expect(quota.customers[0].used).toBe(quota.used - before.used);
    const hours = (Date.parse(quota.window_ends_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(25.1);
  });

  test('lists the fullest quotas first, with the ten customers that used most of each', async () => {
    for (let number = 1; number <= 12; number++) {
      await service.customerToken(token, { customer_name: `c${number}` });
      await insertUsage('gong', 'fullest', `c${number}`, number);
      await insertUsage('gong', 'fullest', `c${number}`, 100 * number, 23);
      await insertUsage('gong', 'old', `c${number}`, 1_000, 26);
    }
    await insertUsage('gong', 'emptiest', 'c1', 5);
    await insertUsage('retired', 'unknown', 'c1', 5_000);
    const quotas = await read();
    expect(quotas.map(({ name, used, limit }: Record<string, unknown>) => [name, used, limit])).toEqual([
      ['company fullest', 101 * 78, 10_000],
      ['company emptiest', 5, 10_000],
      ['company unknown', 5_000, null],
      ['developer token', 0, 15_000],
    ]);
    const customers = quotas[0].customers as { customer: { name: string }; used: number }[];
    expect(customers.map(({ customer, used }) => [customer.name, used])).toEqual(
      Array.from({ length: 10 }, (_, index) => [`c${12 - index}`, 101 * (12 - index)]),
    );
  });
});
