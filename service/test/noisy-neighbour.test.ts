import { systemClock } from '@connector-auth/api';
import { perDay, type Kind } from '@connector-auth/connectors/kind';
import { afterEach, expect, test } from 'vitest';
import { createVendorLimiter } from '../src/shared/vendor-limits/vendor-limiter.ts';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { goodKey } from './example-requests.ts';
import { firstKind } from './second-kind.ts';
import { startTestService, type RequestOptions, type TestService } from './test-service.ts';

/** Tests that a customer that uses the service as much as it can hardly affects others. */

const isFull = process.env['TEST_FULL'] !== undefined;
const connectors = '/api/v1/integrations/connectors';
const list = { entity: 'notes', action: 'list', params: { page_size: 1 } };

onPostgresOrEachEngineInFull('a noisy neighbour', database => {
  let service: TestService;
  afterEach(() => service.close());

  const limiter = () => createVendorLimiter(database(), systemClock, { customerShare: 0.25 });
  /** A vendor that allows the platform this many requests, whichever tenant they are for. */
  const limited = (limit: { burst: number; perSecond: number }): Kind => ({
    ...firstKind,
    rateLimits: [{ countedBy: 'app', subject: () => `platform ${JSON.stringify(limit)}`, ...limit }],
  });

  /** Creates a customer with a connector, and returns a function that executes on it. */
  async function addCustomer(organization: string, customer: string) {
    const token = await service.tokenOf(await service.addApplication(organization, [organization]));
    const body = {
      customer_name: customer,
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    const { id } = (await service.ask('POST', connectors, { token, body })).body;
    return (asking: RequestOptions & { body?: object } = {}) =>
      service.ask('POST', `${connectors}/${id}/execute`, { token, body: list, ...asking });
  }

  test('an execute waits for only a few of the executes that another organization sent before it', async () => {
    const kinds = [limited({ burst: 1, perSecond: 10 })];
    const count = isFull ? 1_300 : 100;
    const requestLimits = { perAddress: 2 * count, perCustomer: 2 * count, perApplication: 2 * count };
    const limits = { maxConcurrentExecutes: count, requestLimits };
    service = await startTestService(database(), { kinds, limiter: limiter(), limits });
    const flood = await addCustomer('Noisy', 'noisy');
    const ask = await addCustomer('Quiet', 'quiet');
    const leaving = new AbortController();
    let served = 0;
    const flooding = Array.from({ length: count }, () =>
      flood({ signal: leaving.signal })
        // Requests that cannot be sent before their deadline are rejected at once.
        .then(({ status }) => (served += status === 200 ? 1 : 0))
        .catch(() => 'cancelled'),
    );
    await Promise.race(flooding);
    for (let round = 0; round < (isFull ? 20 : 2); round += 1) {
      const servedBefore = served;
      expect((await ask()).status).toBe(200);
      // The limit allows ten requests per second, so this request waited for at most two seconds.
      expect(served - servedBefore).toBeLessThanOrEqual(20);
    }
    leaving.abort();
    await Promise.all(flooding);
  });

  test('a customer that uses up its share of a daily quota leaves the rest to others', async () => {
    const kinds = [limited(perDay(40))];
    service = await startTestService(database(), { kinds, limiter: limiter() });
    const flood = await addCustomer('Hungry', 'hungry');
    const ask = await addCustomer('Modest', 'modest');
    expect((await ask()).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await flood()).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const response = await flood();
    expect(response.body).toMatchObject({
      code: 'vendor_rate_limited',
      detail: expect.stringContaining('This customer has used its share of the daily quota'),
      vendor: { name: firstKind.name },
    });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await ask()).status).toBe(200);
  });

  test('a customer with too many concurrent executes gets 429, and others are served', async () => {
    service = await startTestService(database(), {
      kinds: [firstKind],
      limits: { maxConcurrentExecutes: 2 },
    });
    const flood = await addCustomer('Eager', 'eager');
    const ask = await addCustomer('Calm', 'calm');
    service.sandbox.control.faults.add({ vendor: 'granola', path: '/v1/notes', hang: true });
    const leaving = new AbortController();
    const flooding = Array.from({ length: 11 }, () =>
      flood({ signal: leaving.signal }).catch(() => 'cancelled' as const),
    );
    const rejected = await Promise.race(flooding);
    expect(rejected).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      body: {
        code: 'rate_limited',
        detail: expect.stringContaining('Too many concurrent executes for this customer: 2 are running'),
      },
    });
    const params = { note_id: 'not_aaaaaaaaaaaaaa' };
    const response = await ask({ body: { entity: 'notes', action: 'get', params } });
    expect(response.body.code).toBe('record_not_found');
    leaving.abort();
    expect((await Promise.all(flooding)).filter(outcome => outcome === 'cancelled')).toHaveLength(10);
  });
});
