import { ConnectorAuthError, systemClock } from '@connector-auth/api';
import { perDay, type Priority } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { newCredentials } from './daily-quotas.ts';
import type { RequesterLimiter } from './fair-limiter.ts';
import { createVendorLimiter } from './vendor-limiter.ts';

onPostgresOrEachEngineInFull('daily quotas', database => {
  let keys = 0;
  let key = '';
  beforeEach(() => {
    key = `quota ${++keys}`;
  });

  /** Creates the limiter as a new process does. */
  const start = (): RequesterLimiter => createVendorLimiter(database(), systemClock, { customerShare: 0.25 });

  interface User {
    readonly organization?: string;
    readonly customer: string;
    readonly priority?: Priority;
    readonly limiter?: RequesterLimiter;
  }
  const use = (user: User): Promise<number | null> => {
    const { organization = 'organization', customer, priority = 'interactive', limiter = start() } = user;
    const requester = { organizationId: organization, customerId: customer };
    return limiter.take(key, perDay(100), { requester, priority, deadlineMs: Infinity });
  };
  /** Sends requests until one is rejected, and returns how many were sent and the error. */
  const useUp = async (user: User): Promise<{ sent: number; error: ConnectorAuthError }> => {
    const limiter = start();
    for (let sent = 0; ; sent += 1) {
      try {
        await use({ limiter, ...user });
      } catch (error) {
        if (error instanceof ConnectorAuthError) return { sent, error };
        throw error;
      }
    }
  };
  const moveIntoPast = async (hours: number): Promise<void> => {
    for (const table of ['vendor_quota_usage', 'vendor_quota_totals']) {
      await sql`update ${sql.table(table)} set hour = hour - make_interval(hours => ${hours}::int),
        last_used_at = last_used_at - make_interval(hours => ${hours}::int) where key = ${key}`.execute(
        database().kysely,
      );
    }
  };

  test('a customer that uses a quota alone leaves a tenth of it to others', async () => {
    const { sent, error } = await useUp({ customer: 'only' });
    expect(sent).toBe(90);
    expect(error).toMatchObject({
      code: 'vendor_rate_limited',
      message: expect.stringMatching(
        /^This customer has used its share .* 90 of 100 requests .* Try again in 2\d h$/,
      ),
    });
    expect(error.retryAfterSeconds).toBeGreaterThan(23 * 3600);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(25 * 3600);
    expect(await use({ customer: 'other' })).toBeNull();
  });

  test('a customer can use a quarter of a quota while another customer uses it', async () => {
    await use({ customer: 'other' });
    const { sent, error } = await useUp({ customer: 'busy' });
    expect(sent).toBe(25);
    // The share grows when the other customer has not used the quota for an hour.
    expect(error.retryAfterSeconds).toBe(3600);
  });

  test('verifying new credentials does not limit the share of the customer who connects', async () => {
    await use({ customer: newCredentials });
    expect((await useUp({ customer: 'only' })).sent).toBe(90);
  });

  test('a share grows when others have not used the quota for an hour', async () => {
    await use({ customer: 'other' });
    expect((await useUp({ customer: 'busy' })).sent).toBe(25);
    await moveIntoPast(2);
    expect((await useUp({ customer: 'busy' })).sent).toBe(65);
  });

  test('the customers of one organization together leave half of a quota to other organizations', async () => {
    await use({ organization: 'other', customer: 'other' });
    const sent: number[] = [];
    for (const customer of ['1', '2', '3']) sent.push((await useUp({ customer })).sent);
    expect(sent).toEqual([25, 25, 0]);
  });

  test('all customers and organizations together never exceed a quota', async () => {
    await use({ organization: '0', customer: 'first' });
    let sent = 1;
    for (const organization of ['1', '2', '3', '4', '5', '6']) {
      sent += (await useUp({ organization, customer: 'busy' })).sent;
    }
    expect(sent).toBe(100);
    const { error } = await useUp({ organization: '7', customer: 'late' });
    expect(error.message).toContain('The daily quota is used up: 100 of 100 requests');
  });

  test('background requests leave a tenth of a share to interactive requests', async () => {
    expect((await useUp({ customer: 'only', priority: 'background' })).sent).toBe(81);
    expect((await useUp({ customer: 'only' })).sent).toBe(9);
  });

  test('requests count for 24 hours', async () => {
    await useUp({ customer: 'only' });
    await moveIntoPast(24);
    await expect(use({ customer: 'only' })).rejects.toThrow('share of the daily quota');
    await moveIntoPast(1);
    expect(await use({ customer: 'only' })).toBeNull();
  });

  test('a process that starts again continues to count where the last one stopped', async () => {
    for (let count = 0; count < 90; count += 1) await use({ customer: 'only', limiter: start() });
    await expect(use({ customer: 'only', limiter: start() })).rejects.toThrow('Try again in');
  });
});
