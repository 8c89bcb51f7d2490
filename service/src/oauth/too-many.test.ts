import { expect, test } from 'vitest';
import { page, useConsentHarness } from '../../test/consent-harness.ts';
import { onEachEngine } from '../../test/engines.ts';
import { silentLog } from '../log/log.ts';
import { startSessionCleanup } from '../oauth-sessions/cleanup.ts';

onEachEngine('of a customer', database => {
  const harness = useConsentHarness(database);

  test('too many consents are refused for a while, and those of others are not', async () => {
    harness.service.stopClock();
    let told = await harness.initiate();
    for (let count = 1; told.status === 200 && count < 40; count += 1) told = await harness.initiate();
    expect(told.status).toBe(429);
    expect(told.body.code).toBe('rate_limited');
    expect(Number(told.headers['retry-after'])).toBeLessThanOrEqual(2);
    // Through an application token it is the same customer.
    const asApplication = { token: harness.token, headers: {} };
    expect((await harness.initiate({ customer_name: 'acme' }, asApplication)).status).toBe(429);
    const others = await harness.initiate(
      { customer_name: 'beta', redirect_url: `${harness.service.url}/none` },
      asApplication,
    );
    expect(others.status).not.toBe(429);
    harness.service.advance(2_100);
    expect((await harness.initiate()).status).toBe(200);
    // For the tests after this one.
    harness.service.advance(30_000);
  });

  test('too many held status requests are refused, until one of them is answered', async () => {
    const { session_id } = await harness.begin();
    const leave = new AbortController();
    const held = Array.from({ length: 20 + 1 }, () =>
      harness.status(session_id, { query: '?wait=25', signal: leave.signal }).catch(() => null),
    );
    // Whichever of them comes last is one too many, and the only one that is answered.
    const told = await Promise.race(held);
    expect(told?.status).toBe(429);
    expect(told?.body.code).toBe('rate_limited');
    expect(told?.headers['retry-after']).toBe('5');
    // Asking without waiting costs nothing.
    expect((await harness.status(session_id)).body.status).toBe('pending');
    leave.abort();
    await Promise.all(held);
    const acceptedAgain = async (): Promise<void> => {
      if ((await harness.status(session_id, { query: '?wait=1' })).status === 429) return acceptedAgain();
    };
    await acceptedAgain();
  });
});

onEachEngine('consents of which nobody will ask any more', database => {
  const harness = useConsentHarness(database);

  test.each([
    ['a grant that nobody used in time', { secret_expires_at: new Date(0) }, { credentials: null }],
    ['a session of the day before yesterday', { expires_at: new Date(0) }, undefined],
  ])('%s is forgotten without another consent', async (_what, change, left) => {
    const { consent_url, session_id } = await harness.begin();
    await harness.browser.consent(consent_url, `${page}/`);
    const { kysely } = database();
    await kysely.updateTable('oauth_sessions').set(change).where('id', '=', session_id).execute();
    const forgetting = startSessionCleanup(kysely, silentLog);
    await forgetting.close();
    const row = await kysely
      .selectFrom('oauth_sessions')
      .select('credentials')
      .where('id', '=', session_id)
      .executeTakeFirst();
    expect(row).toEqual(left);
  });
});
