import { kinds } from '@connector-auth/connectors';
import { expect, test } from 'vitest';
import { page, useConsentHarness } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { silentLog } from '../../platform/log/log.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { startSessionCleanup } from '../../shared/oauth-sessions/cleanup.ts';

onPostgresOrEachEngineInFull('OAuth rate limits per customer', database => {
  const harness = useConsentHarness(database);

  test('temporarily rejects OAuth flows above the limit without affecting other customers', async () => {
    harness.service.stopClock();
    let response = await harness.initiate();
    for (let count = 1; response.status === 200 && count < 40; count += 1)
      response = await harness.initiate();
    expect(response.status).toBe(429);
    expect(response.body.code).toBe('rate_limited');
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(2);
    // A request with an application token counts against the same customer.
    const asApplication = { token: harness.token, headers: {} };
    expect((await harness.initiate({ customer_name: 'acme' }, asApplication)).status).toBe(429);
    const others = await harness.initiate(
      { customer_name: 'beta', redirect_url: `${harness.service.url}/none` },
      asApplication,
    );
    expect(others.status).not.toBe(429);
    harness.service.advance(2_100);
    expect((await harness.initiate()).status).toBe(200);
    // Restores the limit for the following tests.
    harness.service.advance(30_000);
  });

  test('rejects status requests above the limit on waiting requests until a waiting request ends', async () => {
    const { session_id } = await harness.begin();
    const leave = new AbortController();
    const held = Array.from({ length: 10 + 1 }, () =>
      harness.status(session_id, { query: '?wait=25', signal: leave.signal }).catch(() => null),
    );
    // The last request exceeds the limit and is the only one to get a response.
    const response = await Promise.race(held);
    expect(response?.status).toBe(429);
    expect(response?.body.code).toBe('rate_limited');
    expect(response?.headers['retry-after']).toBe('5');
    // A request that does not wait is not limited.
    expect((await harness.status(session_id)).body.status).toBe('pending');
    leave.abort();
    await Promise.all(held);
    const acceptedAgain = async (): Promise<void> => {
      if ((await harness.status(session_id, { query: '?wait=1' })).status === 429) return acceptedAgain();
    };
    await acceptedAgain();
  });
});

onPostgresOrEachEngineInFull('session cleanup', database => {
  const harness = useConsentHarness(database);

  test.each([
    ['the grant of an expired secret id', { secret_expires_at: new Date(0) }, { credentials: null }],
    ['a session that expired two days ago', { expires_at: new Date(0) }, undefined],
  ])('deletes %s', async (_what, change, left) => {
    const started = await harness.begin();
    const { session_id } = started;
    await harness.browser.consent(started, `${page}/`);
    const { kysely } = database();
    await kysely.updateTable('oauth_sessions').set(change).where('id', '=', session_id).execute();
    const cleanup = startSessionCleanup({ db: kysely, kinds: createKindRegistry(kinds), log: silentLog });
    await cleanup.close();
    const row = await kysely
      .selectFrom('oauth_sessions')
      .select('credentials')
      .where('id', '=', session_id)
      .executeTakeFirst();
    expect(row).toEqual(left);
  });
});
