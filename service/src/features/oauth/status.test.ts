import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectors, page, useConsentHarness } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { pollMs } from '../../platform/notifications/long-poll.ts';

const back = `${page}/connected`;

/** Lets only notifications wake waiting requests for the rest of a test. */
function stopPolling(): void {
  const { setTimeout: original } = globalThis;
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...rest) => original(callback, ms === pollMs ? 1e9 : ms, ...rest));
  onTestFinished(() => spy.mockRestore());
}

onPostgresOrEachEngineInFull('OAuth sessions', database => {
  const harness = useConsentHarness(database);

  describe('a status request', () => {
    test('responds to a waiting status request as soon as the user has decided', async () => {
      stopPolling();
      const started = await harness.begin();
      const { session_id } = started;
      const vendorUrl = await harness.browser.reachVendor(started, `${page}/`);
      const held = harness.status(session_id, { query: '?wait=25' });
      const callback = await harness.browser.decide(vendorUrl, 'allow');
      await harness.browser.visit(callback);
      expect((await held).body.status).toBe('completed');
    });

    test('returns pending after the requested wait if nothing happened', async () => {
      const { session_id } = await harness.begin();
      const startedAt = performance.now();
      expect((await harness.status(session_id, { query: '?wait=1' })).body.status).toBe('pending');
      expect(performance.now() - startedAt).toBeGreaterThan(900);
    });

    test('omits the secret id if no verifier is sent, and rejects a wrong verifier', async () => {
      const started = await harness.begin();
      const { session_id } = started;
      await harness.browser.consent(started, `${page}/`);
      const bare = await harness.service.ask('GET', `${connectors}/oauth/sessions/${session_id}`, {
        ...harness.asWidget,
      });
      expect(bare.body).toMatchObject({ status: 'completed', secret_id: null });
      const wrong = await harness.status(session_id, { headers: { 'x-oauth-verifier': 'w'.repeat(43) } });
      expect(wrong.body.code).toBe('verifier_wrong');
      const malformed = await harness.status(session_id, { headers: { 'x-oauth-verifier': 'short' } });
      expect(malformed.body).toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'x-oauth-verifier' }],
      });
    });

    test('omits the secret id for a session without a challenge', async () => {
      const started = await harness.begin({ redirect_url: back, challenge: undefined });
      const { session_id } = started;
      await harness.browser.consent(started, `${page}/`);
      expect((await harness.status(session_id)).body).toMatchObject({ status: 'completed', secret_id: null });
    });

    test('returns expired after 10 minutes, and rejects a late callback', async () => {
      const started = await harness.begin();
      const { consent_url, session_id } = started;
      const callback = await harness.browser.decide(
        await harness.browser.reachVendor(started, `${page}/`),
        'allow',
      );
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .execute();
      expect((await harness.status(session_id)).body.status).toBe('expired');
      const late = await harness.browser.visit(callback);
      expect(late.status).toBe(400);
      expect(late.text).toContain('Sign-in timed out');
      expect((await harness.browser.visit(consent_url, { referer: `${page}/` })).status).toBe(410);
      expect(harness.service.sandbox.control.requests.count({ operation: 'exchange code' })).toBe(0);
    });

    test('returns failed if the service died during the code exchange', async () => {
      const { session_id } = await harness.begin();
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ status: 'exchanging', claimed_at: new Date(Date.now() - 61_000) })
        .execute();
      expect((await harness.status(session_id)).body).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      });
    });
  });
});
