import { kinds } from '@connector-auth/connectors';
import { describe, expect, test } from 'vitest';
import {
  completion,
  connectors,
  page,
  publicUrl,
  useConsentHarness,
  verifier,
} from '../../../test/consent-harness.ts';
import { consentKind } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';

const back = `${page}/connected?from=settings`;

onPostgresOrEachEngineInFull('consent', database => {
  const harness = useConsentHarness(database);

  describe('from a widget', () => {
    test('redirects to the vendor and back, and creates a working connector', async () => {
      const started = await harness.begin();
      const { consent_url, session_id, expires_at } = started;
      expect(consent_url).toBe(`${publicUrl}/oauth/start/${session_id}`);
      expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(540_000);
      expect((await harness.status(session_id)).body).toEqual({
        session_id,
        connector_type: 'gong',
        status: 'pending',
        expires_at,
        secret_id: null,
        connector_id: null,
        error: null,
      });

      const vendorUrl = new URL(await harness.browser.reachVendor(started, `${page}/settings`));
      expect(vendorUrl.href).toContain(`${harness.service.sandbox.url}/app.gong.io/oauth2/authorize?`);
      const asked = Object.fromEntries(vendorUrl.searchParams);
      expect(asked).toMatchObject({
        client_id: 'gong_sandbox_client',
        response_type: 'code',
        redirect_uri: `${publicUrl}/oauth/callback`,
        scope: expect.stringContaining('api:calls:read:basic'),
        state: expect.stringMatching(/^[\w-]{43}$/),
      });
      const landed = await harness.browser.visit(await harness.browser.decide(vendorUrl.href, 'allow'));
      expect(landed.location).toBe(`${completion}?session_id=${session_id}`);

      const completed = await harness.status(session_id);
      expect(completed.body).toMatchObject({
        status: 'completed',
        secret_id: expect.stringMatching(/^[\w-]{43}$/),
        connector_id: null,
        error: null,
      });
      const { secret_id } = completed.body;
      const made = await harness.create(secret_id);
      expect(made.status, made.text).toBe(201);
      expect(made.body).toMatchObject({ connector_type: 'gong', auth_method: 'oauth', status: 'active' });
      const executed = await harness.service.ask('POST', `${connectors}/${made.body.id}/execute`, {
        token: harness.token,
        body: { entity: 'users', action: 'list' },
      });
      expect(executed.body.result.length).toBeGreaterThan(10);
      expect((await harness.status(session_id)).body).toMatchObject({
        secret_id: null,
        connector_id: made.body.id,
      });

      for (const secret of [secret_id, asked['state'], verifier])
        expect(harness.service.logged()).not.toContain(secret);
    });

    test('shows the outcome on the completion page and reports it only to the integrator’s origin', async () => {
      const started = await harness.begin();
      const { session_id } = started;
      const location = await harness.browser.consent(started, `${page}/`);
      const shown = await harness.browser.visit(location, {
        headers: { 'accept-language': 'de-AT,en;q=0.5' },
      });
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('<html lang="de" dir="ltr">');
      expect(shown.text).toContain('Zugriff erlaubt');
      expect(shown.text).toContain(`data-session="${session_id}"`);
      expect(shown.text).toContain(`data-origin="${page}"`);
      expect(shown.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'unsafe-none',
      });
      const policy = String(shown.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    });

    test('ends the session as denied without storing anything if the user denies access', async () => {
      const started = await harness.begin();
      const { session_id } = started;
      const before = await database().kysely.selectFrom('connectors').select('id').execute();
      const location = await harness.browser.consent(started, `${page}/`, 'deny');
      expect(location).toBe(`${completion}?session_id=${session_id}`);
      expect((await harness.status(session_id)).body).toMatchObject({
        status: 'denied',
        secret_id: null,
        error: { code: 'access_denied', message: 'Gong: Access was denied', reason: null },
      });
      const german = { 'accept-language': 'de' };
      expect((await harness.status(session_id, { headers: german })).body.error.message).toMatch(
        /^Gong: Der Zugriff /,
      );
      expect((await harness.browser.visit(location)).text).toContain('Not connected');
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toEqual(before);
    });

    test('returns the vendor’s reason for denying access, even if it reads as the service’s own words', async () => {
      const started = await harness.begin();
      const callback = new URL(
        await harness.browser.decide(await harness.browser.reachVendor(started, `${page}/`), 'deny'),
      );
      callback.searchParams.set('error_description', 'Access was denied');
      await harness.browser.visit(callback.href);
      const { body } = await harness.status(started.session_id);
      expect(body.error).toMatchObject({ code: 'access_denied', reason: 'Access was denied' });
    });

    test('says why a consent ended in the language of the browser if the widget waits in the same window', async () => {
      const started = await harness.begin({ redirect_url: `${page}/sources` });
      const vendorUrl = await harness.browser.reachVendor(started, `${page}/`);
      const callback = await harness.browser.decide(vendorUrl, 'deny');
      const { location } = await harness.browser.visit(callback, { headers: { 'accept-language': 'de' } });
      expect(new URL(location ?? '').searchParams.get('error_description')).toMatch(/^Gong: Der Zugriff /);
    });

    test('rejects the callback after the session was cancelled', async () => {
      const started = await harness.begin();
      const { session_id } = started;
      const vendorUrl = await harness.browser.reachVendor(started, `${page}/`);
      const cancelled = await harness.service.ask('DELETE', `${connectors}/oauth/sessions/${session_id}`, {
        ...harness.asWidget,
      });
      expect(cancelled.status).toBe(204);
      expect((await harness.status(session_id)).body).toMatchObject({
        status: 'denied',
        error: { code: 'cancelled' },
      });
      const landed = await harness.browser.visit(await harness.browser.decide(vendorUrl, 'allow'));
      expect(landed.status).toBe(400);
      expect(landed.text).toContain('This link was already used');
      expect(harness.service.sandbox.control.requests.count({ operation: 'exchange code' })).toBe(0);
    });

    test('rejects the secret id after the session was cancelled', async () => {
      const started = await harness.begin();
      const { session_id } = started;
      await harness.browser.consent(started, `${page}/`);
      const { secret_id } = (await harness.status(session_id)).body;
      await harness.service.ask('DELETE', `${connectors}/oauth/sessions/${session_id}`, {
        ...harness.asWidget,
      });
      expect((await harness.create(secret_id)).body.code).toBe('secret_id_invalid');
    });
  });

  describe('from a backend', () => {
    const asBackend = () => ({ token: harness.token, headers: {} });
    const fromBackend = { customer_name: 'acme', redirect_url: back, challenge: undefined };

    test('redirects to the registered URL with a secret id or an error', async () => {
      const response = await harness.initiate(fromBackend, asBackend());
      expect(response.status, response.text).toBe(200);
      const allowed = new URL(await harness.browser.consent(response.body, `${page}/`));
      expect(allowed.href).toMatch(
        /^http:\/\/127\.0\.0\.1:5555\/connected\?from=settings&secret_id=[\w-]{43}$/,
      );
      const secretId = allowed.searchParams.get('secret_id');
      const made = await harness.create(secretId, { customer_name: 'acme' }, asBackend());
      expect(made.status, made.text).toBe(201);

      const again = await harness.initiate(fromBackend, asBackend());
      const denied = new URL(await harness.browser.consent(again.body, `${page}/`, 'deny'));
      expect(Object.fromEntries(denied.searchParams)).toEqual({
        from: 'settings',
        error: 'access_denied',
        error_description: 'Gong: Access was denied',
      });
    });

    test('replaces forged outcome parameters in the redirect URL', async () => {
      const redirect_url = `${page}/connected?secret_id=forged&error=x&error_description=y`;
      const response = await harness.initiate({ ...fromBackend, redirect_url }, asBackend());
      const allowed = new URL(await harness.browser.consent(response.body, `${page}/`));
      expect([...allowed.searchParams.keys()]).toEqual(['secret_id']);
      expect(allowed.searchParams.get('secret_id')).not.toBe('forged');
    });

    test('creates the customer if it does not exist', async () => {
      await harness.initiate({ ...fromBackend, customer_name: 'brand new' }, asBackend());
      const { body } = await harness.service.ask('GET', '/api/v1/customers', { token: harness.token });
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('brand new');
    });
  });

  test('offers OAuth only for kinds with a configured OAuth app', async () => {
    for (const kind of kinds) {
      const { body } = await harness.service.ask(
        'GET',
        `/api/v1/integrations/definitions/sources/${kind.definitionId}`,
        { token: harness.token },
      );
      const offered = body.auth_methods.filter(({ type }: { type: string }) => type === 'oauth');
      expect(offered).toHaveLength(kind === consentKind ? 1 : 0);
      for (const { schema } of offered) expect(schema.properties).toEqual({});
    }
    const response = await harness.initiate({ connector_type: 'tiktok-marketing' });
    expect(response.body).toMatchObject({
      code: 'oauth_not_offered',
      detail: expect.stringContaining('OAUTH_TIKTOK_MARKETING_CLIENT_ID'),
    });
    expect((await harness.initiate({ connector_type: 'granola' })).body.code).toBe('oauth_not_offered');
  });
});
