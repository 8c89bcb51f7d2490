import { endpoints } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { firstKind } from '../../../test/second-kind.ts';
import {
  startTestService,
  type TestApplication,
  type TestResponse,
  type TestService,
} from '../../../test/test-service.ts';
import { bucketsInDatabase } from './buckets-in-database.ts';

const connectors = '/api/v1/integrations/connectors';
const rejectedPerHour = 30;

onPostgresOrEachEngineInFull('a rate limit that three processes share', database => {
  let services: readonly TestService[] = [];
  let application: TestApplication;
  let token: string;
  beforeAll(async () => {
    const limits = { rejectedCredentialsPerHour: rejectedPerHour };
    const first = await startTestService(database(), { sharedBuckets: bucketsInDatabase, limits });
    const { signingKeys } = first;
    const others = [1, 2].map(() =>
      startTestService(database(), { sharedBuckets: bucketsInDatabase, limits, signingKeys }),
    );
    services = [first, ...(await Promise.all(others))];
    // Each process counts by a clock that stands still, so that it never rejects a request by itself before the limit is used up.
    for (const service of services) service.stopClock();
    application = await first.addApplication('own', ['Own']);
    token = await first.tokenOf(application);
    await first.ask('PATCH', '/api/v1/organization', {
      token,
      body: { connect_helper_url: 'https://app.example/connector-auth' },
    });
  });
  afterAll(() => Promise.all(services.map(service => service.close())));

  const now = async (): Promise<number> => {
    const { rows } = await sql<{
      now: number;
    }>`select extract(epoch from clock_timestamp())::float8 as now`.execute(database().kysely);
    return rows[0]?.now ?? 0;
  };
  /** Sends up to the limit of one process to each, and returns how many were allowed beyond what the time has refilled. */
  const countAllowed = async (
    burst: number,
    perMinute: number,
    send: (service: TestService) => Promise<TestResponse>,
  ) => {
    const startedAt = await now();
    const responses = await Promise.all(
      services.flatMap(service => Array.from({ length: burst }, () => send(service))),
    );
    const refilled = ((await now()) - startedAt) * (perMinute / 60);
    const allowed = responses.filter(({ body }) => body?.code !== 'rate_limited');
    const rejected = responses.filter(({ body }) => body?.code === 'rate_limited');
    for (const { headers } of rejected) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    return { allowed: allowed.length, beyond: allowed.length - refilled };
  };

  test.each([
    [
      'token requests of a client',
      30,
      30,
      (service: TestService) =>
        service.ask('POST', endpoints.createApplicationToken.path, {
          body: { client_id: 'unknown', client_secret: 'wrong' },
        }),
    ],
    [
      'rejected credentials of a customer',
      rejectedPerHour,
      rejectedPerHour / 60,
      (service: TestService) =>
        service.ask('POST', connectors, {
          token,
          body: {
            customer_name: 'acme',
            connector_type: firstKind.key,
            name: 'Notes',
            credentials: { api_key: 'grn_wrong' },
          },
        }),
    ],
    [
      'connect links of a customer',
      30,
      30,
      (service: TestService) =>
        service.ask('POST', '/api/v1/integrations/connect-links', {
          token,
          body: { customer_name: 'acme', connector_type: firstKind.key },
        }),
    ],
    [
      'OAuth starts of a customer',
      30,
      30,
      (service: TestService) =>
        service.ask('POST', `${connectors}/oauth/initiate`, {
          token,
          body: {
            customer_name: 'acme',
            connector_type: 'google-ads',
            redirect_url: `${service.url}/oauth/complete`,
          },
        }),
    ],
  ] as const)('%s: all together allow what one allows', async (_name, burst, perMinute, send) => {
    const { allowed, beyond } = await countAllowed(burst, perMinute, send);
    expect(allowed).toBeGreaterThanOrEqual(burst);
    expect(beyond).toBeLessThanOrEqual(burst * 1.2);
  });

  test('returns what turned out not to count, and stores neither names nor addresses', async () => {
    const [service] = services;
    if (service === undefined) throw new Error('No service was started');
    for (let count = 0; count <= rejectedPerHour; count += 1) {
      const created = await service.ask('POST', connectors, {
        token,
        body: {
          customer_name: 'valid',
          connector_type: firstKind.key,
          name: 'Notes',
          credentials: { api_key: 'grn_sandbox_demo' },
        },
      });
      expect(created.status, created.text).toBe(201);
    }
    const { rows } = await sql<{ key: string }>`select key from vendor_limits`.execute(database().kysely);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ key }) => /acme|valid|127\.0\.0\.1/.test(key))).toEqual([]);
  });
});
