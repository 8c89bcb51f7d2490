import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectorsPath } from '../../../test/connector-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import {
  startTestService,
  type TestApplication,
  type TestResponse,
  type TestService,
} from '../../../test/test-service.ts';

onPostgresOrEachEngineInFull('limits per customer', database => {
  let service: TestService;
  let application: TestApplication;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database(), {
      limits: { connectorsPerCustomer: 3, rejectedCredentialsPerHour: 10 },
    });
    application = await service.addApplication('own', ['Own']);
    service.stopClock();
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
    service.advance(3_600_000);
    token = await service.tokenOf(application);
  });
  afterAll(() => service.close());

  const create = (api_key: string, customer_name = 'acme'): Promise<TestResponse> =>
    service.ask('POST', connectorsPath, {
      token,
      body: { customer_name, connector_type: firstKind.key, name: 'Notes', credentials: { api_key } },
    });
  const vendorCalls = (): number => service.sandbox.control.requests.count({ vendor: 'granola' });

  test('lets a customer have up to the maximum number of connectors, even with concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create(goodKey)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(5);
    const calls = vendorCalls();
    const rejected = await create(goodKey);
    expect(rejected.body).toMatchObject({
      code: 'too_many_connectors',
      detail: expect.stringContaining('CONNECTORS_PER_CUSTOMER'),
    });
    expect(vendorCalls()).toBe(calls);
    expect((await create(goodKey, 'beta')).status).toBe(201);
  });

  test.each(['', '?undo_seconds=60'])(
    'lets a customer at the limit connect again after disconnecting a source with DELETE %s, but not restore it too',
    async query => {
      const [first] = await Promise.all(Array.from({ length: 3 }, () => create(goodKey)));
      const path = `${connectorsPath}/${first?.body.id}`;
      await service.ask('DELETE', `${path}${query}`, { token });
      expect((await create(goodKey)).status).toBe(201);
      const restored = await service.ask('POST', `${path}/restore`, { token });
      expect(restored.body.code).toBe(query === '' ? 'connector_not_found' : 'too_many_connectors');
    },
  );

  test('does not send a customer’s credentials to the vendor after too many rejected ones', async () => {
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => create(`grn_guess_${index}`)));
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10);
    const limited = guesses.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(30);
    expect(vendorCalls()).toBe(10);
    expect(limited[0]?.headers).toMatchObject({
      'ratelimit-policy': '"rejected-credentials";q=10;w=3600',
      'retry-after': '360',
    });
    // The right key has to wait as well, or the response would reveal it.
    expect((await create(goodKey)).status).toBe(429);
    expect((await create(goodKey, 'beta')).status).toBe(201);
    service.advance(360_000);
    token = await service.tokenOf(application);
    expect((await create(goodKey)).status).toBe(201);
  });

  test('describes what is left for rejected credentials while the vendor still sees them', async () => {
    const first = await create('grn_guess_first');
    const second = await create('grn_guess_second');
    expect(first.status).toBe(422);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"rejected-credentials";q=10;w=3600',
      ratelimit: '"rejected-credentials";r=9;t=360',
    });
    expect(second.headers['ratelimit']).toBe('"rejected-credentials";r=8;t=720');
  });

  test('lets a customer submit any number of accepted credentials', async () => {
    const created = await create(goodKey);
    for (let count = 0; count < 12; count += 1) {
      const replaced = await service.ask('PATCH', `${connectorsPath}/${created.body.id}`, {
        token,
        body: { credentials: { api_key: goodKey } },
      });
      expect(replaced.status).toBe(200);
    }
  });
});
